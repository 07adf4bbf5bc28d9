import ObjectStoreCore

/// The results for the rows of an upsert.
struct UpsertCounts {
  /// The number of new objects.
  var added = 0
  /// The number of existing objects whose values changed.
  var replaced = 0
  /// The number of rows that replaced an earlier row of the same data.
  var repeated = 0
  /// The objects that rows became: a bit each, by their numbers without the last six bits.
  private var numbers: [UInt64: UInt64] = [:]

  /// Counts a row.
  ///
  /// - Parameters:
  ///   - number: The object for the row.
  ///   - isThere: Whether the object existed before the row.
  ///   - earlier: The results for earlier rows.
  mutating func add(_ number: ObjectNumber, isThere: Bool, after earlier: UpsertCounts) {
    let (word, bit) = (number.rawValue >> 6, UInt64(1) << (number.rawValue & 63))
    let isRepeated = (numbers[word, default: 0] | earlier.numbers[word, default: 0]) & bit != 0
    numbers[word, default: 0] |= bit
    if isRepeated { repeated += 1 } else if isThere { replaced += 1 } else { added += 1 }
  }

  /// Adds the counts of the rows after these.
  mutating func add(_ later: UpsertCounts) {
    added += later.added
    replaced += later.replaced
    repeated += later.repeated
    numbers.merge(later.numbers, uniquingKeysWith: |)
  }
}
