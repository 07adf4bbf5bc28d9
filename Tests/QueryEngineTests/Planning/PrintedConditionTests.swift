import PredicateLanguage
import Testing
import Values

@testable import QueryEngine

/// What a plan prints of its conditions: what was meant, in the fewest words, and read back it finds the same objects.
@Suite struct PrintedConditionTests {
  @Test(arguments: [
    ("depth != nil", "depth != nil"), ("NOT depth == nil", "depth != nil"), ("nil != depth", "nil != depth"),
    ("NOT (depth == 5 OR place == 'x')", "depth != 5 AND place != \"x\""), ("NOT place ==[c] 'X'", "place !=[c] \"X\""),
    ("NOT depth > 5", "NOT depth > 5"), ("NOT depth IN {1, 2}", "NOT depth IN {1, 2}"),
    ("time > 2018-02-07@00:00:01", "time > date(\"2018-02-07T00:00:01Z\")"),
  ])
  func conditions(_ text: String, _ printed: String) throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(500))
    let query = try store.compile(text)
    guard case .filter(var bound)? = query.stages.first else { throw Missing() }
    for rule in PlannerRule.all {
      bound = rule.apply(bound, RuleContext(entity: query.entity, now: Instant(seconds: 0)))
    }
    #expect(bound.syntax.readableFormat == printed)
    #expect(try store.rows(bound.syntax.readableFormat) == store.rows(text))
  }

  private struct Missing: Error {}
}
