import GrammarNotation

@testable import PredicateLanguage

/// Damages a text by tokens: one is deleted, doubled, swapped with the next, or one of another text put in.
struct Mutations {
  var random: SeededNumbers
  private let allowsComments: Bool
  /// Tokens of all texts, as a stock to take from.
  private var stock: [String] = []

  init(_ texts: [String], allowsComments: Bool, seed: UInt64) {
    random = SeededNumbers(seed: seed)
    self.allowsComments = allowsComments
    var all: Set<String> = []
    for text in texts { all.formUnion(Self.tokens(text, allowsComments)) }
    stock = all.sorted()
  }

  private static func tokens(_ text: String, _ allowsComments: Bool) -> [String] {
    let lexed = LexedText(text, allowsComments: allowsComments)
    return lexed.tokens().map { lexed.string($0) }
  }

  /// The text with one to three places changed. Its tokens then stand apart, or sometimes as they stood.
  mutating func mutation(of text: String) -> String {
    var tokens = Self.tokens(text, allowsComments)
    for _ in 0...max(random.below(4) - 1, 0) where !tokens.isEmpty {
      let place = random.below(tokens.count)
      switch random.below(5) {
      case 0: tokens.remove(at: place)
      case 1: tokens.insert(tokens[place], at: place)
      case 2: if place + 1 < tokens.count { tokens.swapAt(place, place + 1) }
      case 3: if let other = random.pick(stock) { tokens.insert(other, at: place) }
      default: if let other = random.pick(stock) { tokens[place] = other }
      }
    }
    let separator = random.below(8) == 0 ? "" : " "
    return tokens.joined(separator: separator)
  }
}
