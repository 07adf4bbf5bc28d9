import Foundation
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing

/// Random statements about groups, sections and plain rows over random stores: every plan must show what the oracle
/// shows, in order.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length: 500 unless told.
struct RowDifferentialTests {
  @Test func everyPlanShowsWhatTheOracleShows() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = testSeed()
    let queries = environment["QUERIES"].flatMap(Int.init) ?? 500
    var differential = RowDifferential()
    let failure = try differential.run(queries: queries, seed: seed, nil, World.make)
    print("RowDifferentialTests: SEED=\(seed) \(differential.summary)")
    if let failure { Issue.record("SEED=\(seed)\n\(failure)") }
    #expect(PlanCoverage.isRare(differential.doubted, of: differential.asked), "SEED=\(seed)")
  }

  /// The comparison notices an oracle that is wrong, whichever way.
  @Test(arguments: RowOracle.Mistake.allCases)
  func aPlantedMistakeIsNoticed(mistake: RowOracle.Mistake) throws {
    var differential = RowDifferential()
    #expect(try differential.run(queries: 8000, seed: 1, mistake, World.make) != nil, "nothing was noticed")
  }

  /// Objects of one entity.
  private struct World: RowWorld {
    let store: RandomStore
    let written: WrittenStore

    var file: StoreFile { written.file }

    static func make(_ random: inout OracleRandom) throws -> any RowWorld {
      let store = RandomStore.make(objects: random.pick([0, 3, 12, 40, 40, 300]), &random)
      return World(store: store, written: try WrittenStore(store))
    }

    func statement(
      _ random: OracleRandom, in snapshot: Snapshot, _ mistake: RowOracle.Mistake?
    ) throws -> RowQuestion? {
      var maker = RowMaker(store: store, random: random)
      let (select, arguments) = maker.make()
      // Another moment is another answer.
      if StatementSyntax.select(select).description.contains("now(") { return nil }
      let asked = RowCase(
        world: written.world, entity: store.entity, objects: written.world.all(store.entity.name),
        snapshot: snapshot, arguments: arguments, mistake: mistake)
      return RowQuestion(asked: asked, select: select) {
        "\(SchemaText.print(store.schema))\n\(written.objects)\n\(arguments)"
      }
    }
  }
}
