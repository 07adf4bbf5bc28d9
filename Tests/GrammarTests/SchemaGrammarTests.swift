import Diagnostics
import GrammarNotation
import TestSeeds
import Testing

@testable import Schema

/// `Grammar/Schema.ebnf` against the lexer and the parser of schema text.
@Suite struct SchemaGrammarTests {
  private final class Schemas {
    let grammar: Grammar
    let flat: FlatGrammar
    let tables: RecogniserTables
    let rules: TokenRules

    init() throws {
      grammar = try GrammarFiles.grammar("Schema")
      flat = FlatGrammar(grammar, start: "schema", readsTokens: true)
      tables = RecogniserTables(flat)
      rules = TokenRules(grammar)
    }

    func accepts(_ text: String) -> Bool { Recogniser.accepts(flat, tables, SchemaSource(text, flat)) }

    func examples(_ text: String) -> Set<String> {
      Set((Recogniser.examples(flat, tables, SchemaSource(text, flat)) ?? []).map { flat.examples[$0] })
    }

    func refusals(_ text: String) -> [String] {
      do {
        _ = try SchemaText.parse(text)
        return []
      } catch {
        return error.diagnostics.map(\.code.name)
      }
    }
  }

  /// What the parser or the look-up of names refuses and no context-free grammar can say, by error code.
  private static let beyondGrammar: Set<String> = [
    // Names: what they stand for, and whether they are there once.
    "unknown-type", "unknown-property", "unknown-inverse", "wrong-root", "duplicate-name", "name-in-use",
    "reserved-name",
    "invalid-name", "duplicate-index", "no-models", "no-properties",
    // Types: which go together with which defaults, attributes and indexes.
    "no-type", "wrong-default", "wrong-index", "wrong-attribute", "missing-inverse", "link-not-optional",
    "optional-collection", "unsupported-element", "dictionary-key", "link-in-embedded", "index-of-embedded",
    "self-embedding", "attribute-of-several", "default-not-constant",
    // How much, and how deep.
    "too-many-columns", "nesting", "integer-overflow", "invalid-escape",
  ]

  @Test func everyRuleIsDefinedOnceAndUsed() throws {
    let grammar = try Schemas().grammar
    let names = grammar.rules.map(\.name)
    #expect(Set(names).count == names.count, "a rule is there twice")
    var used: Set<String> = []
    var open = ["schema", "COMMENT"]
    while let name = open.popLast() {
      guard used.insert(name).inserted else { continue }
      for case .rule(let next) in try #require(grammar[name], "no rule \(name)").pattern.all { open.append(next) }
    }
    #expect(Set(names).subtracting(used).sorted() == [], "rules that nothing leads to")
  }

