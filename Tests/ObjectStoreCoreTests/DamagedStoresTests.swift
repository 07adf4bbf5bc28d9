import Foundation
import TestSeeds
import Testing

/// Whatever is damaged in a store's file: answers are right, or errors, or `check` says what is wrong.
@Suite struct DamagedStoresTests {
  /// So many files; `DAMAGE_FILES=20000` in the environment damages more.
  private static let count = ProcessInfo.processInfo.environment["DAMAGE_FILES"].flatMap { Int($0) } ?? 200

  @Test func damagedFilesGiveNoWrongAnswers() throws {
    let seed = testSeed() % 1_000_000_000
    // In memory, if there is such a file system: thousands of files are written and synced.
    let memory = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    let folder = parent + "/damaged-stores-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var first = 0
    while first < Self.count {
      let (lines, end) = try Self.said(["damage", folder, "\(seed)", "\(first)", "\(Self.count - first)"])
      for line in lines where line.contains("WRONG") || line.contains("gigabyte") {
        Issue.record("seed \(seed), \(line)")
      }
      if end == 0 {
        print(lines.filter { $0.hasPrefix("  ") }.joined(separator: "\n"))
        return
      }
      // The next run begins after the case that ended this one.
      let last = lines.last { $0.hasPrefix("case ") } ?? "case \(Self.count)"
      Issue.record("seed \(seed), \(last) ended with \(end)")
      first = (Int(last.split(separator: " ")[1]) ?? Self.count) + 1
      try? FileManager.default.removeItem(atPath: folder + "/original")
    }
  }

  /// What the helper says, and how it ends: its status, or the negative of a signal.
  private static func said(_ arguments: [String]) throws -> ([String], Int32) {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
  }
}
