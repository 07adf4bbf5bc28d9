import Foundation

/// A run of the helper program for load and power failures, which the package builds beside the tests.
final class EnduranceHelper {
  /// How a run ended, and what it printed.
  struct Outcome {
    var status: Int32
    var output: String
  }

  private let process = Process()
  private let output = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "EnduranceTestHelper")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
  }

  // However a test ends, the process does not outlast it.
  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func end() -> Outcome {
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  static func run(_ arguments: [String]) throws -> Outcome { try EnduranceHelper(arguments).end() }
}
