import Foundation
import Testing

/// Another process, for what two processes do with one store.
enum OtherProcess {
  /// Runs a statement in another process, and waits until that has ended.
  static func run(_ statement: String, on store: String) throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = [store, statement]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(statement)")
  }
}
