internal import Storage

extension TextTest {
  /// Bytes that every matching string contains after folding; a trigram index can look for them.
  struct Piece: Hashable {
    let bytes: [UInt8]
    let folding: TextFolding
    let isAtStart: Bool
    let isAtEnd: Bool
    /// Whether every string with the piece at this position matches.
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

  /// The required pieces; empty if any string may match.
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
