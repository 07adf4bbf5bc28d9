import Diagnostics
import PredicateLanguage
import Testing

/// What people write and what comes of it: the canonical text, or the error as it is shown.
@Suite struct GoldenTests {
  @Test(arguments: [
    "literals", "operators", "paths", "functions", "shapes", "tails", "placeholders", "names", "canonical",
  ])
  func accepted(_ script: String) throws {
    try GoldenScript.run(script, filter)
  }

  @Test(arguments: ["mistakes", "lexical-errors", "syntax-errors"])
  func refused(_ script: String) throws {
    try GoldenScript.run(script, filter)
  }

  @Test func statements() throws {
    try GoldenScript.run("statements") { statement($0, defaultEntity: nil) }
  }

  @Test func statementsWithADefaultEntity() throws {
    try GoldenScript.run("bare-predicates") { statement($0, defaultEntity: "Quake") }
  }

  private func filter(_ text: String) -> String {
    do {
      return try PredicateParser.filter(text).predicateFormat
    } catch {
      return error.description
    }
  }

  private func statement(_ text: String, defaultEntity: String?) -> String {
    do {
      return try StatementParser.statement(text, defaultEntity: defaultEntity).description
    } catch {
      return error.description
    }
  }
}
