import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What the planner makes of queries, as EXPLAIN shows it: `Goldens/plans.txt`. The store has 20,000 quakes.
@Suite struct PlanGoldenTests {
  @Test func plans() throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(20_000))
    try GoldenScript.run("plans") { text in
      do { return try store.explain(text) } catch { return "\(error)" }
    }
  }

  /// The same with an index of the trigrams of `place`: `Goldens/trigrams.txt`.
  @Test func trigramPlans() throws {
    var schema = Samples.quakes
    schema.entities[0].indexes.append(Index(kind: .trigram, paths: ["place"]))
    let store = try TestStore(schema, rows: Samples.rows(20_000))
    try GoldenScript.run("trigrams") { text in
      do { return try store.explain(text) } catch { return "\(error)" }
    }
  }

  /// What the rules make of a predicate, each named with the form it leaves: `Goldens/rules.txt`.
  @Test func rules() throws {
    let store = try TestStore(Samples.quakes, rows: [])
    try GoldenScript.run("rules") { text in
      guard let query = try? store.compile(text), case .filter(let bound)? = query.stages.first else {
        return store.failure(text)
      }
      let context = RuleContext(entity: query.entity, now: Instant(seconds: 0))
      var predicate = bound
      var lines: [String] = []
      for rule in PlannerRule.all {
        let next = rule.apply(predicate, context)
        if next != predicate { lines.append("\(rule.name): \(RuleText.text(next, query.entity))") }
        predicate = next
      }
      return lines.isEmpty ? "nothing to do" : lines.joined(separator: "\n")
    }
  }
}

/// Bound predicates with their questions, not their source.
enum RuleText {
  static func text(_ predicate: BoundPredicate, _ entity: StoredEntity) -> String {
    switch predicate {
    case .constant(let value): return value ? "true" : "false"
    case .and(let parts): return "all(" + parts.map { text($0, entity) }.joined(separator: "; ") + ")"
    case .or(let parts): return "any(" + parts.map { text($0, entity) }.joined(separator: "; ") + ")"
    case .not(let inner): return "not(\(text(inner, entity)))"
    case .comparison, .quantified, .lists, .remembered: return predicate.syntax.predicateFormat
    case .test(let test):
      let path = entity.columns[test.column].path
      switch test.question {
      case .isNil: return "\(path) is nil"
      case .interval(let interval): return "\(path) in \(IntervalText.text(interval))"
      case .oneOf(let values): return IntervalText.membership(path, values)
      case .text: return "text \(test.syntax.predicateFormat)"
      }
    }
  }
}
