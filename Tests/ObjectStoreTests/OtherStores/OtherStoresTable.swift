import Foundation
import Testing

/// The page that lists the examples of other stores' documents: a table for each document.
struct OtherStoresTable {
  struct Row {
    /// The line of the page.
    let line: Substring
    /// The examples as they stand in the document, each as the pieces around what is left out, without white space.
    let examples: [[String]]
    /// Whether the examples stand in the text of the document and not in a block of code.
    let isOfProse: Bool
    /// The code that does the same, without white space.
    let counterparts: [String]
    let suite: String
    let test: String
  }

  let title: String
  let rows: [Row]

  /// The tables of the page, in order.
  static func all() throws -> [OtherStoresTable] {
    let page = try String(
      contentsOf: DocumentationPage.folder.appendingPathComponent("OtherStoresExamples.md"), encoding: .utf8)
    var tables: [(title: String, rows: [Row])] = []
    for line in page.split(separator: "\n") {
      if line.hasPrefix("### ") {
        tables.append((String(line.dropFirst(4)), []))
      } else if line.hasPrefix("| "), !line.hasPrefix("| ---"), !line.hasPrefix("| example ") {
        try #require(!tables.isEmpty)
        tables[tables.count - 1].rows.append(try row(line))
      }
    }
    return tables.map { OtherStoresTable(title: $0.title, rows: $0.rows) }
  }

  private static func row(_ line: Substring) throws -> Row {
    let cells = DocumentationPage.cells(of: line)
    try #require(cells.count == 3, "\(line)")
    let names = try #require(DocumentationPage.code(in: cells[2]).first, "\(line)").split(separator: ".")
    try #require(names.count == 2, "\(line)")
    let examples = DocumentationPage.code(in: cells[0]).map { example in
      example.split(separator: "…").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }
    let counterparts = DocumentationPage.code(in: cells[1]).map { $0.filter { !$0.isWhitespace } }
    return Row(
      line: line, examples: examples, isOfProse: cells[0].contains("in prose"), counterparts: counterparts,
      suite: String(names[0]), test: String(names[1]))
  }
}
