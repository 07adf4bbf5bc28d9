package import Schema
package import Values

extension IndexKeyRange {
  /// A value that bounds a range of values.
  package struct End: Hashable, Sendable {
    /// The value.
    package var value: Value
    /// Whether it belongs to the range.
    package var isIncluded: Bool

    package init(_ value: Value, isIncluded: Bool) {
      self.value = value
      self.isIncluded = isIncluded
    }
  }

  /// The keys whose first columns have the given values, for all columns or fewer, including nil.
  package static func equal(to values: [Value], types: [ScalarType]) -> IndexKeyRange {
    guard values.count < types.count else {
      let key = IndexKey.encode(values, types: types)
      return IndexKeyRange(lower: .included(key), upper: .included(key))
    }
    return beginning(with: unshortened(values, types))
  }

  /// The keys whose first columns have the values of `prefix` and whose next column lies between two bounds, as in a
  /// comparison: excludes nil and NaN.
  package static func between(
    _ lower: End?, _ upper: End?, after prefix: [Value] = [], types: [ScalarType]
  ) -> IndexKeyRange {
    let start = unshortened(prefix, types)
    let type = prefix.count < types.count ? types[prefix.count] : nil
    var range = IndexKeyRange.all
    if let lower, !isNothing(lower.value) {
      let key = joined(start, lower.value, type)
      range.setLower(key, isIncluded: lower.isIncluded)
    } else {
      range.setLower(start + leastValue(type), isIncluded: true)
    }
    if let upper, !isNothing(upper.value) {
      let key = joined(start, upper.value, type)
      range.setUpper(key, isIncluded: upper.isIncluded)
    } else {
      range.setUpper(start + [1], isIncluded: true)
    }
    // No value is comparable with nil or NaN.
    if let lower, isNothing(lower.value) { return .none }
    if let upper, isNothing(upper.value) { return .none }
    return range
  }

  /// The keys whose first columns have the values of `prefix` and whose next column is a string that begins with
  /// `bytes`.
  package static func text(
    beginningWith bytes: UnsafeRawBufferPointer, after prefix: [Value] = [], types: [ScalarType]
  ) -> IndexKeyRange {
    var key = unshortened(prefix, types)
    key.append(1)
    IndexKey.appendText(bytes, to: &key)
    return beginning(with: key)
  }

  /// An empty range: no key is below the empty key.
  package static let none = IndexKeyRange(lower: .included([]), upper: .excluded([]))

  private static func beginning(with key: [UInt8]) -> IndexKeyRange {
    var range = IndexKeyRange.all
    range.setLower(key, isIncluded: true)
    range.setUpper(key, isIncluded: true)
    return range
  }

  /// Begins with the keys that begin with `key`, or after them.
  private mutating func setLower(_ key: [UInt8], isIncluded: Bool) {
    guard !key.isEmpty else { return }
    let kept = key.count <= IndexKey.keptLength ? key : Array(key.prefix(IndexKey.keptLength))
    isApproximate = isApproximate || kept.count < key.count
    if isIncluded || kept.count < key.count {
      lower = .included(kept)
    } else if let end = IndexKey.encodePrefixUpperBound(kept) {
      lower = .included(end)
    } else {
      self = .none
    }
  }

  /// Ends with the keys that begin with `key`, or before them.
  private mutating func setUpper(_ key: [UInt8], isIncluded: Bool) {
    guard !key.isEmpty else { return }
    let kept = key.count <= IndexKey.keptLength ? key : Array(key.prefix(IndexKey.keptLength))
    isApproximate = isApproximate || kept.count < key.count
    if isIncluded || kept.count < key.count {
      upper = IndexKey.encodePrefixUpperBound(kept).map { .excluded($0) } ?? .unbounded
    } else {
      upper = .excluded(kept)
    }
  }

  private static func unshortened(_ values: [Value], _ types: [ScalarType]) -> [UInt8] {
    var key: [UInt8] = []
    for (value, type) in zip(values, types) { IndexKey.append(value, type: type, to: &key) }
    return key
  }

  private static func joined(_ start: [UInt8], _ value: Value, _ type: ScalarType?) -> [UInt8] {
    var key = start
    key.reserveCapacity(start.count + 16)
    IndexKey.append(value, type: type, to: &key)
    return key
  }

  /// The start of a type's values, after nil and NaN.
  private static func leastValue(_ type: ScalarType?) -> [UInt8] {
    switch type {
    case .double, .date: [1, 0, 0, 0, 0, 0, 0, 0, 1]
    case .float: [1, 0, 0, 0, 1]
    case .decimal: [1, 0, 1]
    case nil, .bool, .int8, .int16, .int32, .int, .string, .uuid, .data: [1]
    }
  }

  private static func isNothing(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    case .date(let moment): moment.seconds.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}
