internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// Ranges of indexes of which only the first and the last keys are read: the least and greatest values of columns, and how
/// many objects there are. One object, since plans hand it around.
final class IndexMinMax: Sendable {
  /// The keys that have the values of one column in order.
  struct Values: Sendable {
    let column: Int
    let index: StoredIndex
    /// Which value of a key is the column's; within a range those before it are the same.
    let place: Int
    let ranges: [IndexKeyRange]
  }

  let values: [Values]
  /// The range whose objects are those of the query; nil where these are all of the entity.
  let range: IndexRange?
  /// How many objects there are, where that is known.
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
  /// All keys of an index whose first column it is, but nil.
  init?(_ column: Int, allOf way: AccessPath) {
    let index = way.access.index
    guard way.tellsOrder, index.columns.first == column else { return nil }
    self.init(
      column: column, index: index, place: 0, ranges: [.between(nil, nil, types: index.types)])
  }

  /// The keys in the range of an index that has the column after those of which single values are asked.
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
  fileprivate var tellsOrder: Bool { !reader.hasLongKeys && !access.index.isFolded && !access.index.isInverse }
}
