import Foundation
import PredicateLanguage
import TestSeeds
import Testing

/// Random filters printed and read back: the same tree, the same text.
struct PrintingTests {
  @Test func whatIsPrintedReadsBackEqual() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    for _ in 0..<250 {
      let store = RandomStore.make(objects: 0, &random)
      for _ in 0..<20 {
        var maker = QueryMaker(store: store, random: OracleRandom(seed: random.next()))
        let filter = maker.make().filter
        let text = filter.predicateFormat
        let again = try PredicateParser.filter(text)
        // NaN is not equal to itself, so a tree with one is compared by its text alone.
        let isSame = again.predicateFormat == text && (again == filter || text.contains("nan"))
        #expect(isSame, "SEED=\(seed)\n\(text)\n\(again.predicateFormat)\n\(again)\n\(filter)")
        if !isSame { return }
      }
    }
  }
}
