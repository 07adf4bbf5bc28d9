import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Each tail is a level of the plan: a long chain is answered, one that is too long is an error, and no crash.
@Suite struct TailLimitTests {
  private static func text(_ count: Int) -> String {
    "n >= 0" + String(repeating: " SORT(n DESC) LIMIT(3)", count: count)
  }

  @Test func aLongChainOfTailsIsAnswered() throws {
    let store = try TestStore(.int, (0..<10).map { .int($0) })
    #expect(try store.rows(Self.text(250)) == [9, 8, 7])
  }

  @Test(arguments: [251, 10_000]) func oneThatIsTooLongIsRefused(count: Int) throws {
    let store = try TestStore(.int, (0..<10).map { .int($0) })
    let error = #expect(throws: DiagnosticError.self) { try store.rows(Self.text(count)) }
    #expect(error?.diagnostics.map(\.code) == [.tooManyNodes])
  }

  /// Filters before them are one predicate.
  @Test func filtersAreNoLevels() throws {
    let store = try TestStore(.int, (0..<10).map { .int($0) })
    let snapshot = try store.file.beginSnapshot()
    var description = QueryDescription(entity: store.entityName)
    for number in 0..<1_000 {
      let text = "n != \(number + 100)"
      try description.append(try PredicateParser.filter(text), SourceContext(source: text))
    }
    let query = try CompiledQuery(description, schema: snapshot.schema)
    #expect(try query.plan(in: snapshot).count(in: snapshot) == 10)
  }
}
