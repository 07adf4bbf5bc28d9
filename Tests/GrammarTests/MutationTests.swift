import Diagnostics
import GrammarNotation
import TestSeeds
import Testing

@testable import PredicateLanguage

/// Texts made up from the grammar, and damaged lines of the corpus: the recogniser and the parser say the same of each,
/// save for what is beyond a grammar.
@Suite struct MutationTests {
  @Test(arguments: CorpusTests.kinds) func mutationsOfTheCorpus(_ kind: String) throws {
    let language = try CorpusTests.language(kind)
    let texts =
      try Corpus.entries(kind, accepted: true).map(\.text) + Corpus.entries(kind, accepted: false).map(\.text)
    let seed = testSeed()
    var mutations = Mutations(texts, allowsComments: kind != "predicates", seed: seed)
    var accepted = 0
    for _ in 0..<3_000 {
      guard let text = mutations.random.pick(texts).map({ mutations.mutation(of: $0) }) else { continue }
      let codes = language.refusals(text)
      if codes.isEmpty { accepted += 1 }
      let isInGrammar = language.accepts(text)
      if isInGrammar == codes.isEmpty || isInGrammar && BeyondGrammar.excuses(codes) { continue }
      Issue.record("seed \(seed): the parser says \(codes), the grammar \(isInGrammar ? "has" : "lacks") '\(text)'")
      return
    }
    #expect(accepted > 100, "hardly any mutation was read: seed \(seed)")
  }

  @Test(arguments: CorpusTests.kinds) func sentencesOfTheGrammarAreReadAndPrintedBack(_ kind: String) throws {
    let language = try CorpusTests.language(kind)
    let seed = testSeed()
    var maker = SentenceMaker(language.grammar, CharacterClasses.all, seed: seed)
    var read = 0
    for round in 0..<1_500 {
      let tokens = maker.sentence(language.start, depth: 20 + round % 25, length: 5 + round % 30)
      let text = tokens.joined(separator: " ")
      // What comes next is looked at by the recogniser alone, and so is what its tokens make together.
      guard language.accepts(text) else { continue }
      do {
        let printed = try language.parse(text)
        read += 1
        if (try? language.parse(printed)) == printed { continue }
        Issue.record("seed \(seed): '\(text)' prints as '\(printed)', which is not read back")
      } catch {
        if BeyondGrammar.excuses(error.diagnostics.map(\.code.name)) { continue }
        Issue.record("seed \(seed): the grammar has '\(text)', and the parser says \(error)")
      }
      return
    }
    #expect(read > 800, "hardly any sentence was read: seed \(seed)")
  }
}
