import Foundation
import PredicateLanguage
import Storage
import TestSeeds
import Testing

/// Random queries over random stores: every plan the planner can think of must find what the oracle finds, in order.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length, `FAILURES=…` how many disagreements end it, `SLOW=…` prints each
/// query that takes so many seconds. With no setting 2,500 queries are asked.
struct DifferentialTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
  private static var seed: UInt64 { testSeed() }

  /// How many objects at most, how many queries on them, how often of ten.
  private static let sizes: [(objects: Int, queries: Int)] = [
    (0, 5), (3, 60), (12, 120), (12, 120), (40, 120), (40, 120), (300, 40), (300, 40), (700, 15), (3000, 4),
  ]

  @Test func everyPlanFindsWhatTheOracleFinds() throws {
    let seed = Self.seed
    let queries = Self.number("QUERIES") ?? 2500
    print("DifferentialTests: SEED=\(seed) QUERIES=\(queries)")
    fflush(nil)
    var random = OracleRandom(seed: seed)
    var coverage = PlanCoverage()
    var failures = 0
    var shown = 0
    while coverage.asked < queries, failures < Self.number("FAILURES") ?? 1 {
      let (size, batch) = random.pick(Self.sizes)
      let store = RandomStore.make(objects: random.below(size + 1), &random)
      let queries = Self.queries(batch, store, &random)
      // A long run says how far it is.
      if coverage.asked / 5000 > shown {
        shown = coverage.asked / 5000
        print("DifferentialTests: \(coverage)")
        fflush(nil)
      }
      let failure: (RandomQuery, String)?
      // A third of the stores is asked while the last transaction is still open.
      if random.once(in: 3) {
        var found: (RandomQuery, String)?
        _ = try WrittenStore(store) { snapshot, world in
          let asked = DifferentialCase(store: store, world: world, snapshot: snapshot)
          found = try Self.firstFailure(asked, queries, &coverage)
        }
        failure = found
      } else {
        failure = try Self.afterCommit(store, queries, &coverage)
      }
      guard let (query, disagreement) = failure else { continue }
      report(disagreement, store, query, seed)
      failures += 1
    }
    print("DifferentialTests: \(coverage)")
    #expect(PlanCoverage.isRare(coverage.doubted, of: coverage.asked), "SEED=\(seed)")
  }

  private static func queries(_ count: Int, _ store: RandomStore, _ random: inout OracleRandom) -> [RandomQuery] {
    (0..<count).map { _ in
      var maker = QueryMaker(store: store, random: OracleRandom(seed: random.next()))
      return maker.make()
    }
  }

  private static func firstFailure(
    _ asked: DifferentialCase, _ queries: [RandomQuery], _ coverage: inout PlanCoverage,
    mistake: NaiveEvaluator.Mistake? = nil
  ) throws -> (RandomQuery, String)? {
    let slow = number("SLOW").map { Duration.seconds($0) }
    for query in queries {
      let start = ContinuousClock.now
      if let disagreement = try asked.disagreement(on: query, &coverage, mistake: mistake) {
        return (query, disagreement)
      }
      if let slow, ContinuousClock.now - start >= slow {
        print("\(ContinuousClock.now - start) for \(asked.objects.count) objects: \(query.filter.predicateFormat)")
        fflush(nil)
      }
    }
    return nil
  }

  private static func afterCommit(
    _ store: RandomStore, _ queries: [RandomQuery], _ coverage: inout PlanCoverage,
    mistake: NaiveEvaluator.Mistake? = nil
  ) throws -> (RandomQuery, String)? {
    let written = try WrittenStore(store)
    return try written.file.read { snapshot in
      let asked = DifferentialCase(store: store, world: written.world, snapshot: snapshot)
      return try firstFailure(asked, queries, &coverage, mistake: mistake)
    }
  }

  private func report(_ disagreement: String, _ store: RandomStore, _ query: RandomQuery, _ seed: UInt64) {
    // First as it was found, should making it smaller not come to an end.
    print("SEED=\(seed): \(DifferentialCase.reproduction(store, query))\n\(disagreement)")
    fflush(nil)
    var coverage = PlanCoverage()
    var last = disagreement
    let (small, smallQuery) = Shrinking.shrink(store, query) { store, query in
      guard let failure = try? Self.afterCommit(store, [query], &coverage),
        failure.1.prefix(20) == disagreement.prefix(20)
      else { return false }
      last = failure.1
      return true
    }
    Issue.record("SEED=\(seed)\n\(DifferentialCase.reproduction(small, smallQuery))\n\(last)")
  }

  /// The comparison notices an evaluator that is wrong, whichever way.
  @Test(arguments: NaiveEvaluator.Mistake.allCases)
  func aPlantedMistakeIsNoticed(mistake: NaiveEvaluator.Mistake) throws {
    var random = OracleRandom(seed: 1)
    var coverage = PlanCoverage()
    for _ in 0..<1000 {
      let store = RandomStore.make(objects: 20, &random)
      let queries = Self.queries(60, store, &random)
      if try Self.afterCommit(store, queries, &coverage, mistake: mistake) != nil { return }
    }
    Issue.record("nothing was noticed")
  }
}
