import Foundation
import Testing

/// `objquery` while it runs, to be interrupted.
final class RunningCommand {
  private let process = Process()
  private let scratch: Scratch

  /// Starts it; what it says goes through a file, so that no pipe can fill up.
  init(_ arguments: [String]) throws {
    scratch = try Scratch()
    for name in ["out", "err"] { _ = FileManager.default.createFile(atPath: scratch.path(name), contents: nil) }
    process.executableURL = try Command.binary()
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: scratch.path("out"))
    process.standardError = FileHandle(forWritingAtPath: scratch.path("err"))
    try process.run()
  }

  // However a test ends, the process does not outlast it.
  deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

  var isRunning: Bool { process.isRunning }
  var status: Int32 { process.terminationStatus }

  /// What it has said so far on standard error.
  var errors: String { (try? String(contentsOfFile: scratch.path("err"), encoding: .utf8)) ?? "" }

  /// What it has shown so far on standard output.
  var output: String { (try? String(contentsOfFile: scratch.path("out"), encoding: .utf8)) ?? "" }

  /// Waits until it has shown something; false when it has ended before, or does not within half a minute.
  func waitUntilItShows(_ text: String) -> Bool {
    for _ in 0..<3_000 {
      if output.contains(text) { return true }
      if !isRunning { return output.contains(text) }
      usleep(10_000)
    }
    return false
  }

  /// Waits until it has said something; false when it has ended before, or does not within half a minute.
  func waitUntilItSays(_ text: String) -> Bool {
    for _ in 0..<3_000 {
      if errors.contains(text) { return true }
      if !isRunning { return errors.contains(text) }
      usleep(10_000)
    }
    return false
  }

  /// Waits until Ctrl-C does more than end it as it ends any other process; false when it has ended before.
  func waitUntilItListens() -> Bool {
    while isRunning {
      if listens { return true }
      usleep(1_000)
    }
    return false
  }

  private var listens: Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
      let mask = UInt64(line.dropFirst("SigCgt:".count).trimmingCharacters(in: .whitespaces), radix: 16)
    else { return false }
    return mask & 1 << UInt64(SIGINT - 1) != 0
  }

  /// One Ctrl-C, after which it must end.
  func interrupt() throws -> Int32 {
    process.interrupt()
    for _ in 0..<1_000 where process.isRunning { usleep(10_000) }
    try #require(!process.isRunning, "it goes on")
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return status
  }

  /// Its end without a word.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Its end by itself.
  func end() -> Int32 {
    process.waitUntilExit()
    return status
  }
}
