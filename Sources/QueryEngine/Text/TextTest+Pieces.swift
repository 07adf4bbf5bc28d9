internal import Storage

extension TextTest {
  /// Bytes that every text that passes a test has somewhere, once it is folded: what an index of parts of texts can
  /// look for.
  struct Piece: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
    let isAtStart: Bool
    let isAtEnd: Bool
    /// Whether every text that has it so passes the test.
    let isAll: Bool

    init(
      _ bytes: [UInt8], _ folding: TextFolding, isAtStart: Bool = false, isAtEnd: Bool = false, isAll: Bool = true
    ) {
      self.bytes = bytes
      self.folding = folding
      self.isAtStart = isAtStart
      self.isAtEnd = isAtEnd
      self.isAll = isAll
    }
  }

  /// All of them; none when a text that passes may be anything.
  var pieces: [Piece] {
    switch question {
    case .relation(let relation, let bytes):
      guard let anchors = relation.anchors else { return [] }
      return [Piece(bytes, folding, isAtStart: anchors.isAtStart, isAtEnd: anchors.isAtEnd)]
    case .like(let pattern):
      return pattern.parts.enumerated().compactMap { place, part in
        guard case .text(let bytes) = part else { return nil }
        return Piece(
          bytes, folding, isAtStart: place == 0, isAtEnd: place == pattern.parts.count - 1, isAll: false)
      }
    case .matches(let pattern):
      let start = Piece(pattern.start, pattern.folding, isAtStart: true, isAll: false)
      return pattern.part == pattern.start ? [start] : [start, Piece(pattern.part, pattern.folding, isAll: false)]
    }
  }
}
