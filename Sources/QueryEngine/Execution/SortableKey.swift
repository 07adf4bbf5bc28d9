internal import Storage
internal import Values

/// Numbers and dates as unsigned words in the order of SORT, with nil and NaN apart: what radix sort, top-k and
/// DISTINCT work on.
enum SortableKey {
  /// Where a value stands before its word is looked at: nil, NaN, the others.
  enum Rank { static let null: UInt8 = 0, nan: UInt8 = 1, number: UInt8 = 2 }

  @inline(__always)
  static func word(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// Ascending with the Double; -0.0 is 0.0.
  @inline(__always)
  static func word(_ number: Double) -> UInt64 {
    let bits = (number + 0).bitPattern
    return bits & 1 << 63 != 0 ? ~bits : bits | 1 << 63
  }

  /// Calls `body` with rank and word of each slot of a vector.
  @inline(__always)
  static func forEach(_ vector: NumberVector, _ mask: Mask, _ body: (Int, UInt8, UInt64) -> Void) {
    let nulls = vector.nulls & mask
    nulls.forEach { body($0, Rank.null, 0) }
    let rest = mask.andNot(nulls)
    if vector.isInteger {
      rest.forEach { body($0, Rank.number, word(vector.integers[$0])) }
    } else {
      rest.forEach { slot in
        let number = vector.doubles[slot]
        if number.isNaN { body(slot, Rank.nan, 0) } else { body(slot, Rank.number, word(number)) }
      }
    }
  }
}
