/// A node of a bound tree. Objects, positions and structs are not nodes; the expressions in them are.
enum BoundNode {
  case predicate(BoundPredicate)
  case expression(BoundExpression)
  case collection(BoundCollection)

  /// Whether `isMeant` returns true for a direct child. Children are visited in order, up to the first match.
  ///
  /// The child of a gathered expression is the expression that it replaces. `mapChildren` does not visit it.
  func anyChild(_ isMeant: (BoundNode) throws -> Bool) rethrows -> Bool {
    switch self {
    case .predicate(let predicate): try predicate.anyChild(isMeant)
    case .expression(let expression): try expression.anyChild(isMeant)
    case .collection(let collection): try collection.anyChild(isMeant)
    }
  }
}

/// A bound tree. Every property of a whole tree is a fold over its nodes: `contains` and `forEachNode` visit each node
/// of every kind.
protocol BoundTree {
  /// The root.
  var node: BoundNode { get }
}

extension BoundNode: BoundTree {
  var node: BoundNode { self }
}

extension BoundPredicate: BoundTree {
  var node: BoundNode { .predicate(self) }
}

extension BoundExpression: BoundTree {
  var node: BoundNode { .expression(self) }
}

extension BoundCollection: BoundTree {
  var node: BoundNode { .collection(self) }
}

extension BoundTree {
  /// Whether `isMeant` returns true for a node. Outer nodes are visited first; the search ends at the first match.
  func contains(where isMeant: (BoundNode) throws -> Bool) rethrows -> Bool {
    let node = node
    return try isMeant(node) || node.anyChild { try $0.contains(where: isMeant) }
  }

  /// Calls `visit` with every node, outer ones first.
  func forEachNode(_ visit: (BoundNode) throws -> Void) rethrows {
    _ = try contains {
      try visit($0)
      return false
    }
  }
}

// MARK: Children

extension BoundPredicate {
  fileprivate func anyChild(_ isMeant: (BoundNode) throws -> Bool) rethrows -> Bool {
    switch self {
    case .constant, .test: false
    case .and(let parts), .or(let parts): try parts.contains { try isMeant(.predicate($0)) }
    case .not(let inner): try isMeant(.predicate(inner))
    case .comparison(let comparison):
      try isMeant(.expression(comparison.left)) || comparison.right.contains { try isMeant(.expression($0)) }
    case .quantified(let quantified):
      try isMeant(.collection(quantified.collection)) || isMeant(.predicate(quantified.predicate))
    case .lists(let lists): try isMeant(.collection(lists.left)) || isMeant(.collection(lists.right))
    case .remembered(let remembered): try isMeant(.predicate(remembered.predicate))
    }
  }
}

extension BoundExpression {
  fileprivate func anyChild(_ isMeant: (BoundNode) throws -> Bool) rethrows -> Bool {
    switch self {
    case .constant, .column, .computed, .now, .element, .own, .object: false
    case .negate(let operand), .complement(let operand): try isMeant(.expression(operand))
    case .arithmetic(let first, let steps):
      try isMeant(.expression(first)) || steps.contains { try isMeant(.expression($0.operand)) }
    case .call(_, let operands): try operands.contains { try isMeant(.expression($0)) }
    case .ternary(let condition, let yes, let no):
      try isMeant(.predicate(condition)) || isMeant(.expression(yes)) || isMeant(.expression(no))
    case .reduced(_, let collection): try isMeant(.collection(collection))
    case .item(let collection, let place):
      try isMeant(.collection(collection)) || place.expression.map { try isMeant(.expression($0)) } ?? false
    case .entry(_, let key, _): try isMeant(.expression(key))
    case .property(let object, _, _): try isMeant(.expression(object.number))
    case .assembled(let structure): try structure.anyPart { try isMeant(.expression($0)) }
    case .gathered(let gathering): try isMeant(.expression(gathering.original))
    }
  }
}

extension BoundCollection {
  fileprivate func anyChild(_ isMeant: (BoundNode) throws -> Bool) rethrows -> Bool {
    switch self {
    case .column, .keys, .computed: false
    case .list(let elements): try elements.contains { try isMeant(.expression($0)) }
    case .chosen(let base, _, let predicate): try isMeant(.collection(base)) || isMeant(.predicate(predicate))
    case .distinct(let base), .among(let base, _): try isMeant(.collection(base))
    case .joined(let parts): try parts.contains { try isMeant(.collection($0)) }
    case .property(let object, _, _), .propertyKeys(let object, _): try isMeant(.expression(object.number))
    case .sources(_, let number): try isMeant(.expression(number))
    case .positions(let count): try isMeant(.expression(count))
    case .each(let base, _, let value): try isMeant(.collection(base)) || isMeant(.expression(value))
    case .flattened(let base, _, let inner): try isMeant(.collection(base)) || isMeant(.collection(inner))
    }
  }
}

