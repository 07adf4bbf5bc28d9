/// Compares strings with a folded string, folding only as much as needed.
extension TextFolding {
  /// Negative, zero or positive if the folded form of `text` comes before `folded`, equals it, or comes after it.
  package func order(of text: UnsafeRawBufferPointer, against folded: UnsafeRawBufferPointer) -> Int {
    let (order, rest) = walk(text, along: folded)
    return order == 0 ? rest : order
  }

  /// Whether the folded form of `text` begins with `folded`.
  package func hasPrefix(_ text: UnsafeRawBufferPointer, _ folded: UnsafeRawBufferPointer) -> Bool {
    let (order, rest) = walk(text, along: folded)
    return order == 0 && rest >= 0
  }

  /// The order of the first bytes that differ, or 0 if one is a prefix of the other; and then which of them is longer.
  @inline(__always)
  private func walk(
    _ text: UnsafeRawBufferPointer, along folded: UnsafeRawBufferPointer
  ) -> (order: Int, rest: Int) {
    let pieces = FoldedPieces(self)
    var index = 0
    var position = 0
    while index < text.count {
      let (piece, length) = pieces.piece(of: text, at: index)
      for offset in 0..<piece.count {
        if position == folded.count { return (0, 1) }
        let difference = Int(piece[offset]) &- Int(folded[position])
        if difference != 0 { return (difference, 0) }
        position &+= 1
      }
      index &+= length
    }
    return (0, position &- folded.count)
  }

  /// Whether the folded form of `text` ends with `folded`.
  package func hasSuffix(_ text: UnsafeRawBufferPointer, _ folded: UnsafeRawBufferPointer) -> Bool {
    let pieces = FoldedPieces(self)
    var end = text.count
    var left = folded.count
    while left > 0 {
      guard end > 0 else { return false }
      var index = end &- 1
      while index > 0, end &- index < 4, text[index] & 0xC0 == 0x80 { index &-= 1 }
      let (piece, length) = pieces.piece(of: text, at: index)
      // Invalid UTF-8 can only be decoded forwards, so fall back to a full comparison.
      guard index &+ length == end else { return hasSuffixOfAll(text, folded) }
      for offset in 0..<min(piece.count, left) where piece[piece.count &- 1 &- offset] != folded[left &- 1 &- offset] {
        return false
      }
      left &-= min(piece.count, left)
      end = index
    }
    return true
  }

  private func hasSuffixOfAll(_ text: UnsafeRawBufferPointer, _ folded: UnsafeRawBufferPointer) -> Bool {
    withFolded(text) { text in
      text.count >= folded.count && text[(text.count - folded.count)...].elementsEqual(folded)
    }
  }
}
