internal import Storage

/// A search in a trigram index: the strings that contain all of some phrases.
struct TrigramSearch: Sendable {
  let index: StoredIndex
  /// The phrases, the rarest first.
  let phrases: [TrigramPhrase]
  /// The positions in the AND of the conjuncts that the search answers.
  let answers: Set<Int>
  /// The answered conjuncts that hold for every object found.
  let exact: Set<Int>
  /// The kinds of irregular strings that must be checked.
  let gaps: TrigramGaps
  /// The filters that check these strings.
  let asked: [Filter]
  /// The estimated results and work.
  let expected: TrigramSample

  /// A description: `["ala", "ska"]`; `^` marks the beginning of a string and `$` its end.
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