// MARK: Children replaced

/// A function that replaces a child.
typealias BoundMapping<Child> = (Child) throws -> Child

extension BoundPredicate {
  /// The predicate with every direct child replaced.
  func mapChildren(
    _ predicate: BoundMapping<BoundPredicate>, _ expression: BoundMapping<BoundExpression>,
    _ collection: BoundMapping<BoundCollection>
  ) rethrows -> BoundPredicate {
    switch self {
    case .constant, .test: return self
    case .and(let parts): return .and(try parts.map(predicate))
    case .or(let parts): return .or(try parts.map(predicate))
    case .not(let inner): return .not(try predicate(inner))
    case .comparison(let comparison):
      return .comparison(
        BoundComparison(
          comparator: comparison.comparator, folding: comparison.folding, left: try expression(comparison.left),
          right: try comparison.right.map(expression), test: comparison.test, syntax: comparison.syntax,
          shape: comparison.shape, members: comparison.members))
    case .quantified(let quantified):
      return .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: try collection(quantified.collection),
          level: quantified.level, predicate: try predicate(quantified.predicate), syntax: quantified.syntax))
    case .lists(let lists):
      return .lists(
        BoundListComparison(
          comparator: lists.comparator, folding: lists.folding, left: try collection(lists.left),
          right: try collection(lists.right), syntax: lists.syntax))
    case .remembered(let remembered):
      return .remembered(RememberedPredicate(try predicate(remembered.predicate), as: remembered))
    }
  }
}

extension BoundExpression {
  /// The expression with every direct child replaced.
  func mapChildren(
    _ predicate: BoundMapping<BoundPredicate>, _ expression: BoundMapping<BoundExpression>,
    _ collection: BoundMapping<BoundCollection>
  ) rethrows -> BoundExpression {
    switch self {
    case .constant, .column, .computed, .now, .element, .own, .object, .gathered: return self
    case .negate(let operand): return .negate(try expression(operand))
    case .complement(let operand): return .complement(try expression(operand))
    case .arithmetic(let first, let steps):
      return .arithmetic(
        try expression(first),
        try steps.map { Step(operation: $0.operation, operand: try expression($0.operand), type: $0.type) })
    case .call(let function, let operands): return .call(function, try operands.map(expression))
    case .ternary(let condition, let yes, let no):
      return .ternary(try predicate(condition), try expression(yes), try expression(no))
    case .reduced(let reduction, let base): return .reduced(reduction, try collection(base))
    case .item(let base, let place): return .item(try collection(base), try place.map(expression))
    case .entry(let column, let key, let type): return .entry(column, key: try expression(key), type)
    case .property(let object, let column, let type): return .property(try object.map(expression), column, type)
    case .assembled(let structure): return .assembled(try structure.mapParts(expression))
    }
  }
}

extension BoundCollection {
  /// The collection with every direct child replaced.
  func mapChildren(
    _ predicate: BoundMapping<BoundPredicate>, _ expression: BoundMapping<BoundExpression>,
    _ collection: BoundMapping<BoundCollection>
  ) rethrows -> BoundCollection {
    switch self {
    case .column, .keys, .computed: self
    case .list(let elements): .list(try elements.map(expression))
    case .chosen(let base, let level, let condition):
      .chosen(try collection(base), level: level, try predicate(condition))
    case .distinct(let base): .distinct(try collection(base))
    case .among(let base, let set): .among(try collection(base), set)
    case .joined(let parts): .joined(try parts.map(collection))
    case .property(let object, let column, let type): .property(try object.map(expression), column, type)
    case .propertyKeys(let object, let column): .propertyKeys(try object.map(expression), column)
    case .sources(let source, let number): .sources(source, of: try expression(number))
    case .positions(let count): .positions(of: try expression(count))
    case .each(let base, let level, let value): .each(try collection(base), level: level, try expression(value))
    case .flattened(let base, let level, let inner):
      .flattened(try collection(base), level: level, try collection(inner))
    }
  }
}

extension BoundPlace {
  /// The position with its expression replaced.
  fileprivate func map(_ transform: BoundMapping<BoundExpression>) rethrows -> BoundPlace {
    switch self {
    case .first, .last: self
    case .index(let expression): .index(try transform(expression))
    case .key(let expression): .key(try transform(expression))
    }
  }
}

extension BoundObject {
  /// The object with its ID replaced.
  fileprivate func map(_ transform: BoundMapping<BoundExpression>) rethrows -> BoundObject {
    BoundObject(entity: entity, number: try transform(number))
  }
}
