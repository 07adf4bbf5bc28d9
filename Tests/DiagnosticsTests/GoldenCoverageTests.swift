import Diagnostics
import Foundation
import Testing

/// Every diagnostic that a text can give is in some golden script, where a person reads how it looks.
@Suite struct GoldenCoverageTests {
  /// Codes that no text gives, and why.
  static let exceptions: [DiagnosticCode: String] = [
    .unknownKeyPath: "it is about a key path of Swift, which has no text",
    .listTooLong: "a text of 1 MiB has no place for a million elements, so only an argument is too long",
    .noProperties: "it is a warning about a schema, and the reader of schemas tells errors alone",
    .emptyIndex: "the reader of schemas takes no index without paths; only a schema made by code has one",
  ]

  @Test func everyCodeIsShown() throws {
    let shown = try Self.shownCodes()
    #expect(shown.count > 50, "the golden scripts were not found")
    let missing = DiagnosticCode.allCases.filter { !shown.contains($0.name) && Self.exceptions[$0] == nil }
    #expect(missing == [], "no golden script shows these")
    #expect(Self.exceptions.keys.filter { shown.contains($0.name) } == [], "these are no exceptions")
  }

  /// The names in `error[…]` and `warning[…]` at the start of a line of the golden scripts of all tests.
  private static func shownCodes() throws -> Set<String> {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var codes: Set<String> = []
    let files = FileManager.default.enumerator(at: tests.resolvingSymlinksInPath(), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "txt", file.deletingLastPathComponent().lastPathComponent == "Goldens" else {
        continue
      }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        for mark in ["error[", "warning["] where line.hasPrefix(mark) {
          codes.insert(String(line.dropFirst(mark.count).prefix { $0 != "]" }))
        }
      }
    }
    return codes
  }
}
