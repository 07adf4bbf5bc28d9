import GrammarNotation

@testable import PredicateLanguage

/// Feeds the tokens of the real lexer to the recogniser.
///
/// Tokens and not characters, because where a token ends (longest match, `5.` before a name, a selector before its
/// parenthesis, comments) is no matter of a context-free grammar, and is the one thing the parser and the recogniser
/// may share. What a token is made of is checked apart, character by character, against the rules in capitals.
struct TokenSource: TerminalSource {
  private let text: LexedText
  private let vocabulary: Vocabulary
  private var known: [Int: [(terminal: Int, end: Int)]] = [:]

  init(_ text: String, _ vocabulary: Vocabulary) {
    self.text = LexedText(text, allowsComments: vocabulary.allowsComments)
    self.vocabulary = vocabulary
  }

  mutating func matches(at position: Int) -> [(terminal: Int, end: Int)] {
    if let matches = known[position] { return matches }
    let matches = vocabulary.terminals(text.token(at: position), in: text)
    known[position] = matches
    return matches
  }

  mutating func isEnd(_ position: Int) -> Bool { text.token(at: position).kind == .end }
}

/// A text and the lexer on it.
final class LexedText {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let allowsComments: Bool

  init(_ text: String, allowsComments: Bool) {
    let utf8 = Array(text.utf8)
    bytes = .allocate(capacity: utf8.count + 1)
    _ = bytes.initialize(from: utf8 + [0])
    self.allowsComments = allowsComments
  }

  deinit { bytes.deallocate() }

  /// The token at a place or after the blanks there.
  func token(at position: Int) -> Token {
    guard let base = bytes.baseAddress else { return Token(kind: .end, keyword: nil, flag: false, start: 0, end: 0) }
    var lexer = Lexer(base, count: bytes.count - 1, allowsComments: allowsComments)
    lexer.position = position
    return lexer.next()
  }

  /// All tokens but the end.
  func tokens() -> [Token] {
    var tokens: [Token] = []
    var position = 0
    while case let token = token(at: position), token.kind != .end {
      tokens.append(token)
      position = token.end
    }
    return tokens
  }

  func string(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  func string(_ token: Token) -> String { string(token.start, token.end) }

  /// The end of the letters, digits and minuses from a place on.
  func endOfWordsAndMinuses(_ start: Int) -> Int {
    var end = start
    while end < bytes.count - 1, Lexer.continuesWord(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
    return end
  }
}

/// Which terminals of a grammar a token of the lexer can be.
final class Vocabulary {
  let allowsComments: Bool
  private let rules: TokenRules
  private var texts: [String: [Int]] = [:]
  private var tokens: [String: Int] = [:]

  init(_ grammar: FlatGrammar, _ rules: TokenRules, allowsComments: Bool) {
    self.rules = rules
    self.allowsComments = allowsComments
    for (number, terminal) in grammar.terminals.enumerated() {
      switch terminal {
      case .text(let text): texts[Self.spelling(text), default: []].append(number)
      case .token(let name): tokens[name] = number
      case .words, .ahead: break
      }
    }
  }

  /// Letter case counts in formats alone: `%K` is no `%k`.
  private static func spelling(_ text: String) -> String { text.hasPrefix("%") ? text : text.lowercased() }

  /// The rules in capitals that a token of a kind may belong to; the first that fits is it.
  static func candidates(_ kind: Token.Kind) -> [String] {
    switch kind {
    case .word: ["WORD"]
    case .escapedName: ["ESCAPED_NAME"]
    case .quotedName: ["QUOTED_NAME"]
    case .string: ["STRING"]
    case .base64String: ["BASE64"]
    case .integer: ["INTEGER"]
    case .decimal: ["DECIMAL"]
    case .date: ["DATE"]
    case .timestamp: ["TIMESTAMP"]
    case .dollarArgument: ["POSITION", "KEY_POSITION", "VARIABLE"]
    case .colonArgument: ["COLON_NAME"]
    default: []
    }
  }

  func terminals(_ token: Token, in text: LexedText) -> [(terminal: Int, end: Int)] {
    var found: [(terminal: Int, end: Int)] = []
    func add(_ name: String, _ end: Int) { if let number = tokens[name] { found.append((number, end)) } }
    if token.kind == .end {
      add("END", token.end)
      return found
    }
    let written = text.string(token)
    switch token.kind {
    case .string, .quotedName, .base64String: break
    default: for number in texts[Self.spelling(written)] ?? [] { found.append((number, token.end)) }
    }
    switch token.kind {
    case .integer, .decimal:
      if token.flag {
        // A unit right behind a number.
        let unit = text.token(at: token.end)
        if unit.kind == .word, rules.accepts(text.string(token.start, unit.end), "LENGTH") { add("LENGTH", unit.end) }
      } else if let name = rule(of: token, written) {
        add(name, token.end)
      }
    case .date: if !token.flag, let name = rule(of: token, written) { add(name, token.end) }
    case .word:
      add("WORD", token.end)
      for name in ["OPTIONS", "PATTERN_OPTIONS", "SORT_OPTIONS", "CAPITAL"] where tokens[name] != nil {
        if rules.accepts(written, name) { add(name, token.end) }
      }
    case .colonArgument:
      // In JSON a colon may stand right before a word.
      for colon in texts[":"] ?? [] { found.append((colon, token.start + 1)) }
      add("COLON_NAME", token.end)
    default: if let name = rule(of: token, written) { add(name, token.end) }
    }
    // Digits and letters of a UUID without quotes, which are numbers, names and minuses to the lexer.
    if tokens["UUID"] != nil {
      let end = text.endOfWordsAndMinuses(token.start)
      if end - token.start == 36, rules.accepts(text.string(token.start, end), "UUID") { add("UUID", end) }
    }
    return found
  }

  private func rule(of token: Token, _ written: String) -> String? {
    Self.candidates(token.kind).first { rules.accepts(written, $0) }
  }
}
