import Foundation
import Testing

/// The page that lists the examples of other stores' documents: each counterpart stands in the test that it names.
@Suite struct OtherStoresTableTests {
  @Test func everyCounterpartIsRun() throws {
    let page = try String(
      contentsOf: DocumentationPage.folder.appendingPathComponent("OtherStoresExamples.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("Tests.") }.map {
      DocumentationPage.cells(of: $0)
    }
    #expect(rows.count >= 50)
    for row in rows {
      try #require(row.count == 3, "\(row)")
      let test = try #require(DocumentationPage.code(in: row[2]).first?.split(separator: "."), "\(row)")
      let counterparts = DocumentationPage.code(in: row[1])
      #expect(!counterparts.isEmpty, "\(row)")
      let body = try body(of: "\(test[1])", in: "\(test[0])")
      for counterpart in counterparts {
        #expect(body.contains(counterpart.filter { !$0.isWhitespace }), "\(row[2]) does not have '\(counterpart)'")
      }
    }
  }

  /// A test, from its name to the next, without white space.
  private func body(of test: String, in suite: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("\(suite).swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "@Test func \(test)()"), "\(suite) has no test '\(test)'")
    let rest = text[start.upperBound...]
    return (rest.components(separatedBy: "@Test ").first ?? "").filter { !$0.isWhitespace }
  }
}
