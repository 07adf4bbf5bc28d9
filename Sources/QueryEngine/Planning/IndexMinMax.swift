internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Index ranges of which only the first and last keys are read, for the minimum and maximum of columns and the number
/// of objects. A class, since plans are copied.
final class IndexMinMax: Sendable {
  /// The keys that hold the values of one column in order.
  struct Values: Sendable {
    let column: Int
    let index: StoredIndex
    /// The position of the column in a key; the columns before it are equal within a range.
    let place: Int
    let ranges: [IndexKeyRange]
  }

  let values: [Values]
  /// The range of the query's objects; nil if they are all objects of the entity.
  let range: IndexRange?
  /// The number of objects, if known.
  let count: Int?

  init(_ values: [Values], range: IndexRange?, count: Int?) {
    self.values = values
    self.range = range
    self.count = count
  }

  /// The indexes, each once.
  var indexes: [StoredIndex] {
    let all = values.map(\.index) + (range.map { [$0.index] } ?? [])
    return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension IndexMinMax.Values {
  /// All keys of an index that begins with the column, except nil.
  init?(_ column: Int, allOf way: AccessPath) {
    let index = way.access.index
    guard way.tellsOrder, index.columns.first == column else { return nil }
    self.init(
      column: column, index: index, place: 0, ranges: [.between(nil, nil, types: index.types)])
  }

  /// The keys in an index range whose columns before the given column each have a single value.
  init?(_ column: Int, inRangeOf way: AccessPath) {
    let index = way.access.index
    guard let range = way.range, range.isExact, way.tellsOrder, let place = index.columns.firstIndex(of: column),
      range.asked.count == place || range.asked.count == place + 1
    else { return nil }
    var prefixes: [[Value]] = [[]]
    for asked in range.asked.prefix(place) {
      switch asked {
      case .isNil: prefixes = prefixes.map { $0 + [.null] }
      case .equal(_, let value): prefixes = prefixes.map { $0 + [value] }
      case .oneOf(_, let values): prefixes = prefixes.flatMap { prefix in values.map { prefix + [$0] } }
      case .interval, .beginning, .words: return nil
      }
    }
    if range.asked.count == place + 1, case .words? = range.asked.last { return nil }
    let ranges =
      range.asked.count > place
      ? range.ranges : prefixes.map { .between(nil, nil, after: $0, types: index.types) }
    self.init(column: column, index: index, place: place, ranges: ranges)
  }
}

extension AccessPath {
  /// Whether keys are order-preserving and decodable.
  fileprivate var tellsOrder: Bool { !reader.hasLongKeys && access.index.hasValueKeys }
}
