public import Diagnostics

/// A node of a tree: a predicate or an expression.
public enum SyntaxNode: Hashable, Sendable {
  /// A condition.
  case predicate(PredicateSyntax)
  /// A value.
  case expression(ExpressionSyntax)

  /// The range in the source.
  public var range: SourceRange {
    switch self {
    case .predicate(let predicate): predicate.range
    case .expression(let expression): expression.range
    }
  }

  /// The direct children, in the order of the text. The steps of a path are not nodes, but its indexes are.
  public var children: [SyntaxNode] {
    switch self {
    case .predicate(let predicate): predicate.children
    case .expression(let expression): expression.children
    }
  }

  /// Calls `visit` with this node and its descendants, outer before inner, in the order of the text. If `visit` returns
  /// false, the node's children are skipped.
  ///
  /// It does not recurse, so trees may have any depth.
  public func walk(_ visit: (SyntaxNode) throws -> Bool) rethrows {
    var pending = [self]
    while let node = pending.popLast() {
      if try visit(node) { pending += node.children.reversed() }
    }
  }
}

extension PredicateSyntax {
  /// The direct children, in the order of the text.
  public var children: [SyntaxNode] {
    switch kind {
    case .and(let operands), .or(let operands): operands.map(SyntaxNode.predicate)
    case .not(let operand): [.predicate(operand)]
    case .comparison(let comparison): [.expression(comparison.left), .expression(comparison.right)]
    case .truth(let value): [.expression(value)]
    case .constant, .named: []
    }
  }

  /// Calls `visit` with this predicate and its descendants: see ``SyntaxNode/walk(_:)``.
  public func walk(_ visit: (SyntaxNode) throws -> Bool) rethrows {
    try SyntaxNode.predicate(self).walk(visit)
  }
}

extension ExpressionSyntax {
  /// The direct children, in the order of the text.
  public var children: [SyntaxNode] {
    switch kind {
    case .literal, .placeholder: []
    case .path(let path): path.indexes.map(SyntaxNode.expression)
    case .unary(_, let operand): [.expression(operand)]
    case .arithmetic(let first, let steps): [.expression(first)] + steps.map { .expression($0.operand) }
    case .call(_, let operands), .list(let operands), .point(let operands): operands.map(SyntaxNode.expression)
    case .ternary(let condition, let yes, let no): [.predicate(condition), .expression(yes), .expression(no)]
    case .subquery(let path, _, let condition, let tail):
      path.indexes.map(SyntaxNode.expression) + [.predicate(condition)] + tail.indexes.map(SyntaxNode.expression)
    case .shape(let shape): shape.expressions.map(SyntaxNode.expression)
    }
  }

  /// Calls `visit` with this expression and its descendants: see ``SyntaxNode/walk(_:)``.
  public func walk(_ visit: (SyntaxNode) throws -> Bool) rethrows {
    try SyntaxNode.expression(self).walk(visit)
  }
}

extension PathSyntax {
  /// The values in its brackets.
  var indexes: [ExpressionSyntax] {
    steps.compactMap { if case .index(let index) = $0.kind { index } else { nil } }
  }
}

extension ShapeSyntax {
  /// Its points and its radius.
  var expressions: [ExpressionSyntax] {
    switch self {
    case .circle(let center, let radius, _): [center, radius]
    case .box(let bottomLeft, let topRight): [bottomLeft, topRight]
    case .polygon(let outer, let holes): outer + holes.joined()
    }
  }
}

extension TailSyntax {
  /// Whether LIMIT is printed before OFFSET, as `LIMIT(%@) OFFSET(%@)` must be: `%@` are counted in the order of the
  /// text.
  var beginsWithLimit: Bool {
    guard case .window(let offset?, let limit?) = self,
      case .placeholder(.sequential(let second, _)) = offset.kind,
      case .placeholder(.sequential(let first, _)) = limit.kind
    else { return false }
    return first < second
  }

  /// The children, in the order of the text.
  var children: [SyntaxNode] {
    switch self {
    case .filter(let predicate): [.predicate(predicate)]
    case .sort(let keys): keys.map { .expression($0.expression) }
    case .distinct(let values): values.map(SyntaxNode.expression)
    case .window(let offset, let limit):
      (beginsWithLimit ? [limit, offset] : [offset, limit]).compactMap { $0.map(SyntaxNode.expression) }
    }
  }
}

extension FilterSyntax {
  /// The children, in the order of the text: the predicate, and the predicates and values of the tails.
  public var children: [SyntaxNode] {
    (predicate.map { [.predicate($0)] } ?? []) + tails.flatMap(\.children)
  }

  /// Calls `visit` with every node: see ``SyntaxNode/walk(_:)``.
  public func walk(_ visit: (SyntaxNode) throws -> Bool) rethrows {
    for child in children { try child.walk(visit) }
  }
}
