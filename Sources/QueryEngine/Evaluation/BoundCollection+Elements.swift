internal import PredicateLanguage
internal import Values

extension BoundCollection {
  /// The elements in a row, in order; nil when the collection itself is.
  func elements(in row: some RowValues, _ scope: ElementScope = ElementScope()) throws -> [Value]? {
    switch self {
    case .column(let column, _):
      switch try row.value(column) {
      case .list(let elements): return elements
      case .embedded(let fields): return fields.map(\.value)
      default: return nil
      }
    case .keys(let column):
      guard case .embedded(let fields) = try row.value(column) else { return nil }
      return fields.map { .string($0.name) }
    case .list(let elements): return try elements.map { try $0.value(in: row, scope) }
    case .chosen(let base, let level, let predicate):
      var inner = scope
      return try base.elements(in: row, scope)?.filter {
        inner.bind(level, to: $0)
        return try predicate.holds(for: row, inner)
      }
    case .distinct(let base):
      var seen: Set<Value> = []
      return try base.elements(in: row, scope)?.filter { !$0.isNull && seen.insert(DistinctKey.of($0)).inserted }
    case .joined(let parts): return try parts.flatMap { try $0.elements(in: row, scope) ?? [] }
    }
  }

  /// How many elements there are; none when it is nil.
  func count(in row: some RowValues, _ scope: ElementScope) throws -> Int {
    if case .column(let column, _) = self { return try row.elementCount(column) }
    if case .keys(let column) = self { return try row.elementCount(column) }
    return try elements(in: row, scope)?.count ?? 0
  }
}

extension BoundQuantifier {
  /// Whether it is true of a row. A collection that is nil has no elements.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    let elements = try collection.elements(in: row, scope) ?? []
    var inner = scope
    for element in elements {
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
  /// Whether it is true of a row.
  func holds(for row: some RowValues, _ scope: ElementScope) throws -> Bool {
    let left = try left.elements(in: row, scope)
    let right = try right.elements(in: row, scope)
    // `!=` is the opposite of `==`, not a pair of other values at every place.
    let relation = comparator == .notEqual ? .equal : comparator
    return pairs(left, right) { Comparison.holds(relation, $0, $1, folding: folding) } != (comparator == .notEqual)
  }

  private func pairs(_ left: [Value]?, _ right: [Value]?, _ holds: (Value, Value) -> Bool) -> Bool {
    guard let left, let right else {
      return left == nil && right == nil && comparator != .less && comparator != .greater
    }
    return left.count == right.count && zip(left, right).allSatisfy(holds)
  }
}
