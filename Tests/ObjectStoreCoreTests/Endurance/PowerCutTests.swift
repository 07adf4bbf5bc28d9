import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// The power is cut while a process commits: whatever part of what was not synced is on the disk, the store opens, is
/// whole, and has every commit that was acknowledged. `POWER_IMAGES` says how many files are tried.
@Suite struct PowerCutTests {
  private static let count = ProcessInfo.processInfo.environment["POWER_IMAGES"].flatMap(Int.init) ?? 500
  private static let commits = 40

  /// What became of a store.
  private enum Fate: Equatable {
    case whole(commit: Int)
    case lost(String)
  }

  @Test func everyAcknowledgedCommitIsThere() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    var inDoubt = 0
    try eachRecord(seed) { writes, folder, images in
      for number in 0..<images {
        let end = Int.random(in: 0...writes.events.count, using: &random)
        let image = writes.cut(before: end, using: &random)
        switch fate(of: image, in: folder) {
        case .whole(let commit):
          // A commit that was not acknowledged yet may be there.
          #expect((image.mark...image.mark + 1).contains(commit), "image \(number) after event \(end)")
          if commit > image.mark { inDoubt += 1 }
        case .lost(let why): Issue.record("image \(number) after event \(end), commit \(image.mark): \(why)")
        }
      }
    }
    print("\(Self.count) files, \(inDoubt) with a commit that nobody was told of")
  }

  /// The control: where syncs do nothing, commits are lost or the store is damaged.
  @Test func withoutSyncsSomethingIsLost() throws {
    var random = SeededNumbers(7)
    var lost = 0
    try eachRecord(7, images: 60) { writes, folder, images in
      for _ in 0..<images {
        let end = Int.random(in: writes.events.count / 2...writes.events.count, using: &random)
        let image = writes.cut(before: end, ignoringSyncs: true, using: &random)
        switch fate(of: image, in: folder) {
        case .whole(let commit): if commit < image.mark { lost += 1 }
        case .lost: lost += 1
        }
      }
    }
    #expect(lost > 20, "only \(lost) of 60 lost anything")
  }

  /// Calls `body` with records of several runs.
  private func eachRecord(
    _ seed: UInt64, images: Int = count, _ body: (RecordedWrites, TemporaryFolder, Int) throws -> Void
  ) throws {
    let perRecord = 125
    for (round, first) in stride(from: 0, to: images, by: perRecord).enumerated() {
      let folder = try TemporaryFolder()
      let outcome = try EnduranceHelper.run(
        ["record", folder.path("store"), folder.path("log"), "\(seed &+ UInt64(round))", "\(Self.commits)"])
      try #require(outcome.status == 0, "\(outcome)")
      let writes = try RecordedWrites(log: folder.path("log"))
      let marks = writes.events.count { if case .mark = $0 { true } else { false } }
      try #require(marks == Self.commits)
      try body(writes, folder, min(perRecord, images - first))
    }
  }

  /// Opens a file and compares what is in it with what its last commit says.
  private func fate(of image: RecordedWrites.Image, in folder: TemporaryFolder) -> Fate {
    let path = folder.path("image-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(image.bytes).write(to: URL(filePath: path + "/data.mdb"))
      let store = try Store.openDynamic(path, mode: .readWrite)
      let problems = try store.check().problems
      if !problems.isEmpty { return .lost("\(problems)") }
      let commits = try store.objects("Commit").sorted(by: "number")
      let numbers = try commits.rows(["number"]).map { $0[0] }
      if numbers != (0..<numbers.count).map({ .int(Int64($0 + 1)) }) { return .lost("the commits are \(numbers)") }
      let notes = try store.objects("Note")
      if let last = try commits.rows(["count", "sum"]).last {
        let count = Value.int(Int64(try notes.count))
        let sum = try count == .int(0) ? .int(0) : notes.sum(of: "value")
        if last != [count, sum] { return .lost("there are \([count, sum]) instead of \(last)") }
      }
      for row in try notes.rows(["value", "text", "body"]) {
        guard case .int(let value) = row[0], row[1] == .string("note \(value)"), case .string(let body) = row[2],
          body.hasPrefix("note \(value) "), body.hasSuffix("note \(value) ")
        else { return .lost("a note is \(row)") }
      }
      // And it can be written to.
      try store.write { tx in _ = try tx.inserter(for: "Note").append([.int(1), .string("after"), .string("")]) }
      return .whole(commit: numbers.count)
    } catch {
      return .lost("\(error)")
    }
  }
}
