internal import Storage

/// A search in a trigram index: the strings that contain all of some phrases.
struct TrigramSearch: Sendable {
  let index: StoredIndex
  /// The rarest first.
  let phrases: [TrigramPhrase]
  /// The conjuncts it answers, by their position in the AND.
  let answers: Set<Int>
  /// Those of them that hold for every object found.
  let exact: Set<Int>
  /// The kinds of irregular strings that must be checked.
  let gaps: TrigramGaps
  /// The filters for these strings.
  let asked: [Filter]
  /// Estimated results and work.
  let expected: TrigramSample

  /// `["ala", "ska"]`; `^` marks the beginning of a string and `$` its end.
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
