import GrammarNotation

/// The rules of a grammar's tokens, each with a recogniser of its characters.
final class TokenRules {
  private let grammar: Grammar
  private var recognisers: [String: (FlatGrammar, RecogniserTables)] = [:]
  private var known: [String: Bool] = [:]

  init(_ grammar: Grammar) { self.grammar = grammar }

  /// Whether `text` is a token of the rule `name`.
  func accepts(_ text: String, _ name: String) -> Bool {
    let key = name + " " + text
    if let known = known[key] { return known }
    guard grammar[name] != nil else { return false }
    let (flat, tables) = recogniser(name)
    let accepts = Recogniser.accepts(flat, tables, CharacterSource(text, flat, CharacterClasses.all))
    known[key] = accepts
    return accepts
  }

  /// What of the rule `text` is an example of.
  func examples(_ text: String, _ name: String) -> Set<String> {
    let (flat, tables) = recogniser(name)
    let found = Recogniser.examples(flat, tables, CharacterSource(text, flat, CharacterClasses.all)) ?? []
    return Set(found.map { flat.examples[$0] })
  }

  private func recogniser(_ name: String) -> (FlatGrammar, RecogniserTables) {
    if let found = recognisers[name] { return found }
    let flat = FlatGrammar(grammar, start: name, readsTokens: false)
    let made = (flat, RecogniserTables(flat))
    recognisers[name] = made
    return made
  }

  /// What ought to have an example in the rules of tokens.
  func allExamples() -> Set<String> {
    var all: Set<String> = []
    for rule in grammar.rules where rule.isToken { all.formUnion(recogniser(rule.name).0.examples) }
    return all
  }
}
