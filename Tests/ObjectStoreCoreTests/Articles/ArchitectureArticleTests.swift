import Foundation
import Testing

/// Every folder and file that the architecture article names exists.
@Suite struct ArchitectureArticleTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  @Test func everyPathIsThere() throws {
    let article = try String(
      contentsOf: Self.root.appending(path: "Sources/ObjectStore/ObjectStore.docc/Architecture.md"), encoding: .utf8)
    let paths = article.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.contains("/") && !$0.contains("\n") }
    #expect(paths.count >= 15)
    for path in paths {
      let file = Self.root.appending(path: path.hasPrefix("Tools/") ? path : "Sources/\(path)")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
      // A file is named after the type it declares.
      guard path.hasSuffix(".swift"), let name = path.split(separator: "/").last?.dropLast(6) else { continue }
      let type = name.prefix { $0 != "+" }
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(["struct", "class", "enum", "extension"].contains { text.contains("\($0) \(type)") }, "\(path)")
    }
  }
}
