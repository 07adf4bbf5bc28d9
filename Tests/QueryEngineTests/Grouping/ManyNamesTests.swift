import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Very many columns, keys and mistakes in one statement take steps in proportion to their number.
@Suite struct ManyNamesTests {
  private static let schema = Schema(entities: [
    Entity(
      name: "Item",
      properties: [
        Property(name: "i", type: .scalar(.int)), Property(name: "d", type: .scalar(.double)),
        Property(name: "l", type: .array(.int)),
      ])
  ])

  private func failure(_ text: String) throws -> DiagnosticError? {
    do {
      _ = try GroupingTests.rows(text, in: try StoreFile.inMemory(declaring: Self.schema))
      return nil
    } catch let error as DiagnosticError { return error }
  }

  @Test func columnsWithOneHeading() throws {
    var last: Int?
    for count in [1_000, 2_000, 4_000, 8_000] {
      let columns = Array(repeating: RowColumn(heading: "a", content: .value(.int)), count: count)
      var headings: [String] = []
      let steps = StepCounter.count { headings = columns.withDistinctHeadings().map(\.heading) }
      #expect(Set(headings).count == count && headings.last == "a (\(count))")
      guard let steps else { return }
      #expect(steps > 0, "nothing was counted")
      if let last { #expect(steps <= last * 23 / 10, "\(last), then \(steps) steps for \(count) columns") }
      last = steps
    }
  }

  @Test func headingsThatAreTakenAreLeftToTheirColumns() {
    let columns = ["a", "a (2)", "a", "b", "a", "a (4)", "a"].map { RowColumn(heading: $0, content: .value(.int)) }
    #expect(columns.withDistinctHeadings().map(\.heading) == ["a", "a (2)", "a (3)", "b", "a (5)", "a (4)", "a (6)"])
  }

  @Test func manyKeysWithWrongPartsOfHaving() throws {
    var last: Int?
    for count in [500, 1_000, 2_000, 4_000] {
      let keys = (0..<count).map { "i + \($0)" }.joined(separator: ", ")
      let wrong = (0..<count).map { "d > \($0)" }.joined(separator: " AND ")
      var error: DiagnosticError?
      let steps = try StepCounter.count { error = try failure("Item GROUP BY \(keys) HAVING \(wrong)") }
      #expect(error?.diagnostics.count == DiagnosticError.most)
      for diagnostic in error?.diagnostics ?? [] {
        #expect(diagnostic.code == .notGroupKey && diagnostic.notes.allSatisfy { $0.utf8.count < 500 })
      }
      guard let steps else { return }
      if let last { #expect(steps <= last * 23 / 10 + 500, "\(last), then \(steps) steps for \(count) keys") }
      last = steps
    }
  }

  /// A key that is wrong is wrong once, however often it is named.
  @Test func aWrongKeyIsOneMistake() throws {
    for text in ["Item GROUP BY l SELECT l", "Item GROUP BY l SELECT l, @count SORT BY l", "Item GROUP BY l"] {
      let error = try #require(try failure(text), "\(text)")
      #expect(error.diagnostics.map(\.code) == [.typeMismatch], "\(error)")
    }
  }
}
