import Testing

@testable import PredicateLanguage

/// `Grammar/*.ebnf` and the lexer's tables name the same words and symbols.
@Suite struct GrammarTests {
  private static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Grammar"

  @Test func everyKeywordIsInTheGrammarAndBack() throws {
    let terminals = try terminals("Predicate") + terminals("Statement")
    let words = Set(terminals.filter { $0.utf8.allSatisfy(Lexer.startsWord) }.map { $0.uppercased() })
    let keywords = Set(Keyword.allCases.map { $0.rawValue.uppercased() })
    let others = Set(
      (FunctionTable.all.map(\.name) + FunctionTable.constructs + Array(Parser.collectionOperators.keys)
        + Array(Parser.formats)).map { $0.uppercased() })
    #expect(keywords.subtracting(words).sorted() == [], "keywords that the grammar lacks")
    #expect(words.subtracting(keywords).subtracting(others).sorted() == [], "words that the lexer does not know")
  }

  @Test func everySymbolIsInTheGrammarAndBack() throws {
    let terminals = try terminals("Predicate") + terminals("Statement")
    // Parts of tokens: prefixes of numbers, data and keys.
    let parts: Set<String> = ["0x", "0o", "0b", "B64", "%K", "$K", "'", "\""]
    let symbols = Set(terminals.filter { !$0.utf8.contains(where: Lexer.startsWord) }).subtracting(parts)
    #expect(Set(Token.symbols).subtracting(symbols).sorted() == [], "symbols that the grammar lacks")
    #expect(symbols.subtracting(Token.symbols).sorted() == [], "symbols that the lexer does not know")
  }

  @Test func theLexerReadsEverySymbolAsOneToken() {
    for symbol in Token.symbols where !["#", "`", "@", "$", "%"].contains(symbol) {
      var text = symbol
      text.withUTF8 { utf8 in
        guard let base = utf8.baseAddress else { return }
        var lexer = Lexer(base, count: utf8.count, allowsComments: false)
        let token = lexer.next()
        #expect(token.end == utf8.count && token.kind != .invalid, "\(symbol)")
      }
    }
  }

  @Test func everyFunctionIsInTheGrammarAndBack() throws {
    let grammar = try #require(GoldenScript.read(Self.folder + "/Predicate.ebnf"))
    let rules = try rules(grammar)
    #expect(Set(rules["FUNCTION_NAME"] ?? []) == Set(FunctionTable.all.map(\.name)))
    #expect(Set(rules["FORMAT"] ?? []) == Parser.formats)
    #expect(
      Set((rules["COLLECTION_OPERATOR"] ?? []).map { $0.lowercased() })
        == Set(Parser.collectionOperators.keys).subtracting(["average", "allkeys", "allvalues"]))
  }

  @Test func everyRuleUsedIsDefined() throws {
    let predicate = try #require(GoldenScript.read(Self.folder + "/Predicate.ebnf"))
    let statement = try #require(GoldenScript.read(Self.folder + "/Statement.ebnf"))
    var defined: Set<String> = []
    var used: Set<String> = []
    for token in try Self.tokens(predicate) + Self.tokens(statement) {
      if case .definition(let name) = token { defined.insert(name) }
      if case .reference(let name) = token { used.insert(name) }
    }
    #expect(used.subtracting(defined).sorted() == [])
    #expect(defined.subtracting(used).subtracting(["filter", "script", "COMMENT"]).sorted() == [])
  }

  // MARK: Reading the notation

  private enum Piece {
    case definition(String)
    case reference(String)
    case terminal(String)
  }

  private func terminals(_ file: String) throws -> [String] {
    let text = try #require(GoldenScript.read("\(Self.folder)/\(file).ebnf"))
    return try Self.tokens(text).compactMap { if case .terminal(let text) = $0 { text } else { nil } }
  }

  /// The terminals of every rule.
  private func rules(_ text: String) throws -> [String: [String]] {
    var rules: [String: [String]] = [:]
    var current = ""
    for piece in try Self.tokens(text) {
      switch piece {
      case .definition(let name): current = name
      case .terminal(let text): rules[current, default: []].append(text)
      case .reference: break
      }
    }
    return rules
  }

  private static func tokens(_ text: String) throws -> [Piece] {
    var pieces: [Piece] = []
    let characters = Array(text)
    var index = 0
    func upTo(_ end: Character) throws -> String {
      let start = index
      while index < characters.count, characters[index] != end { index += 1 }
      try #require(index < characters.count, "nothing closes what is open at \(start)")
      index += 1
      return String(characters[start..<index - 1])
    }
    while index < characters.count {
      let character = characters[index]
      if character == "(", index + 1 < characters.count, characters[index + 1] == "*" {
        while index + 1 < characters.count,
          characters[index] != "*" || characters[index + 1] != ")" || pieces.isEmpty && index == 0
        {
          index += 1
        }
        index += 2
      } else if character == "\"" || character == "'" {
        index += 1
        pieces.append(.terminal(try upTo(character)))
      } else if character == "?" {
        index += 1
        _ = try upTo("?")
      } else if character.isLetter {
        let start = index
        while index < characters.count,
          characters[index].isLetter || characters[index].isNumber || characters[index] == "_"
        {
          index += 1
        }
        let name = String(characters[start..<index])
        var next = index
        while next < characters.count, characters[next].isWhitespace { next += 1 }
        pieces.append(next < characters.count && characters[next] == "=" ? .definition(name) : .reference(name))
      } else {
        index += 1
      }
    }
    return pieces
  }
}
