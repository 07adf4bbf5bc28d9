import Foundation
import TestSeeds
import Testing

/// Whatever is damaged in a store's file: answers are right, or errors, or `check` says what is wrong.
@Suite struct DamagedStoresTests {
  /// So many files; `DAMAGE_FILES=20000` in the environment damages more.
  private static let count = ProcessInfo.processInfo.environment["DAMAGE_FILES"].flatMap { Int($0) } ?? 200

  @Test func damagedFilesGiveNoWrongAnswers() throws {
    let seed = testSeed() % 1_000_000_000
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var first = 0
    while first < Self.count {
      let (lines, end) = try Self.said(["damage", folder, "\(seed)", "\(first)", "\(Self.count - first)", "all"])
      for line in lines where Self.isNoticed(line) { Issue.record("seed \(seed), \(line)") }
      if end == 0 {
        print(lines.filter { $0.hasPrefix("  ") }.joined(separator: "\n"))
        return
      }
      // The next run begins after the case that ended this one.
      let last = lines.last { $0.hasPrefix("case ") } ?? "case \(Self.count)"
      Issue.record("seed \(seed), \(last) ended with \(end)")
      first = (Int(last.split(separator: " ")[1]) ?? Self.count) + 1
    }
  }

  /// The control: with nothing compared with its checksum, damage of each kind ends the process or is read as other
  /// objects, and the test notices.
  @Test func withoutChecksEachKindIsNoticed() throws {
    // The same each time: some kinds are read as other objects in one of a thousand cases only.
    let seed = 1
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kinds = try Self.said(["damage-kinds"]).lines
    #expect(kinds.count > 10)
    for kind in kinds {
      // It ends with the first that is noticed.
      let (lines, end) = try Self.said(
        ["damage", folder, "\(seed)", "0", kind == "grown" ? "100" : "3000", kind],
        environment: ["OBJECTSTORE_SKIP_DAMAGE_CHECKS": "1"])
      let isNoticed = end != 0 || lines.contains(where: Self.isNoticed)
      // What stands behind the last page is never read.
      #expect(isNoticed == (kind != "grown"), "seed \(seed), \(kind): \(end), \(lines.suffix(8))")
    }
  }

  /// Whether the helper says that something is as it must not be.
  private static func isNoticed(_ line: String) -> Bool { line.contains("WRONG") || line.contains("gigabyte") }

  /// In memory, if there is such a file system: thousands of files are written and synced.
  private static func folder() throws -> String {
    let memory = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    let folder = parent + "/damaged-stores-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return folder
  }

  /// What the helper says, and how it ends: its status, or the negative of a signal.
  private static func said(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (lines: [String], end: Int32) {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
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
