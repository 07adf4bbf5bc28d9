internal import Storage

/// A search in a trigram index: the strings that contain all of some phrases.
struct TrigramSearch: IndexSearch {
  static let names = (node: "Trigram", found: "trigrams")

  let index: StoredIndex
  /// The phrases, the rarest first.
  let phrases: [TrigramPhrase]
  let answers: Set<Int>
  let exact: Set<Int>
  /// The kinds of irregular strings that must be checked.
  let gaps: TrigramGaps
  /// The filters that check these strings.
  let asked: [any Filter]
  /// The estimated results and work.
  let expected: TrigramSample

  var rows: Double { expected.texts }
  var clusters: Double { expected.clusters }
  var cost: Double { expected.places * CostModel.trigramPlace }

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

extension CostModel {
  /// The cost of reading one position of a trigram and comparing it with others.
  ///
  /// Measured with twenty strings, from one that never occurs to one that nearly always does, among 300,000 places of
  /// earthquakes and among their days: 3 ns for a position of a single trigram, 4 to 6 if several are compared, 40 for
  /// the next cluster of a trigram and 400 for one that is looked up in the tree. Scans took 0.9 to 1.2 times the cost
  /// of the model.
  static let trigramPlace = 3.0
}
