import Foundation
import Testing

/// The page that compares the command with others names the tests that show what it says: they must exist.
@Suite struct CommandComparisonTests {
  private static let page = Command.root.appendingPathComponent(
    "Sources/ObjectStore/ObjectStore.docc/CommandComparison.md")

  /// The cells of each row of the tables, without their headings.
  private static func rows() throws -> [[String]] {
    try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") && !$0.hasPrefix("| ---") }
      .map { row in
        row.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " "]) }
      }
  }

  /// `Suite.test`, for every test of the command.
  private static func tests() throws -> Set<String> {
    let folder = Command.root.appendingPathComponent("Tests/ObjqueryTests")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var tests: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard let suite = text.firstMatch(of: /@Suite(?:\([^\n]*\))? (?:final )?(?:struct|class) (\w+)/) else { continue }
      // A function that is a test has the attribute before it, perhaps with arguments over several lines.
      for match in text.matches(of: /@Test(?:(?!@Test)[\s\S])*?\bfunc (\w+)\(/) {
        tests.insert("\(suite.1).\(match.1)")
      }
    }
    return tests
  }

  @Test func everyTestThatIsNamedExists() throws {
    let tests = try Self.tests()
    try #require(tests.count > 100 && tests.contains("CommandComparisonTests.everyTestThatIsNamedExists"))
    let rows = try Self.rows()
    #expect(rows.count >= 40)
    for row in rows {
      #expect(row.count == 5, "\(row)")
      let named = row.last?.matches(of: /`([^`]+)`/).map { String($0.1) } ?? []
      for name in named where !tests.contains(name) { Issue.record("\(row[0]): there is no test \(name)") }
      // What objquery lacks needs no test, all else does.
      #expect(named.isEmpty == (row.count == 5 && row[3] == "no"), "\(row)")
    }
  }
}
