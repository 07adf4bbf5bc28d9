/// The folded form of one scalar: up to sixteen bytes of UTF-8, the first in the lowest byte.
struct FoldedPiece {
  var low: UInt64
  var high: UInt64 = 0
  var count: Int

  @inline(__always) init(low: UInt64, count: Int) {
    self.low = low
    self.count = count
  }

  /// The UTF-8 of several scalars; excess bytes are dropped, which happens for no Unicode scalar.
  init(_ scalars: [UInt32]) {
    self.init(low: 0, count: 0)
    for scalar in scalars { append(scalar) }
  }

  /// The parts of a Hangul syllable.
  @inline(__always) init(syllable: UInt32) {
    self.init(low: 0, count: 0)
    let (leading, vowel, trailing) = HangulSyllables.parts(of: syllable)
    append(leading)
    append(vowel)
    if trailing != 0 { append(trailing) }
  }

  @inline(__always)
  private mutating func append(_ scalar: UInt32) {
    let (bits, length) = UTF8Scalars.packed(scalar)
    let shift = UInt64(truncatingIfNeeded: count &* 8)
    if count < 8 {
      low |= UInt64(bits) << shift
      if count &+ length > 8 { high |= UInt64(bits) >> (64 - shift) }
    } else if count &+ length <= 16 {
      high |= UInt64(bits) << (shift - 64)
    } else {
      return
    }
    count &+= length
  }

  /// Byte `index`, which must be below `count`.
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    let shift = UInt64(truncatingIfNeeded: index &* 8)
    return UInt8(truncatingIfNeeded: index < 8 ? low &>> shift : high &>> (shift &- 64))
  }
}

/// Folds a string scalar by scalar.
struct FoldedPieces {
  private let ignoresCase: Bool
  private let folding: TextFolding
  private let table: FoldingTable

  /// The pieces of a folding that does something.
  @inline(__always) init(_ folding: TextFolding) {
    self.folding = folding
    ignoresCase = folding.ignoresCase
    table = FoldingTable.of(folding)
  }

  /// The folding of the scalar at `index`, which must be within `text`, and the number of bytes of the scalar.
  @inline(__always)
  func piece(of text: UnsafeRawBufferPointer, at index: Int) -> (piece: FoldedPiece, length: Int) {
    let first = text[index]
    if first < 0x80 {
      let isUpper = ignoresCase && first &- 0x41 < 26
      return (FoldedPiece(low: UInt64(isUpper ? first | 0x20 : first), count: 1), 1)
    }
    let (scalar, length) = UTF8Scalars.decode(text, at: index)
    let entry = table[scalar]
    if entry.isItself {
      let (bits, count) = UTF8Scalars.packed(scalar)
      return (FoldedPiece(low: UInt64(bits), count: count), length)
    }
    if !entry.isLong { return (FoldedPiece(low: entry.bits & 0x00FF_FFFF_FFFF_FFFF, count: entry.count), length) }
    if HangulSyllables.all ~= scalar { return (FoldedPiece(syllable: scalar), length) }
    return (FoldedPiece(folding.scalars(of: scalar)), length)
  }
}