  @Test func theWordsAreThoseOfTheTables() throws {
    let grammar = try Schemas().grammar
    func texts(_ name: String) -> Set<String> {
      Set(grammar[name]?.pattern.all.compactMap { if case .text(let text) = $0 { text } else { nil } } ?? [])
    }
    for scalar in texts("scalar") { #expect(ScalarType(swiftName: scalar) != nil, "\(scalar)") }
    #expect(Set(ScalarType.allCases.map(\.rawValue)).subtracting(texts("scalar")).sorted() == [])
    #expect(texts("modifier").subtracting(SwiftWords.modifiers).sorted() == [])
    #expect(texts("role") == ["entity", "embedded"])
    for kind in texts("index_kind") { #expect(IndexKind(attribute: kind) != nil, "\(kind)") }
    let deleteRules = texts("attribute").filter { DeleteRule(rawValue: $0) != nil }
    #expect(deleteRules == Set(["nullify", "cascade", "deny"]))
  }

  @Test func acceptedTextsAreReadAndShowEveryProduction() throws {
    let schemas = try Schemas()
    var found: Set<String> = []
    for entry in try Corpus.entries("schema", accepted: true) {
      #expect(schemas.refusals(entry.text) == [], "\(entry): \(entry.text)")
      #expect(schemas.accepts(entry.text), "\(entry): the grammar has no '\(entry.text)'")
      found.formUnion(schemas.examples(entry.text))
      // What is printed is of the grammar too.
      if let schema = try? SchemaText.parse(entry.text) {
        let printed = SchemaText.print(schema)
        #expect(schemas.accepts(printed), "\(entry): the grammar has no '\(printed)'")
      }
    }
    #expect(Set(schemas.flat.examples).subtracting(found).sorted() == [], "no line of the corpus shows these")
  }

  @Test func rejectedTextsAreRefused() throws {
    let schemas = try Schemas()
    for entry in try Corpus.entries("schema", accepted: false) {
      let codes = schemas.refusals(entry.text)
      #expect(codes.first == entry.code, "\(entry): \(entry.text)")
      if schemas.accepts(entry.text) {
        #expect(codes.contains(where: Self.beyondGrammar.contains), "\(entry): the grammar has '\(entry.text)'")
      }
    }
  }

  /// The parser passes over what is no declaration of a model, so that it may read what the grammar lacks; but what the
  /// grammar has, it reads.
  @Test func damagedTextsOfTheGrammarAreRead() throws {
    let schemas = try Schemas()
    let texts = try Corpus.entries("schema", accepted: true).map(\.text)
    let seed = testSeed()
    var random = SeededNumbers(seed: seed)
    let pieces = texts.map(SchemaSource.pieces)
    let stock = Set(pieces.joined()).sorted()
    for _ in 0..<1_000 {
      guard var tokens = random.pick(pieces), !tokens.isEmpty else { continue }
      let place = random.below(tokens.count)
      switch random.below(4) {
      case 0: tokens.remove(at: place)
      case 1: tokens.insert(tokens[place], at: place)
      case 2: tokens[place] = random.pick(stock) ?? ""
      default: tokens.insert(random.pick(stock) ?? "", at: place)
      }
      let text = tokens.joined(separator: " ")
      let codes = schemas.refusals(text)
      if codes.isEmpty || codes.contains(where: Self.beyondGrammar.contains) || !schemas.accepts(text) { continue }
      Issue.record("seed \(seed): the grammar has '\(text)', and the parser says \(codes)")
      return
    }
  }
}

/// Feeds the tokens of the schema lexer to the recogniser.
private struct SchemaSource: TerminalSource {
  private let tokens: [SchemaToken]
  /// Whether a string, a name or a comment is not closed, or an escape unknown.
  private let isDamaged: Bool
  private var texts: [String: Int] = [:]
  private var names: [String: Int] = [:]

  init(_ text: String, _ grammar: FlatGrammar) {
    let lexed = SchemaLexer.tokens(of: text)
    tokens = lexed.tokens
    isDamaged = !lexed.diagnostics.isEmpty
    for (number, terminal) in grammar.terminals.enumerated() {
      switch terminal {
      case .text(let text): texts[text] = number
      case .token(let name): names[name] = number
      case .words, .ahead: break
      }
    }
  }

  func matches(at position: Int) -> [(terminal: Int, end: Int)] {
    var found: [(terminal: Int, end: Int)] = []
    func add(_ terminal: Int?) { if let terminal { found.append((terminal, position + 1)) } }
    if isDamaged { return [] }
    if tokens[position].startsLine { add(names["LINE"]) }
    switch tokens[position].kind {
    case .word(let word, let escaped):
      if !escaped { add(texts[word]) }
      if escaped || !SwiftWords.reserved.contains(word) { add(names["NAME"]) }
    case .string: add(names["STRING"])
    case .integer: add(names["INTEGER"])
    case .number: add(names["DECIMAL"])
    case .mark(let scalar): add(texts[String(scalar)])
    case .otherString, .end: break
    }
    return found
  }

  func isEnd(_ position: Int) -> Bool { !isDamaged && tokens[position].kind == .end }

  /// The texts of the tokens.
  static func pieces(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return SchemaLexer.tokens(of: text).tokens.compactMap { token in
      guard token.kind != .end else { return nil }
      return String(decoding: bytes[token.range.lowerBound..<token.range.upperBound], as: UTF8.self)
    }
  }
}
