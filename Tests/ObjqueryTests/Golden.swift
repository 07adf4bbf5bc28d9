import Foundation
import Testing

/// Texts kept beside the tests: `UPDATE_GOLDENS=1` writes them, otherwise they must be met to the letter.
enum Golden {
  static func check(_ name: String, _ text: String, file: String = #filePath) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Goldens")
    let path = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: path)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text, "\(name) differs from its golden")
  }
}
