import Foundation
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing

@testable import QueryEngine

/// Random queries over random graphs: every plan, and every way to go about links, must find what the oracle finds.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length, `FAILURES=…` how many disagreements end it.
struct GraphDifferentialTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
  private static var seed: UInt64 { testSeed() }

  /// How many objects of each entity at most, how many queries on them.
  private static let sizes: [(objects: Int, queries: Int)] = [
    (0, 10), (3, 120), (6, 120), (8, 120), (12, 120), (24, 60), (300, 2),
  ]

  private struct Asked {
    var query: RandomQuery
    var entity: Entity
  }

  @Test func everyPlanFindsWhatTheOracleFinds() throws {
    let seed = Self.seed
    let queries = Self.number("QUERIES") ?? 3000
    print("GraphDifferentialTests: SEED=\(seed) QUERIES=\(queries)")
    fflush(nil)
    var random = OracleRandom(seed: seed)
    var coverage = PlanCoverage()
    var failures = 0
    var shown = 0
    while coverage.asked < queries, failures < Self.number("FAILURES") ?? 1 {
      let (size, batch) = random.pick(Self.sizes)
      var graph = RandomGraph.make(objects: size, &random)
      graph.scatter(&random)
      let seeds = (0..<batch).map { _ in random.next() }
      // A long run says how far it is.
      if coverage.asked / 5000 > shown {
        shown = coverage.asked / 5000
        print("GraphDifferentialTests: \(coverage)")
        fflush(nil)
      }
      guard let (asked, disagreement) = try Self.firstFailure(graph, seeds, &coverage) else { continue }
      report(disagreement, graph, asked, seed)
      failures += 1
    }
    print("GraphDifferentialTests: \(coverage)")
    #expect(PlanCoverage.isRare(coverage.doubted, of: coverage.asked), "SEED=\(seed)")
  }

  private static func firstFailure(
    _ graph: RandomGraph, _ seeds: [UInt64], _ coverage: inout PlanCoverage, planted: GraphCase.Planted = .init()
  ) throws -> (Asked, String)? {
    try firstFailure(try WrittenGraph(graph), seeds, &coverage, planted: planted)
  }

  private static func firstFailure(
    _ written: WrittenGraph, _ seeds: [UInt64], _ coverage: inout PlanCoverage, planted: GraphCase.Planted
  ) throws -> (Asked, String)? {
    try written.file.read { snapshot in
      let graph = GraphCase(world: written.world, snapshot: snapshot)
      for seed in seeds {
        var maker = GraphQueryMaker(world: written.world, random: OracleRandom(seed: seed))
        let asked = Asked(query: maker.make(), entity: maker.entity)
        if let disagreement = try graph.disagreement(
          on: asked.query, entity: asked.entity, &coverage, planted: planted)
        {
          return (asked, disagreement)
        }
      }
      return nil
    }
  }

  private func report(_ disagreement: String, _ graph: RandomGraph, _ asked: Asked, _ seed: UInt64) {
    // First as it was found, should making it smaller not come to an end.
    print("SEED=\(seed): \(GraphCase.reproduction(graph, asked.query, asked.entity))\n\(disagreement)")
    fflush(nil)
    var last = disagreement
    let (small, query) = GraphShrinking.shrink(graph, asked.query) { graph, query in
      var coverage = PlanCoverage()
      guard let written = try? WrittenGraph(graph),
        let found = try? written.file.read({ snapshot in
          try GraphCase(world: written.world, snapshot: snapshot).disagreement(
            on: query, entity: asked.entity, &coverage)
        }), found.prefix(20) == disagreement.prefix(20)
      else { return false }
      last = found
      return true
    }
    print("smaller: \(GraphCase.reproduction(small, query, asked.entity))\n\(last)")
    fflush(nil)
    Issue.record("SEED=\(seed)\n\(GraphCase.reproduction(small, query, asked.entity))\n\(last)")
  }

  /// Where an entity has more clusters than the engine scans on one thread when a query is dear: on one, two and three
  /// threads, and on as many as the engine chooses, which are several for conditions of more than 100 µs.
  @Test func soManyClustersThatThreadsShareThem() throws {
    let seed = Self.seed
    print("GraphDifferentialTests of many clusters: SEED=\(seed)")
    var random = OracleRandom(seed: seed)
    var coverage = PlanCoverage()
    // Few conditions read nothing but their own object: more is asked until there was one of each.
    for round in 0..<15 where round < 3 || coverage.shared == 0 || coverage.forced == 0 {
      if round >= 3, WorkerPool.coreCount == 1, coverage.forced > 0 { break }
      var graph = RandomGraph.make(objects: 12, many: 1_500, &random)
      graph.gap = 3_000_000_019
      graph.together = 1
      let written = try WrittenGraph(graph)
      let failure = try written.file.read { snapshot -> String? in
        let asked = GraphCase(
          world: written.world, snapshot: snapshot, scans: PlannerOptions.Scan.forced + [.chosen])
        let end = coverage.asked + 8
        while coverage.asked < end {
          var maker = GraphQueryMaker(world: written.world, random: OracleRandom(seed: random.next()))
          let query = maker.make()
          guard written.world.all(maker.entity.name).count > ScanThreads.fewestClusters else { continue }
          if let found = try asked.disagreement(on: query, entity: maker.entity, &coverage) {
            return "\(GraphCase.reproduction(graph, query, maker.entity))\n\(found)"
          }
        }
        return nil
      }
      if let failure { Issue.record("SEED=\(seed)\n\(failure)") }
    }
    print("GraphDifferentialTests of many clusters: \(coverage)")
    #expect(PlanCoverage.isRare(coverage.doubted, of: coverage.asked), "SEED=\(seed)")
    #expect(coverage.forced > 0)
    if WorkerPool.coreCount == 1 { return print("SKIPPED: the engine shares no scan on one core") }
    #expect(coverage.shared > 0)
  }

  /// The comparison notices an evaluator that is wrong about links, whichever way.
  @Test(arguments: NaiveEvaluator.LinkMistake.allCases)
  func aMistakeAboutLinksIsNoticed(mistake: NaiveEvaluator.LinkMistake) throws {
    try expectNoticed(GraphCase.Planted(links: mistake))
  }

  /// And one about quantifiers and aggregates over links.
  @Test(arguments: [
    NaiveEvaluator.Mistake.allOfNothingIsFalse, .anyIsAll, .averageOfNothingIsZero, .indexCountsFromOne,
    .countSkipsNaN, .variableIsFirstElement, .notTurnsComparisons,
  ])
  func aPlantedMistakeIsNoticed(mistake: NaiveEvaluator.Mistake) throws {
    try expectNoticed(GraphCase.Planted(mistake: mistake))
  }

  private func expectNoticed(_ planted: GraphCase.Planted) throws {
    var random = OracleRandom(seed: 1)
    var coverage = PlanCoverage()
    for _ in 0..<4_000 {
      let graph = RandomGraph.make(objects: 8, &random)
      let seeds = (0..<80).map { _ in random.next() }
      let written = try WrittenGraph(graph)
      // The engine is asked where the mistake shows: elsewhere there is nothing to notice.
      let telling = seeds.filter { seed in
        var maker = GraphQueryMaker(world: written.world, random: OracleRandom(seed: seed))
        let query = maker.make()
        return planted.shows(in: query, of: maker.entity, written.world)
      }
      if telling.isEmpty { continue }
      if try Self.firstFailure(written, telling, &coverage, planted: planted) != nil { return }
    }
    Issue.record("nothing was noticed")
  }
}

/// Makes a failing case on a graph smaller while it still fails.
enum GraphShrinking {
  static func shrink(
    _ graph: RandomGraph, _ query: RandomQuery, tries: Int = 600, time: Duration = .seconds(20),
    _ fails: (RandomGraph, RandomQuery) -> Bool
  ) -> (RandomGraph, RandomQuery) {
    var graph = graph
    var query = query
    var left = tries
    let end = ContinuousClock.now + time
    var progress = true
    while progress, left > 0, ContinuousClock.now < end {
      progress = false
      for filter in Shrinking.smaller(query.filter) where left > 0 && !progress {
        left -= 1
        let candidate = RandomQuery(filter: filter, arguments: query.arguments)
        if fails(graph, candidate) { (query, progress) = (candidate, true) }
      }
      for candidate in graph.smaller where left > 0 && ContinuousClock.now < end {
        left -= 1
        if fails(candidate, query) {
          (graph, progress) = (candidate, true)
          break
        }
      }
    }
    return (graph, query)
  }
}
