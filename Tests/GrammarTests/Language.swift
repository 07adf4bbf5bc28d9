import Diagnostics
import GrammarNotation

@testable import PredicateLanguage

/// One of the languages twice: as its grammar's recogniser, and as the parser written by hand.
final class Language {
  let grammar: Grammar
  let flat: FlatGrammar
  let rules: TokenRules
  private let tables: RecogniserTables
  private let vocabulary: Vocabulary
  /// Reads a text and prints it; the codes of the errors when that fails.
  let parse: (String) throws(DiagnosticError) -> String
  let start: String

  init(
    _ grammar: Grammar, start: String, allowsComments: Bool,
    parse: @escaping (String) throws(DiagnosticError) -> String
  ) {
    self.grammar = grammar
    self.start = start
    self.parse = parse
    rules = TokenRules(grammar)
    flat = FlatGrammar(grammar, start: start, readsTokens: true)
    tables = RecogniserTables(flat)
    vocabulary = Vocabulary(flat, rules, allowsComments: allowsComments)
  }

  /// What `filter("…")` takes.
  static func predicates() throws -> Language {
    Language(try GrammarFiles.grammar("Predicate"), start: "filter", allowsComments: false) {
      text throws(DiagnosticError) in try PredicateParser.filter(text).predicateFormat
    }
  }

  /// Statements.
  static func statements() throws -> Language {
    Language(try GrammarFiles.statements(), start: "statement", allowsComments: true) {
      text throws(DiagnosticError) in try StatementParser.statement(text).description
    }
  }

  /// Statements where an entity has been chosen, as by `.use Quake`.
  static func bareStatements() throws -> Language {
    Language(try GrammarFiles.statements(), start: "bare_statement", allowsComments: true) {
      text throws(DiagnosticError) in try StatementParser.statement(text, defaultEntity: "Quake").description
    }
  }

  /// Whether the grammar has the text.
  func accepts(_ text: String) -> Bool { Recogniser.accepts(flat, tables, TokenSource(text, vocabulary)) }

  /// What of the grammar the text is an example of; nil when the grammar does not have it.
  func examples(_ text: String) -> Set<String>? {
    guard let found = Recogniser.examples(flat, tables, TokenSource(text, vocabulary)) else { return nil }
    return Set(found.map { flat.examples[$0] })
  }

  /// What the parser says against a text; nil when it reads it.
  func error(_ text: String) -> DiagnosticError? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return error
    }
  }

  /// The codes of what the parser says against a text; none when it reads it.
  func refusals(_ text: String) -> [String] { error(text)?.diagnostics.map(\.code.name) ?? [] }
}
