/// Trigrams at fixed distances from each other: what texts must have to contain a piece of text.
package struct TrigramPhrase: Hashable, Sendable {
  /// One trigram, and how far from the beginning of the piece it stands.
  package struct Part: Hashable, Sendable {
    package let trigram: Trigram
    package let offset: Int
  }

  /// In the order in which they are looked up.
  package let parts: [Part]
  /// Whether the piece is at the beginning of the text.
  package let isAtStart: Bool

  /// How many scalars of a piece are looked at.
  static let longest = 40

  /// Every trigram of a piece of folded text. nil for a piece too short to have any.
  ///
  /// - Returns: the phrase, and whether it has all of the piece.
  package static func whole(
    _ scalars: [UInt32], isAtStart: Bool, isAtEnd: Bool
  ) -> (phrase: TrigramPhrase, isAll: Bool)? {
    var scalars = isAtEnd ? scalars + [Trigram.end] : scalars
    let isAll = scalars.count <= longest
    if !isAll, isAtEnd, !isAtStart { scalars = Array(scalars.suffix(longest)) }
    if !isAll, isAtStart || !isAtEnd { scalars = Array(scalars.prefix(longest)) }
    guard scalars.count >= 3 else { return nil }
    let parts = (0...scalars.count - 3).map {
      Part(trigram: Trigram(scalars[$0], scalars[$0 + 1], scalars[$0 + 2]), offset: $0)
    }
    return (TrigramPhrase(parts: parts, isAtStart: isAtStart), isAll)
  }

  /// The fewest of its parts that still have every scalar, those that are rare by `counts` first.
  package func chosen(by counts: [Int]) -> TrigramPhrase {
    var isCovered = [Bool](repeating: false, count: (parts.last?.offset ?? 0) + 3)
    var chosen: [Part] = []
    let order = zip(parts, counts).enumerated().sorted { left, right in
      left.element.1 == right.element.1 ? left.offset < right.offset : left.element.1 < right.element.1
    }
    for part in order.map(\.element.0) where isCovered[part.offset..<part.offset + 3].contains(false) {
      for place in part.offset..<part.offset + 3 { isCovered[place] = true }
      chosen.append(part)
    }
    return TrigramPhrase(parts: chosen, isAtStart: isAtStart)
  }
}
