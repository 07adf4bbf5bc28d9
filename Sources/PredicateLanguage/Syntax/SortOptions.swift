internal import Diagnostics

/// How a sort compares texts: `SORT(name[cd numeric])`. Without options it compares their UTF-8 bytes.
///
/// Texts that are equal under the options are a tie, and ties keep the order they had.
///
/// ```swift
/// let people = store.objects(Person.self).sorted(by: \.name, options: [.caseInsensitive, .numeric])
/// ```
public struct SortOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt8
  /// Options by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// `[c]`: full Unicode case folding, so `b` stands between `A` and `C`.
  public static let caseInsensitive = SortOptions(rawValue: 1)
  /// `[d]`: nonspacing marks removed after canonical decomposition, so `é` is where `e` is.
  public static let diacriticInsensitive = SortOptions(rawValue: 2)
  /// `[numeric]`: runs of the digits 0 to 9 compared as numbers, so `file 9` comes before `file 10`. Leading zeros do not
  /// count: `7` and `007` are equal.
  public static let numeric = SortOptions(rawValue: 4)
}

extension SortOptions {
  /// The option that a misspelt word stands for; nil if it resembles none.
  package static func nearest(to word: String) -> String? { Suggestion.nearest(to: word, among: ["numeric"]) }

  /// The options, for a message about an unknown one.
  package static let explanation = "the options are c (case), d (diacritics) and numeric (digits as numbers)"

  /// The content of the brackets: letters and `numeric`, separated by blanks, by single commas, or not at all. Returns
  /// nil for any other text. `n` changes nothing, as in comparisons.
  package init?(spelling: some StringProtocol) {
    self = []
    for part in spelling.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
      guard !words.isEmpty else { return nil }
      for word in words {
        guard let options = SortOptions(word: word) else { return nil }
        formUnion(options)
      }
    }
  }

  /// A word of the brackets; nil if it is not made of options.
  package init?(word: some StringProtocol) {
    self = []
    var letters = word.lowercased()
    if letters.hasSuffix("numeric") {
      insert(.numeric)
      letters.removeLast("numeric".count)
    }
    for letter in letters {
      switch letter {
      case "c": insert(.caseInsensitive)
      case "d": insert(.diacriticInsensitive)
      case "n": break
      default: return nil
      }
    }
  }

  /// The options in their brackets, as they are read back; nothing where there are none.
  package var spelling: String {
    let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    let words = [letters, contains(.numeric) ? "numeric" : ""].filter { !$0.isEmpty }
    return words.isEmpty ? "" : "[\(words.joined(separator: " "))]"
  }
}
