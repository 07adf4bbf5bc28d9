extension TextFolding {
  /// The maximum growth of a string by folding.
  static let growth = 3

  /// Calls `body` with the folded form of UTF-8 `text`. Invalid bytes become U+FFFD.
  package func withFolded<R>(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
  {
    if isNone { return try body(text) }
    // Each piece is written as sixteen bytes, regardless of its length.
    return try withUnsafeTemporaryAllocation(byteCount: text.count * Self.growth + 16, alignment: 8) { folded in
      let count = write(text, to: folded)
      return try body(UnsafeRawBufferPointer(rebasing: folded[..<count]))
    }
  }

  private func write(_ text: UnsafeRawBufferPointer, to folded: UnsafeMutableRawBufferPointer) -> Int {
    let pieces = FoldedPieces(self)
    var index = 0
    var position = 0
    while index < text.count {
      if index &+ 8 <= text.count {
        // As much of eight bytes as is ASCII.
        let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
        let others = word & 0x8080_8080_8080_8080
        let letters = ignoresCase ? Self.lowercased(word) : word
        folded.storeBytes(of: letters.littleEndian, toByteOffset: position, as: UInt64.self)
        let count = others.trailingZeroBitCount &>> 3
        index &+= count
        position &+= count
        if others == 0 { continue }
      }
      repeat {
        let (piece, length) = pieces.piece(of: text, at: index)
        folded.storeBytes(of: piece.low.littleEndian, toByteOffset: position, as: UInt64.self)
        if piece.count > 8 {
          folded.storeBytes(of: piece.high.littleEndian, toByteOffset: position &+ 8, as: UInt64.self)
        }
        index &+= length
        position &+= piece.count
      } while index < text.count && text[index] >= 0x80
    }
    return position
  }

  /// Lowercases `A…Z` in eight bytes, up to the first byte that is not ASCII.
  @inline(__always)
  private static func lowercased(_ word: UInt64) -> UInt64 {
    let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = word &+ 0x2525_2525_2525_2525
    return word | (fromA & ~beyondZ & 0x8080_8080_8080_8080) &>> 2
  }
}
