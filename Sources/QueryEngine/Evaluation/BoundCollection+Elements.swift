internal import PredicateLanguage
internal import Values

extension BoundCollection {
  /// The elements in a row, in order; nil if the collection is nil.
  func elements(in row: some RowValues, _ scope: ElementScope = ElementScope()) throws -> [Value]? {
    switch self {
    case .column(let column, _): return try row.value(column).elements
    case .keys(let column): return try row.value(column).keys
    case .computed(let place, _): return row.computed(place).elements
    case .property(let object, let column, _):
      let number = try object.number.value(in: row, scope)
      return number.isNull ? nil : try row.otherObjects().value(number, of: object, column).elements
    case .propertyKeys(let object, let column):
      let number = try object.number.value(in: row, scope)
      return number.isNull ? nil : try row.otherObjects().value(number, of: object, column).keys
    case .sources(let source, let number):
      let target = try number.value(in: row, scope)
      return target.isNull ? nil : try row.otherObjects().sources(source, of: target)
    case .positions(let count):
      guard case .int(let count) = try count.value(in: row, scope) else { return nil }
      return (0..<max(0, count)).map { .int($0) }
    // A property of all structs of a list is the column of that property.
    case .each(.positions(of: .column), let level, .item(.column(let column, _), .index(.element(let own, _))))
    where level == own:
      return try row.value(column).elements
    case .each(let base, let level, let value):
      var inner = scope
      return try base.elements(in: row, scope)?.map {
        try row.step()
        inner.bind(level, to: $0)
        return try value.value(in: row, inner)
      }
    case .flattened(let base, let level, let collection):
      var inner = scope
      return try base.elements(in: row, scope)?.flatMap {
        try row.step()
        inner.bind(level, to: $0)
        return try collection.elements(in: row, inner) ?? []
      }
    case .list(let elements): return try elements.map { try $0.value(in: row, scope) }
    case .chosen(let base, let level, let predicate):
      var inner = scope
      return try base.elements(in: row, scope)?.filter {
        try row.step()
        inner.bind(level, to: $0)
        return try predicate.holds(for: row, inner)
      }
    case .among(let base, let set):
      guard let elements = try base.elements(in: row, scope) else { return nil }
      let sets = try row.otherObjects().sets
      let found = try sets.bits(set.targets)
      return elements.filter { element in
        guard case .int(let number) = element else { return set.holdsForNil }
        return found.contains(found.places.place(UInt64(bitPattern: number)))
      }
    case .distinct(let base):
      var seen: Set<Value> = []
      return try base.elements(in: row, scope)?.filter { !$0.isNull && seen.insert(DistinctKey.of($0)).inserted }
    case .joined(let parts): return try parts.flatMap { try $0.elements(in: row, scope) ?? [] }
    }
  }

  /// The number of elements; 0 if the collection is nil.
  func count(in row: some RowValues, _ scope: ElementScope) throws -> Int {
    switch self {
    case .column(let column, _), .keys(let column): return try row.elementCount(column)
    case .property(let object, let column, _):
      let number = try object.number.value(in: row, scope)
      return number.isNull ? 0 : try row.otherObjects().elementCount(number, of: object, column)
    case .sources(let source, let number):
      let target = try number.value(in: row, scope)
      return target.isNull ? 0 : try row.otherObjects().sourceCount(source, of: target)
    case .positions(let count):
      guard case .int(let count) = try count.value(in: row, scope) else { return 0 }
      return Int(clamping: count)
    case .each(let base, _, _): return try base.count(in: row, scope)
    case .joined(let parts): return try parts.reduce(0) { try $0 + $1.count(in: row, scope) }
    case .list, .chosen, .distinct, .propertyKeys, .flattened, .computed, .among:
      return try elements(in: row, scope)?.count ?? 0
    }
  }
}

extension Value {
  /// The elements of a list, or the values of a dictionary; nil for other values.
  fileprivate var elements: [Value]? {
    switch self {
    case .list(let elements): elements
    case .embedded(let fields): fields.map(\.value)
    default: nil
    }
  }

  /// The keys of a dictionary; nil for other values.
  fileprivate var keys: [Value]? {
    if case .embedded(let fields) = self { fields.map { .string($0.name) } } else { nil }
  }
}

extension BoundQuantifier {
  /// Whether the predicate holds for a row. A collection that is nil has no elements.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    let elements = try collection.elements(in: row, scope) ?? []
    var inner = scope
    for element in elements {
      try row.step()
      inner.bind(level, to: element)
      let holds = try predicate.holds(for: row, inner)
      switch quantifier {
      case .any: if holds { return true }
      case .all: if !holds { return false }
      case .none: if holds { return false }
      }
    }
    return quantifier != .any
  }
}

extension BoundListComparison {
  /// Whether the comparison holds for a row.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    let left = try left.elements(in: row, scope)
    let right = try right.elements(in: row, scope)
    // `!=` is the opposite of `==`, not different values at every position.
    let relation = comparator == .notEqual ? .equal : comparator
    return pairs(relation, left, right) { Comparison.holds(relation, $0, $1, folding: folding) }
      != (comparator == .notEqual)
  }

  private func pairs(
    _ relation: Comparator, _ left: [Value]?, _ right: [Value]?, _ holds: (Value, Value) -> Bool
  ) -> Bool {
    guard let left, let right else {
      return relation.holdsForTwoNils && left == nil && right == nil
    }
    return left.count == right.count && zip(left, right).allSatisfy(holds)
  }
}
