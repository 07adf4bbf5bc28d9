import Foundation
import Testing

/// The article about what is promised names tests that there are, and every article tools that there are.
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
  }

  /// In every article: the tool is there, and `Tools/endurance` knows the words that are said to be its own.
  @Test func everyToolIsThere() throws {
    let articles = Self.root.appending(path: "Sources/ObjectStore/ObjectStore.docc")
    let endurance = try String(contentsOf: Self.root.appending(path: "Tools/endurance"), encoding: .utf8)
    var tools = 0
    for article in try FileManager.default.contentsOfDirectory(at: articles, includingPropertiesForKeys: nil)
    where article.pathExtension == "md" {
      let pieces = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "`").enumerated()
      for code in pieces.filter({ $0.offset % 2 == 1 }).map(\.element) where code.hasPrefix("Tools/") {
        let words = code.split(separator: " ")
        guard let tool = words.first, tool.allSatisfy({ !$0.isWhitespace && $0 != "…" }) else { continue }
        tools += 1
        #expect(
          FileManager.default.fileExists(atPath: Self.root.appending(path: String(tool)).path),
          "\(code) in \(article.lastPathComponent)")
        for word in words.dropFirst() where tool == "Tools/endurance" {
          #expect(endurance.contains("\n  \(word)) "), "\(code) in \(article.lastPathComponent)")
        }
      }
    }
    #expect(tools > 10)
  }
}
