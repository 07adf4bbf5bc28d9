/// Trigrams at fixed distances from each other, which a string must have to contain a piece of text.
package struct TrigramPhrase: Hashable, Sendable {
  /// One trigram, and its distance from the start of the piece.
  package struct Part: Hashable, Sendable {
    package let trigram: Trigram
    package let offset: Int
  }

  /// The trigrams in lookup order.
  package let parts: [Part]
  /// Whether the piece must be at the start of the string.
  package let isAtStart: Bool

  /// The maximum number of scalars of a piece that are used.
  static let longest = 40

  /// Every trigram of a folded piece; nil for a piece too short to have any.
  ///
  /// - Returns: The phrase, and whether it covers the whole piece.
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

  /// A subset of the parts that still covers every scalar with the fewest positions by `counts`, the rarest first; and
  /// the rarest of all parts, if that excludes many more strings.
  package func chosen(by counts: [Int]) -> TrigramPhrase {
    let order = parts.indices.sorted { parts[$0].offset < parts[$1].offset }
    func count(_ place: Int) -> Int { counts.indices.contains(order[place]) ? counts[order[place]] : 0 }
    // Minimises the sum with each part as the last, and records the part before it, which is at most three scalars
    // away.
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
