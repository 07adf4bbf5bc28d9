import Foundation
import Testing

/// Another process, for what two processes do with one store.
enum OtherProcess {
  /// Runs a statement in another process, and waits until that has ended; returns the lines that it says.
  @discardableResult
  static func run(_ statement: String, on store: String) throws -> [String] {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = [store, statement]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(statement)")
    return said.split(separator: "\n").map(String.init)
  }
}
