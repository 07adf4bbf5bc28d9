import Foundation
import PredicateLanguage
import Schema
import Storage
import Testing

/// Random statements about groups, sections and plain rows over random stores: every plan must show what the oracle
/// shows, in order.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length: 500 unless told.
struct RowDifferentialTests {
  /// What was asked, so that a test shows what it has tried.
  private struct Coverage {
    var answered = 0, refused = 0, doubted = 0, groups = 0, sections = 0, rows = 0
    var asked: Int { answered + refused + doubted }
  }

  @Test func everyPlanShowsWhatTheOracleShows() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)
    let queries = environment["QUERIES"].flatMap(Int.init) ?? 500
    var coverage = Coverage()
    let failure = try Self.run(queries: queries, seed: seed, &coverage)
    print(
      "RowDifferentialTests: SEED=\(seed) \(coverage.answered) answered (\(coverage.groups) grouped, "
        + "\(coverage.sections) in sections, \(coverage.rows) rows), \(coverage.refused) refused")
    if let failure { Issue.record("SEED=\(seed)\n\(failure)") }
  }

  /// The comparison notices an oracle that is wrong, whichever way.
  @Test(arguments: RowOracle.Mistake.allCases)
  func aPlantedMistakeIsNoticed(mistake: RowOracle.Mistake) throws {
    var coverage = Coverage()
    #expect(try Self.run(queries: 8000, seed: 1, &coverage, mistake) != nil, "nothing was noticed")
  }

  private static func run(
    queries: Int, seed: UInt64, _ coverage: inout Coverage, _ mistake: RowOracle.Mistake? = nil
  ) throws -> String? {
    var random = OracleRandom(seed: seed)
    while coverage.asked < queries {
      let store = RandomStore.make(objects: random.pick([0, 3, 12, 40, 40, 300]), &random)
      let written = try WrittenStore(store)
      let failure: String? = try written.file.read { snapshot -> String? in
        for _ in 0..<60 {
          var maker = RowMaker(store: store, random: OracleRandom(seed: random.next()))
          let (select, arguments) = maker.make()
          // Another moment is another answer.
          if StatementSyntax.select(select).description.contains("now(") { continue }
          let asked = RowCase(
            world: written.world, entity: store.entity, objects: written.world.all(store.entity.name),
            snapshot: snapshot, arguments: arguments, mistake: mistake)
          switch try asked.outcome(of: select) {
          case .agreed(let rows):
            coverage.answered += 1
            if select.sectionsBy != nil { coverage.sections += 1 }
            if !select.groupBy.isEmpty { coverage.groups += 1 }
            coverage.rows += rows
          case .refused: coverage.refused += 1
          case .doubted: coverage.doubted += 1
          case .disagreed(let problem):
            let statement = StatementSyntax.select(select).description
            return "\(SchemaText.print(store.schema))\n\(written.objects)\n\(statement)\n\(arguments)\n\(problem)"
          }
        }
        return nil
      }
      if let failure { return failure }
    }
    return nil
  }
}
