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

  /// Parts that still have every scalar and stand in the fewest places by `counts`, the rarest first; and the rarest
  /// of all, where that leads to much fewer texts.
  package func chosen(by counts: [Int]) -> TrigramPhrase {
    let order = parts.indices.sorted { parts[$0].offset < parts[$1].offset }
    func count(_ place: Int) -> Int { counts.indices.contains(order[place]) ? counts[order[place]] : 0 }
    // The least sum with each part as the last, and which part is before it: none is further than three scalars.
    var sums: [(sum: Int, before: Int?)] = []
    for place in order.indices {
      let before = (max(0, place - 3)..<place).min { sums[$0].sum <= sums[$1].sum }
      let sum = place == 0 ? 0 : before.map { sums[$0].sum } ?? 0
      sums.append((sum &+ count(place) &+ 64, before))
    }
    var chosen: [Int] = []
    var last = order.indices.last
    while let place = last {
      chosen.append(place)
      last = sums[place].before
    }
    chosen.sort { count($0) == count($1) ? $0 < $1 : count($0) < count($1) }
    if let rarest = order.indices.min(by: { count($0) < count($1) }), let least = chosen.first,
      count(rarest) < count(least) / 8
    {
      chosen.insert(rarest, at: 0)
    }
    return TrigramPhrase(parts: chosen.map { parts[order[$0]] }, isAtStart: isAtStart)
  }
}
