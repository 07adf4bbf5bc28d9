import Diagnostics
import PredicateLanguage
import Testing

/// What people write and what comes of it: the canonical text, or the error as it is shown.
@Suite struct GoldenTests {
  @Test(arguments: ["literals", "operators", "paths", "functions", "shapes", "tails", "placeholders", "names"])
  func accepted(_ script: String) throws {
    try GoldenScript.run(script, filter)
  }

  @Test(arguments: ["mistakes", "lexical-errors", "syntax-errors"])
  func refused(_ script: String) throws {
    try GoldenScript.run(script, filter)
  }

  private func filter(_ text: String) -> String {
    do {
      return try PredicateParser.filter(text).predicateFormat
    } catch {
      return error.description
    }
  }
}
