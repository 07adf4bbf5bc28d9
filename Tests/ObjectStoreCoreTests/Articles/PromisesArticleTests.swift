import Foundation
import Testing

/// The article about what is promised names tests and tools that there are.
@Suite struct PromisesArticleTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  @Test func everyTestIsThere() throws {
    let article = try String(
      contentsOf: Self.root.appending(path: "Sources/ObjectStore/ObjectStore.docc/Promises.md"), encoding: .utf8)
    let words = Set(article.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    let suites = words.filter { $0.hasSuffix("Tests") }
    #expect(suites.count >= 10)
    let tests = Self.root.appending(path: "Tests")
    let files =
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let names = Set(files.map { $0.deletingPathExtension().lastPathComponent })
    for suite in suites { #expect(names.contains(suite), "\(suite)") }
    for tool in words where tool.hasPrefix("Tools/") {
      #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: tool).path), "\(tool)")
    }
  }
}
