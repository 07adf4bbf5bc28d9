import Foundation
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing

/// Random statements about groups, sections and rows of objects that link to each other: every plan must show what the
/// oracle shows, in order.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length: 800 unless told.
struct GraphRowDifferentialTests {
  @Test func everyPlanShowsWhatTheOracleShows() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = testSeed()
    let queries = environment["QUERIES"].flatMap(Int.init) ?? 800
    var differential = RowDifferential()
    let failure = try differential.run(queries: queries, seed: seed, nil, World.make)
    print("GraphRowDifferentialTests: SEED=\(seed) \(differential.summary)")
    if let failure { Issue.record("SEED=\(seed)\n\(failure)") }
    #expect(PlanCoverage.isRare(differential.doubted, of: differential.asked), "SEED=\(seed)")
  }

  /// The comparison notices an oracle that is wrong, whichever way.
  @Test(arguments: RowOracle.Mistake.allCases.filter { $0 != .zerosApart })
  func aPlantedMistakeIsNoticed(mistake: RowOracle.Mistake) throws {
    var differential = RowDifferential()
    #expect(try differential.run(queries: 8000, seed: 1, mistake, World.make) != nil, "nothing was noticed")
  }

  /// Objects that link to each other.
  private struct World: RowWorld {
    let graph: RandomGraph
    let written: WrittenGraph

    var file: StoreFile { written.file }

    static func make(_ random: inout OracleRandom) throws -> any RowWorld {
      var graph = RandomGraph.make(objects: random.pick([0, 3, 6, 12, 12, 30]), &random)
      graph.scatter(&random)
      return World(graph: graph, written: try WrittenGraph(graph))
    }

    func statement(
      _ random: OracleRandom, in snapshot: Snapshot, _ mistake: RowOracle.Mistake?
    ) throws -> RowQuestion? {
      var maker = GraphRowMaker(world: written.world, random: random)
      let (select, arguments) = maker.make()
      let entity = maker.maker.entity
      let asked = RowCase(
        world: written.world, entity: entity, objects: written.world.all(entity.name), snapshot: snapshot,
        arguments: arguments, mistake: mistake)
      return RowQuestion(asked: asked, select: select) {
        GraphCase.reproduction(graph, RandomQuery(filter: select.filter, arguments: arguments), entity)
      }
    }
  }
}
