import Foundation
import Testing

/// The page that compares this language with `NSPredicate` and RQL: every example is asked of the command as a user asks
/// it, and the page is what these rows say.
@Suite struct ComparisonTests {
  private static let store: Result<(Scratch, String), any Error> = Result {
    let scratch = try Scratch()
    let (schema, rows, store) = (scratch.path("Item.swift"), scratch.path("items.jsonl"), scratch.path("items"))
    try Data(ComparisonRow.schema.utf8).write(to: URL(fileURLWithPath: schema))
    try Data(ComparisonRow.sample.utf8).write(to: URL(fileURLWithPath: rows))
    let outcome = try Command.run(["import", "--quiet", store, rows, "Item", "--schema", schema])
    guard outcome.status == 0 else { throw ImportFailed(errors: outcome.errors) }
    return (scratch, store)
  }

  struct ImportFailed: Error { var errors: String }

  @Test(arguments: ComparisonRow.all.indices) func answers(_ index: Int) throws {
    let (_, store) = try Self.store.get()
    let row = ComparisonRow.all[index]
    let outcome = try Command.run(["--ids", store, "-c", "Item WHERE \(row.example)"])
    if row.answer.hasPrefix("error") {
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(row.example): \(outcome.output)")
      #expect(outcome.errors.hasPrefix(row.answer), "\(row.example): \(outcome.errors)")
      #expect(outcome.errors.contains("^") && outcome.errors.contains("\nfix: "), "\(row.example): \(outcome.errors)")
    } else {
      #expect(outcome.status == 0, "\(row.example): \(outcome.errors)")
      let found = outcome.output.split(separator: "\n").joined(separator: " ")
      #expect(found == row.answer, "\(row.example)")
    }
  }

  /// All that the language does differently on purpose is shown by at least one row.
  @Test func whatDiffersOnPurposeIsShown() {
    #expect(ComparisonRow.all.count { $0.isOnPurpose } >= 10)
    for row in ComparisonRow.all where row.isOnPurpose {
      #expect(!row.difference.isEmpty, "\(row.feature): the difference is not named")
    }
  }

  @Test func thePageIsWhatTheRowsSay() throws {
    let page = Command.root.appendingPathComponent("Sources/PredicateLanguage/PredicateLanguage.docc/Comparison.md")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil { try Data(Self.page.utf8).write(to: page) }
    #expect(try String(contentsOf: page, encoding: .utf8) == Self.page)
  }

  private static var page: String {
    var lines = [
      "# Comparison with NSPredicate and RQL", "",
      "What this language does with each feature, and what the two languages do that it is the union of.", "",
      "## Overview", "",
      "Every example is run by the tests on these objects, and finds what the table says: the `id` of each object, or the",
      "error it gives. Lines in **bold** differ on purpose.", "", "```json",
    ]
    lines += ComparisonRow.sample.split(separator: "\n").map(String.init)
    lines += [
      "```", "", "| feature | example | here | NSPredicate | RQL | difference |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += ComparisonRow.all.map { row in
      let feature = row.isOnPurpose ? "**\(row.feature)**" : row.feature
      let answer = row.answer.hasPrefix("error") ? "`\(row.answer)`" : row.answer
      let cells = [feature, "`\(row.example)`", answer, row.apple, row.realm, row.difference]
      return "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    return lines.joined(separator: "\n") + "\n\n" + explanations
  }

  /// What no row can show.
  private static let explanations = """
    ## Inverses

    An inverse has the objects that link here, each once, however often its list mentions the object; RQL counts
    mentions. It is what CONTAINS on a stored collection means: the sources of an object are those for which
    `list CONTAINS object` holds, so their number and `SUBQUERY` agree. The list itself keeps its mentions: a list that
    has an object three times has three elements.

    ## Keywords as names

    Every keyword may be a property's name, and is one where it can be nothing else: `SORT BY text LIMIT 1`,
    `SELECT not AS x`, `contains CONTAINS contains`. Three rules say the rest.

    * A word that is a value, such as `no`, `nil` or `inf`, is the property of exactly that name, letter case included,
      where the object has one, and the value elsewhere: with a property `no`, `no == NO` compares it with FALSE. The
      same holds for `TRUEPREDICATE` and `FALSEPREDICATE`. The tree of a text keeps the word; the property is found when
      a query is made for an entity.
    * NOT, ANY, SOME, ALL and NONE are names where nothing follows that they could stand before: an operator, a dot, a
      closing bracket, a clause, the end. A `-` is a sign there, and a bracket begins a point unless it has one constant.
    * `SELF` is the object.

    `#not`, `not` in backticks, `SELF.not` and `%K` are names everywhere. What a query prints escapes a name that would
    be read as the word, and spells a value so that it is not read as a property.

    """
}
