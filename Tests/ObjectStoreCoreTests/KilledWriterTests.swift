import Foundation
import ObjectStoreCore
import Testing

/// A process with many tasks that write is killed: what they were told is safe must be there.
@Suite struct KilledWriterTests {
  private struct Write: Hashable {
    var task: Int64
    var turn: Int64
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6]) func everyAcknowledgedWriteIsThere(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    var acknowledged: Set<Write> = []
    // Killed several times, each time in another moment: the store that is left goes on.
    for round in 0..<3 {
      let lines = try Self.said(afterBeingKilledAt: 1 + Int(seed) * 37 + round * 211, of: path, from: round * 1_000_000)
      var told: Set<Write> = []
      for line in lines {
        let numbers = line.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 2 else {
          Issue.record("the process said \(line)")
          continue
        }
        #expect(numbers[1] % 5 != 4, "a write that threw was acknowledged")
        told.insert(Write(task: numbers[0], turn: numbers[1]))
      }
      acknowledged.formUnion(told)
      let store = try Store.openDynamic(path, mode: .readWrite)
      let rows = try store.objects("Note").rows(["task", "turn"])
      let kept = Set(
        rows.compactMap { row -> Write? in
          guard case .int(let task) = row[0], case .int(let turn) = row[1] else { return nil }
          return Write(task: task, turn: turn)
        })
      #expect(acknowledged.isSubset(of: kept), "round \(round): lost \(acknowledged.subtracting(kept))")
      #expect(!kept.contains { $0.turn % 5 == 4 }, "round \(round): a write that threw is there")
      // Each task has one write at most that was safe and not acknowledged, for each time it was killed.
      for task in Int64(0)..<24 {
        let unheard = kept.count { $0.task == task } - acknowledged.count { $0.task == task }
        #expect((0...round + 1).contains(unheard), "round \(round), task \(task): \(unheard) more than told")
      }
      #expect(try store.check().problems == [], "round \(round)")
    }
  }

  /// What the helper says until it is killed, some lines after its start.
  private static func said(afterBeingKilledAt count: Int, of store: String, from turn: Int) throws -> [String] {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = [store, "\(turn)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var said = Data()
    var isKilled = false
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += data
      if !isKilled, said.count(where: { $0 == 10 }) >= count {
        kill(process.processIdentifier, SIGKILL)
        isKilled = true
      }
    }
    process.waitUntilExit()
    #expect(isKilled, "it ended by itself")
    #expect(process.terminationReason == .uncaughtSignal)
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
