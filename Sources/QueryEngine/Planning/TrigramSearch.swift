internal import Storage

/// What is sought in a trigram index: the texts that have all of some phrases.
struct TrigramSearch: Sendable {
  let index: StoredIndex
  /// The rarest first.
  let phrases: [TrigramPhrase]
  /// The conjuncts it is about, by place in the AND.
  let answers: Set<Int>
  /// Those of them that hold for every object found.
  let exact: Set<Int>
  /// The texts for which the trigrams do not tell enough about the exact ones.
  let gaps: TrigramGaps
  /// What is asked of those texts.
  let asked: [Filter]
  /// About what it finds and takes.
  let expected: TrigramSample

  /// `["ala", "ska"]`; `^` stands before what begins a text and `$` after what ends it.
  var description: String { "[\(phrases.map(Self.text).joined(separator: ", "))]" }

  private static func text(_ phrase: TrigramPhrase) -> String {
    let parts = phrase.parts.sorted { $0.offset < $1.offset }.map { part in
      let scalars = part.trigram.scalars
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
      let start = phrase.isAtStart && part.offset == 0 ? "^" : ""
      return start + IntervalText.text(Array(String(text).utf8)) + (scalars.last == Trigram.end ? "$" : "")
    }
    return parts.joined(separator: ", ")
  }
}
