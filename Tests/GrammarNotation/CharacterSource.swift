/// Reads character by character, for rules of tokens.
package struct CharacterSource: TerminalSource {
  private let text: [Unicode.Scalar]
  private let texts: [(terminal: Int, text: [Unicode.Scalar])]
  private let classes: [(terminal: Int, contains: @Sendable (Unicode.Scalar) -> Bool)]

  /// The characters of `text`. What is described in words in the grammar is looked up in `classes`.
  package init(_ text: String, _ grammar: FlatGrammar, _ classes: [String: CharacterClass]) {
    self.text = Array(text.unicodeScalars)
    var texts: [(terminal: Int, text: [Unicode.Scalar])] = []
    var found: [(terminal: Int, contains: @Sendable (Unicode.Scalar) -> Bool)] = []
    for (number, terminal) in grammar.terminals.enumerated() {
      switch terminal {
      case .text(let text): texts.append((number, Array(text.unicodeScalars)))
      case .words(let words): if let described = classes[words] { found.append((number, described.contains)) }
      case .token, .ahead: break
      }
    }
    self.texts = texts
    self.classes = found
  }

  package func matches(at position: Int) -> [(terminal: Int, end: Int)] {
    guard position < text.count else { return [] }
    var matches: [(terminal: Int, end: Int)] = []
    for (terminal, wanted) in texts where text[position...].starts(with: wanted, by: Self.isSame) {
      matches.append((terminal, position + wanted.count))
    }
    for (terminal, contains) in classes where contains(text[position]) { matches.append((terminal, position + 1)) }
    return matches
  }

  /// Letters of the texts stand for either case.
  private static func isSame(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool {
    a == b || a.properties.lowercaseMapping == b.properties.lowercaseMapping
  }

  package func isEnd(_ position: Int) -> Bool { position == text.count }
}

/// Characters that a grammar describes in words.
package struct CharacterClass: Sendable {
  /// Whether a character is one of them.
  package var contains: @Sendable (Unicode.Scalar) -> Bool
  /// Some of them, for making texts up.
  package var samples: [String]

  /// Characters by a test, with samples.
  package init(_ samples: [String], _ contains: @escaping @Sendable (Unicode.Scalar) -> Bool) {
    self.samples = samples
    self.contains = contains
  }
}
