import Foundation
import Testing

/// The page that lists the examples of other stores' documents: all of them stand in it, and each counterpart stands in
/// the test that it names.
@Suite struct OtherStoresTableTests {
  @Test func everyCounterpartIsRun() throws {
    let tables = try OtherStoresTable.all()
    #expect(tables.count == 5)
    for row in tables.flatMap(\.rows) {
      #expect(!row.counterparts.isEmpty && !row.examples.isEmpty, "\(row.line)")
      let body = try body(of: row.test, in: row.suite)
      for counterpart in row.counterparts {
        #expect(body.contains(counterpart), "\(row.suite).\(row.test) does not have '\(counterpart)'")
      }
    }
  }

  /// Each example is one of its document, each block of a document has a row, and so has each line of a query in it.
  @Test func everyExampleHasARow() throws {
    let documents = OtherStoresDocument.all
    guard !documents.isEmpty else {
      print("SKIPPED: the documents about other stores are not beside the project")
      return
    }
    let tables = try OtherStoresTable.all()
    try #require(documents.count == tables.count)
    for (document, table) in zip(documents, tables) {
      var covered = document.blocks.map { [Bool](repeating: false, count: $0.text.count) }
      for row in table.rows {
        for example in row.examples {
          var isThere = row.isOfProse && example.allSatisfy { document.text.contains($0) }
          for (number, block) in document.blocks.enumerated() where !row.isOfProse {
            for range in block.ranges(of: example) {
              isThere = true
              for position in range { covered[number][position] = true }
            }
          }
          #expect(isThere, "\(table.title) has no example '\(example.joined(separator: " … "))'")
        }
      }
      for (block, covered) in zip(document.blocks, covered) {
        #expect(covered.contains(true), "\(table.title): no row for \(block.lines.first?.source ?? "")")
        for line in block.lines where line.source.contains(Self.query) && !line.source.hasPrefix("//") {
          #expect(covered[line.range].contains(true), "\(table.title): no row for line \(line.number), \(line.source)")
        }
      }
    }
  }

  /// The blocks of the documents, which do not change, as somebody counted them.
  @Test func everyBlockIsFound() {
    let counts = OtherStoresDocument.all.map(\.blocks.count)
    #expect(counts.isEmpty || counts == [9, 5, 74, 23, 18], "\(counts)")
  }

  /// What a line of a block has when it is an example by itself.
  private static var query: Regex<Substring> {
    #/\$0\.|#Predicate|NSPredicate|predicateWithFormat|objectsWhere|\.filter\(|Query\(|@Query|FetchRequest|ortDescriptor|SUBQUERY/#
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
