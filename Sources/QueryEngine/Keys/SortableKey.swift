internal import Storage
internal import Values

/// Numbers, dates and string prefixes as unsigned words in the order of SORT, with nil and NaN ranked separately. Radix
/// sort, top-k and DISTINCT use them.
enum SortableKey {
  /// The rank of a value, which is compared before its word: nil, NaN, others.
  enum Rank { static let null: UInt8 = 0, nan: UInt8 = 1, number: UInt8 = 2 }

  @inline(__always)
  static func word(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// The word of a Double, in ascending order; -0.0 equals 0.0.
  @inline(__always)
  static func word(_ number: Double) -> UInt64 {
    let bits = (number + 0).bitPattern
    return bits & 1 << 63 != 0 ? ~bits : bits | 1 << 63
  }

  /// The integer of a word.
  @inline(__always)
  static func integer(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ 1 << 63) }

  /// The Double of a word.
  @inline(__always)
  static func double(_ word: UInt64) -> Double {
    Double(bitPattern: word & 1 << 63 != 0 ? word & ~(1 << 63) : ~word)
  }

  /// The first eight bytes of a string. A smaller string never has a larger word.
  @inline(__always)
  static func word(_ text: UnsafeRawBufferPointer) -> UInt64 {
    if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for place in 0..<8 { word = word &<< 8 | (place < text.count ? UInt64(text[place]) : 0) }
    return word
  }

  /// The rank and word of a single value; types without words are ranked as nil.
  static func entry(_ value: Value) -> (UInt8, UInt64) {
    switch value {
    case .bool(let flag): (Rank.number, word(Int64(flag ? 1 : 0)))
    case .int(let number): (Rank.number, word(number))
    case .float(let number): number.isNaN ? (Rank.nan, 0) : (Rank.number, word(Double(number)))
    case .double(let number): number.isNaN ? (Rank.nan, 0) : (Rank.number, word(number))
    case .date(let instant): instant.seconds.isNaN ? (Rank.nan, 0) : (Rank.number, word(instant.seconds))
    case .string(var text): (Rank.number, text.withUTF8 { word(UnsafeRawBufferPointer($0)) })
    default: (Rank.null, 0)
    }
  }

  /// Calls `body` with the rank and the word of each slot of a vector.
  @inline(__always)
  static func forEach(_ vector: Vector, _ mask: Mask, _ body: (Int, UInt8, UInt64) -> Void) {
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
