import Foundation
import PredicateLanguage
import Testing

/// Random queries over random stores: every plan the planner can think of must find what the oracle finds, in order.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length, `FAILURES=…` how many disagreements end it.
struct DifferentialTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

  @Test func everyPlanFindsWhatTheOracleFinds() throws {
    let seed = UInt64(Self.number("SEED") ?? Int.random(in: 0..<1_000_000))
    let queries = Self.number("QUERIES") ?? 5000
    print("DifferentialTests: SEED=\(seed) QUERIES=\(queries)")
    var random = OracleRandom(seed: seed)
    var done = 0
    var plans = 0
    var failures = 0
    while done < queries {
      let (size, batch) = random.pick([(0, 5), (3, 60), (12, 80), (40, 80), (300, 30), (700, 15), (3000, 2)])
      let store = RandomStore.make(objects: random.below(size + 1), &random)
      let differential = try DifferentialCase(store)
      for _ in 0..<batch {
        var maker = QueryMaker(columns: store.columns, random: OracleRandom(seed: random.next()))
        let query = maker.make()
        done += 1
        if let disagreement = try differential.disagreement(on: query, counting: &plans) {
          report(disagreement, store, query, seed)
          failures += 1
          if failures >= Self.number("FAILURES") ?? 1 { return }
          break
        }
      }
    }
    print("DifferentialTests: \(done) queries, \(plans) plans agreed")
  }

  private func report(_ disagreement: String, _ store: RandomStore, _ query: RandomQuery, _ seed: UInt64) {
    var plans = 0
    let (small, smallQuery) = Shrinking.shrink(store, query) { store, query in
      let again = (try? DifferentialCase(store)).flatMap { try? $0.disagreement(on: query, counting: &plans) }
      return again != nil
    }
    let last = (try? DifferentialCase(small)).flatMap { try? $0.disagreement(on: smallQuery, counting: &plans) }
    let reproduction = DifferentialCase.reproduction(small, smallQuery)
    Issue.record("SEED=\(seed)\n\(reproduction)\n\(last ?? disagreement)")
  }

  /// The comparison notices an evaluator that is wrong, whichever way.
  @Test(arguments: NaiveEvaluator.Mistake.allCases)
  func aPlantedMistakeIsNoticed(mistake: NaiveEvaluator.Mistake) throws {
    var random = OracleRandom(seed: 1)
    var plans = 0
    for _ in 0..<300 {
      let store = RandomStore.make(objects: 60, &random)
      let differential = try DifferentialCase(store)
      for _ in 0..<60 {
        var maker = QueryMaker(columns: store.columns, random: OracleRandom(seed: random.next()))
        if try differential.disagreement(on: maker.make(), counting: &plans, mistake: mistake) != nil { return }
      }
    }
    Issue.record("nothing was noticed")
  }
}
