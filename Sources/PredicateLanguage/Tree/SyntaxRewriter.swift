/// Rewrites a tree. A rewriter implements the methods for the nodes it changes; all other nodes are rebuilt from their
/// rewritten children, with their ranges.
///
/// To rewrite the children of a node first, call `rewriteChildren` of the node:
///
/// ```swift
/// struct Negated: SyntaxRewriter {
///   mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax {
///     if case .not(let inner) = predicate.kind { return rewrite(inner) }
///     return rewriteChildren(of: predicate)
///   }
/// }
/// ```
///
/// It recurses as deep as the tree: check trees from outside against ``SyntaxLimits`` first.
public protocol SyntaxRewriter {
  /// Rewrites a predicate.
  mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax
  /// Rewrites an expression.
  mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax
  /// Rewrites a path in any position: as a value, or as the collection or the tail of a SUBQUERY.
  mutating func rewrite(_ path: PathSyntax) -> PathSyntax
}

extension SyntaxRewriter {
  /// Rebuilds the predicate from its rewritten children.
  public mutating func rewrite(_ predicate: PredicateSyntax) -> PredicateSyntax { rewriteChildren(of: predicate) }

  /// Rebuilds the expression from its rewritten children.
  public mutating func rewrite(_ expression: ExpressionSyntax) -> ExpressionSyntax { rewriteChildren(of: expression) }

  /// Rebuilds the path from its rewritten indexes.
  public mutating func rewrite(_ path: PathSyntax) -> PathSyntax { rewriteChildren(of: path) }

  /// Rewrites a predicate and its tails.
  public mutating func rewrite(_ filter: FilterSyntax) -> FilterSyntax {
    FilterSyntax(predicate: filter.predicate.map { rewrite($0) }, tails: filter.tails.map { rewrite($0) })
  }

  /// The predicate with every child rewritten.
  public mutating func rewriteChildren(of predicate: PredicateSyntax) -> PredicateSyntax {
    var result = predicate
    switch predicate.kind {
    case .and(let operands): result.kind = .and(operands.map { rewrite($0) })
    case .or(let operands): result.kind = .or(operands.map { rewrite($0) })
    case .not(let operand): result.kind = .not(rewrite(operand))
    case .comparison(var comparison):
      comparison.left = rewrite(comparison.left)
      comparison.right = rewrite(comparison.right)
      result.kind = .comparison(comparison)
    case .truth(let value): result.kind = .truth(rewrite(value))
    case .constant, .named: break
    }
    return result
  }

  /// The expression with every child rewritten.
  public mutating func rewriteChildren(of expression: ExpressionSyntax) -> ExpressionSyntax {
    var result = expression
    switch expression.kind {
    case .literal, .placeholder: break
    case .path(let path): result.kind = .path(rewrite(path))
    case .unary(let operation, let operand): result.kind = .unary(operation, rewrite(operand))
    case .arithmetic(let first, let steps):
      let first = rewrite(first)
      result.kind = .arithmetic(
        first, steps.map { ArithmeticStep($0.operation, range: $0.range, rewrite($0.operand)) })
    case .call(let name, let operands): result.kind = .call(name, operands.map { rewrite($0) })
    case .list(let elements): result.kind = .list(elements.map { rewrite($0) })
    case .point(let coordinates): result.kind = .point(coordinates.map { rewrite($0) })
    case .ternary(let condition, let yes, let no):
      result.kind = .ternary(rewrite(condition), rewrite(yes), rewrite(no))
    case .subquery(let path, let variable, let condition, let tail):
      result.kind = .subquery(rewrite(path), variable: variable, rewrite(condition), tail: rewrite(tail))
    case .shape(let shape): result.kind = .shape(rewrite(shape))
    }
    return result
  }

  /// The path with every index rewritten.
  public mutating func rewriteChildren(of path: PathSyntax) -> PathSyntax {
    var result = path
    for place in path.steps.indices {
      if case .index(let index) = path.steps[place].kind { result.steps[place].kind = .index(rewrite(index)) }
    }
    return result
  }

  private mutating func rewrite(_ shape: ShapeSyntax) -> ShapeSyntax {
    switch shape {
    case .circle(let center, let radius, let unit):
      .circle(center: rewrite(center), radius: rewrite(radius), unit: unit)
    case .box(let bottomLeft, let topRight): .box(rewrite(bottomLeft), rewrite(topRight))
    case .polygon(let outer, let holes):
      .polygon(outer: outer.map { rewrite($0) }, holes: holes.map { hole in hole.map { rewrite($0) } })
    }
  }

  private mutating func rewrite(_ tail: TailSyntax) -> TailSyntax {
    switch tail {
    case .filter(let predicate): .filter(rewrite(predicate))
    case .sort(let keys): .sort(keys.map { SortKeySyntax(rewrite($0.expression), ascending: $0.ascending) })
    case .distinct(let values): .distinct(values.map { rewrite($0) })
    case .window(let offset, let limit): .window(offset: offset.map { rewrite($0) }, limit: limit.map { rewrite($0) })
    }
  }
}

/// A rewriter that changes only paths.
private struct PathMapping: SyntaxRewriter {
  let transform: (PathSyntax) -> PathSyntax

  mutating func rewrite(_ path: PathSyntax) -> PathSyntax { transform(rewriteChildren(of: path)) }
}

extension PredicateSyntax {
  /// The predicate with every path replaced by the result of `transform`, indexes inside it first.
  public func mapPaths(_ transform: (PathSyntax) -> PathSyntax) -> PredicateSyntax {
    withoutActuallyEscaping(transform) { transform in
      var mapping = PathMapping(transform: transform)
      return mapping.rewrite(self)
    }
  }
}

extension ExpressionSyntax {
  /// The expression with every path replaced by the result of `transform`, indexes inside it first.
  public func mapPaths(_ transform: (PathSyntax) -> PathSyntax) -> ExpressionSyntax {
    withoutActuallyEscaping(transform) { transform in
      var mapping = PathMapping(transform: transform)
      return mapping.rewrite(self)
    }
  }
}

extension FilterSyntax {
  /// The predicate and its tails with every path replaced by the result of `transform`.
  public func mapPaths(_ transform: (PathSyntax) -> PathSyntax) -> FilterSyntax {
    withoutActuallyEscaping(transform) { transform in
      var mapping = PathMapping(transform: transform)
      return mapping.rewrite(self)
    }
  }
}
