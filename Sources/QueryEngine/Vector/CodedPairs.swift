internal import Storage

/// Compares two vectors of dictionary-coded strings with few entries. Each pair of entries is compared once, and each
/// slot looks up the result of its pair. It does not depend on where the strings are stored.
struct CodedPairs {
  private let left: (codes: UnsafePointer<UInt8>, entries: TextBlock)
  private let right: (codes: UnsafePointer<UInt8>, entries: TextBlock)
  /// The slots that have a code on both sides.
  private let slotCount: Int

  /// The results of one left entry fit one word.
  private static let mostOnTheRight = 64

  /// nil if a side is not coded, or has too many entries.
  init?(_ left: StringVector, _ right: StringVector) {
    guard case .coded(let leftCodes, let leftCount, let leftEntries) = left.layout,
      case .coded(let rightCodes, let rightCount, let rightEntries) = right.layout,
      rightEntries.count <= Self.mostOnTheRight
    else { return nil }
    self.left = (leftCodes, leftEntries)
    self.right = (rightCodes, rightEntries)
    slotCount = Swift.min(leftCount, rightCount, Mask.slotCount)
  }

  /// Those of some slots whose strings satisfy a relation. nil if comparing these slots is cheaper than comparing all
  /// entries.
  func slots(_ slots: Mask, _ relation: StringRelation) -> Mask? {
    guard left.entries.count * right.entries.count <= slots.count else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Swift.max(1, left.entries.count)) { rows in
      for entry in 0..<left.entries.count {
        var row: UInt64 = 0
        for other in 0..<right.entries.count where relation.holds(left.entries[entry], right.entries[other]) {
          row |= 1 &<< UInt64(other)
        }
        rows[entry] = row
      }
      // Every slot below the count has valid codes, even if it is nil.
      func word(_ first: Int) -> UInt64 {
        var word: UInt64 = 0
        for slot in first..<Swift.max(first, Swift.min(first + 64, slotCount)) {
          word |= (rows[Int(left.codes[slot])] &>> UInt64(right.codes[slot]) & 1) &<< UInt64(slot &- first)
        }
        return word
      }
      return Mask(word(0), word(64), word(128), word(192)) & slots
    }
  }
}
