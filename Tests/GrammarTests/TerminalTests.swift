import GrammarNotation
import TestSeeds
import Testing

@testable import PredicateLanguage

/// The grammars and the tables of lexer and parser name the same words and symbols, both ways.
@Suite struct TerminalTests {
  /// The terminals of all rules but those of tokens.
  private static func terminals() throws -> Set<String> {
    var found: Set<String> = []
    for rule in try GrammarFiles.statements().rules where !rule.isToken {
      for case .text(let text) in rule.pattern.all { found.insert(text) }
    }
    return found
  }

  private static func isWord(_ text: String) -> Bool { text.utf8.allSatisfy(Lexer.startsWord) }

  @Test func words() throws {
    let words = Set(try Self.terminals().filter(Self.isWord).map { $0.uppercased() })
    let keywords = Set(Keyword.allCases.map { $0.rawValue.uppercased() })
    let functions = FunctionTable.all.map(\.name) + FunctionTable.constructs + Parser.units
    let others = Set((functions + SchemaWord.allCases.map(\.rawValue)).map { $0.uppercased() })
    #expect(keywords.subtracting(words).sorted() == [], "keywords that the grammar lacks")
    #expect(words.subtracting(keywords).subtracting(others).sorted() == [], "words that the lexer does not know")
    #expect(others.filter { Self.isWord($0) }.subtracting(words).sorted() == [], "functions that the grammar lacks")
  }

  /// What a reader can write is on the page of the language.
  @Test func everyWordIsDocumented() throws {
    let source = GrammarFiles.folder + "/../Sources/ObjectStore/ObjectStore.docc/QueryLanguage.md"
    let page = try #require(GrammarFiles.read(source))
    var terminals: Set<String> = []
    for rule in try GrammarFiles.grammar("Predicate").rules {
      for case .text(let text) in rule.pattern.all { terminals.insert(text) }
    }
    // Words of statements, which are reserved in predicates.
    let others: Set = ["SELECT", "WHERE", "HAVING", "GROUP", "BY", "SECTIONS"]
    let missing = terminals.subtracting(others).filter { text in
      // One colon may end any function.
      let name = text.last == ":" && text.dropLast().allSatisfy(\.isLetter) ? String(text.dropLast()) : text
      return name.utf8.count > 1 && name.utf8.contains(where: Lexer.startsWord) && !page.contains(name)
    }
    #expect(missing.sorted() == [])
  }

  @Test func reservedWords() throws {
    let grammar = try GrammarFiles.grammar("Predicate")
    var reserved: Set<String> = []
    func collect(_ pattern: Pattern) {
      for part in pattern.all {
        if case .text(let text) = part { reserved.insert(text.uppercased()) }
        if case .rule(let name) = part, let rule = grammar[name] { collect(rule.pattern) }
      }
    }
    collect(.rule("reserved"))
    #expect(reserved == Set(Keyword.allCases.filter(\.isReserved).map { $0.rawValue.uppercased() }))
  }

  @Test func symbols() throws {
    let symbols = try Self.terminals().filter { !$0.utf8.contains(where: Lexer.startsWord) && $0 != "%@" }
    // Signs that only start tokens are in the rules of tokens.
    let wanted = Set(Token.symbols).subtracting(["#", "`", "@", "$", "%"])
    #expect(wanted.subtracting(symbols).sorted() == [], "symbols that the grammar lacks")
    #expect(symbols.subtracting(wanted).sorted() == [], "symbols that the lexer does not know")
  }

  @Test func theLexerReadsEverySymbolAsOneToken() {
    for symbol in Token.symbols where !["#", "`", "@", "$", "%"].contains(symbol) {
      let token = LexedText(symbol, allowsComments: false).token(at: 0)
      #expect(token.end == symbol.utf8.count && token.kind != .invalid, "\(symbol)")
    }
  }

  private func alternatives(_ names: String...) throws -> Set<String> {
    let grammar = try GrammarFiles.statements()
    return Set(
      names.flatMap { name in
        grammar[name]?.pattern.all.compactMap { if case .text(let text) = $0 { text } else { nil } } ?? []
      })
  }

  @Test func functionsByTheNumberOfTheirArguments() throws {
    func names(_ arity: ClosedRange<Int>, colon: Bool) -> Set<String> {
      let names = FunctionTable.all.filter { $0.arity == arity }.map(\.name)
      return Set(names + (colon ? names.map { $0 + ":" } : []))
    }
    #expect(try alternatives("function_of_none") == names(0...0, colon: false))
    #expect(try alternatives("function_of_one") == names(1...1, colon: true))
    #expect(try alternatives("function_of_one_or_two") == names(1...2, colon: true))
    #expect(try alternatives("function_of_two_or_three") == names(2...3, colon: false))
    #expect(try alternatives("function_of_three") == names(3...3, colon: false))
    #expect(try alternatives("function_of_two") == names(2...2, colon: false))
    #expect(try alternatives("function_of_many") == names(1...Int.max, colon: true))
    #expect(try alternatives("function_of_several") == names(2...Int.max, colon: false))
  }

  @Test func formatsAndCollectionOperators() throws {
    #expect(try alternatives("format") == Set(Parser.formats.map { "%" + $0 }))
    #expect(
      Set(try alternatives("collection_operator").map { $0.lowercased() })
        == Set(Parser.collectionOperators.keys.map { "@" + $0 }))
    #expect(
      try alternatives("clause_word") == Set(Keyword.allCases.filter(\.startsClause).map(\.rawValue)),
      "the words that start a clause")
  }

  @Test func everyRuleIsDefinedOnceAndUsed() throws {
    let grammar = try GrammarFiles.statements()
    let names = grammar.rules.map(\.name)
    #expect(Set(names).count == names.count, "a rule is there twice")
    var used: Set<String> = []
    var open = ["filter", "script", "bare_statement", "COMMENT"]
    while let name = open.popLast() {
      guard used.insert(name).inserted else { continue }
      for case .rule(let next) in try #require(grammar[name], "no rule \(name)").pattern.all { open.append(next) }
    }
    #expect(Set(names).subtracting(used).sorted() == [], "rules that nothing leads to")
  }

  @Test func tokensMadeUpFromTheirRulesAreReadAsOne() throws {
    let grammar = try GrammarFiles.statements()
    let seed = testSeed()
    var maker = SentenceMaker(grammar, CharacterClasses.all, seed: seed)
    let kinds: [Token.Kind] = [
      .word, .escapedName, .quotedName, .string, .base64String, .integer, .decimal, .date, .timestamp, .dollarArgument,
      .colonArgument,
    ]
    for kind in kinds {
      for name in Vocabulary.candidates(kind) {
        for _ in 0..<100 {
          let text = maker.sentence(name, depth: 12).joined()
          let token = LexedText(text, allowsComments: false).token(at: 0)
          #expect(token.kind == kind && token.end == text.utf8.count, "seed \(seed): \(name) '\(text)'")
        }
      }
    }
  }
}
