import GrammarNotation
import TestFixes
import Testing

@testable import PredicateLanguage

/// The parser and the grammar's recogniser agree on every line of the corpus, and every production has an example in it.
@Suite struct CorpusTests {
  static let kinds = ["predicates", "statements", "bare"]

  static func language(_ kind: String) throws -> Language {
    switch kind {
    case "predicates": try .predicates()
    case "statements": try .statements()
    default: try .bareStatements()
    }
  }

  @Test(arguments: kinds) func accepted(_ kind: String) throws {
    let language = try Self.language(kind)
    for entry in try Corpus.entries(kind, accepted: true) {
      #expect(language.refusals(entry.text) == [], "\(entry): \(entry.text)")
      #expect(language.accepts(entry.text), "\(entry): the grammar has no '\(entry.text)'")
      guard let printed = try? language.parse(entry.text) else { continue }
      #expect((try? language.parse(printed)) == printed, "\(entry): \(entry.text) prints as \(printed)")
    }
  }

  @Test(arguments: kinds) func rejected(_ kind: String) throws {
    let language = try Self.language(kind)
    for entry in try Corpus.entries(kind, accepted: false) {
      let codes = language.refusals(entry.text)
      #expect(codes.first == entry.code, "\(entry): \(entry.text)")
      if language.accepts(entry.text) {
        #expect(BeyondGrammar.excuses(codes), "\(entry): the grammar has '\(entry.text)'")
      }
    }
  }

  @Test(arguments: kinds) func noFixChangesTheMeaning(_ kind: String) throws {
    for entry in try Corpus.entries(kind, accepted: false) {
      let faults = try Self.language(kind).error(entry.text).map(FixMeaning.faults) ?? []
      #expect(faults.isEmpty, "\(entry): \(faults.joined(separator: "; "))")
    }
  }

  @Test func everyProductionHasAnExample() throws {
    var wanted: Set<String> = []
    var found: Set<String> = []
    for kind in Self.kinds {
      let language = try Self.language(kind)
      wanted.formUnion(language.flat.examples)
      for entry in try Corpus.entries(kind, accepted: true) {
        found.formUnion(language.examples(entry.text) ?? [])
      }
    }
    #expect(wanted.subtracting(found).sorted() == [], "no line of the corpus shows these")
  }

  @Test func everyTokenHasAnExample() throws {
    let rules = TokenRules(try GrammarFiles.statements())
    var found: Set<String> = []
    for kind in Self.kinds {
      for entry in try Corpus.entries(kind, accepted: true) {
        let lexed = LexedText(entry.text, allowsComments: kind != "predicates")
        for token in lexed.tokens() {
          let written = lexed.string(token)
          for name in Vocabulary.candidates(token.kind) where rules.accepts(written, name) {
            found.formUnion(rules.examples(written, name))
          }
        }
      }
    }
    let own = Set(["WORD", "STRING", "QUOTED_NAME", "INTEGER", "DECIMAL", "DATE", "TIMESTAMP"])
    let wanted = rules.allExamples().filter { example in own.contains { example.contains(" \($0) = ") } }
    #expect(wanted.subtracting(found).sorted() == [], "no line of the corpus shows these")
  }
}
