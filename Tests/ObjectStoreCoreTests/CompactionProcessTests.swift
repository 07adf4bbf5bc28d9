import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// A store that is compacted while other processes have it open, and compactions that are killed.
@Suite struct CompactionProcessTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("notes")
  }

  /// A run of the helper program.
  private final class Helper {
    private let process = Process()
    private let output = Pipe()
    private var said = Data()

    init(_ words: String...) throws {
      process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
        "ObjectStoreCoreTestHelper")
      process.arguments = words
      process.standardOutput = output
      try process.run()
    }

    /// Waits until it has said so many lines.
    func wait(forLines count: Int) {
      while said.count(where: { $0 == 10 }) < count {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        said += data
      }
    }

    var lineCount: Int { said.count(where: { $0 == 10 }) }

    func kill() -> [String] {
      Foundation.kill(process.processIdentifier, SIGKILL)
      return end().lines
    }

    /// All that it says until it has ended.
    func end() -> (status: Int32, lines: [String]) {
      said += output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    var isRunning: Bool { process.isRunning }
  }

  private func kept(_ store: Store) throws -> Set<String> {
    let rows = try store.objects("Note").rows(["task", "turn"])
    return Set(
      rows.compactMap { row in
        guard case .int(let task) = row[0], case .int(let turn) = row[1] else { return nil }
        return "\(task) \(turn)"
      })
  }

  private func add(_ task: Int64, _ turn: Int64, to store: Store) throws {
    try store.write { tx in
      try tx.inserter(for: "Note").append([.int(task), .int(turn), .string("note \(turn)")])
    }
  }

  /// Two processes write all the time while this one compacts, writes and reads: all that anybody was told is safe is
  /// there at the end.
  @Test func nothingThatOthersWriteIsLost() throws {
    let helpers = try [Helper(path, "0"), Helper(path, "1000000")]
    for helper in helpers { helper.wait(forLines: 20) }
    let store = try Store.openDynamic(path, mode: .readWrite)
    let reading = try Store.openDynamic(path, mode: .readOnly)
    var own: Set<String> = []
    for round in 0..<15 {
      try store.compact()
      try add(100, Int64(round), to: store)
      own.insert("100 \(round)")
      #expect(try reading.objects("Note").filter("task == 100").count == round + 1)
      // They go on in the new file.
      for helper in helpers { helper.wait(forLines: helper.lineCount + 15) }
      for helper in helpers { #expect(helper.isRunning) }
    }
    var told = own
    for helper in helpers { told.formUnion(helper.kill()) }
    let lost = try told.subtracting(kept(store))
    #expect(lost.isEmpty, "\(lost)")
    #expect(told.count > 15 * 2 * 15)
    #expect(try store.check().problems == [])
    let compacted = try Store.openDynamic(path, mode: .readWrite)
    #expect(try kept(compacted) == kept(store))
  }

  /// A compaction is killed at all its moments, while this process and another write.
  @Test func aKilledCompactionLosesNothing() throws {
    var told: Set<String> = []
    do {
      let store = try Store.openDynamic(path, mode: .create, schema: Self.schema)
      try store.write { tx in
        let inserter = try tx.inserter(for: "Note")
        for turn in 0..<20_000 { try inserter.append([.int(200), .int(Int64(turn)), .string("old note \(turn)")]) }
      }
    }
    let helper = try Helper(path, "0")
    helper.wait(forLines: 5)
    let store = try Store.openDynamic(path, mode: .readWrite)
    var ends = (early: 0, copying: 0, done: 0)
    let start = ContinuousClock.now
    #expect(try Helper(path, "compact").end().lines == ["done"])
    let (seconds, attoseconds) = start.duration(to: .now).components
    let whole = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    var random = SeededNumbers(testSeed())
    for round in 0..<30 {
      let compacting = try Helper(path, "compact")
      usleep(UInt32(whole * Double.random(in: 0...1.2, using: &random)))
      _ = compacting.kill()
      if compacting.lineCount > 0 {
        ends.done += 1
      } else if FileManager.default.fileExists(atPath: path + "/compacting") {
        ends.copying += 1
      } else {
        ends.early += 1
      }
      try add(100, Int64(round), to: store)
      told.insert("100 \(round)")
      helper.wait(forLines: helper.lineCount + 5)
      #expect(helper.isRunning)
    }
    print("compactions: \(ends)")
    told.formUnion(helper.kill())
    let lost = try told.subtracting(kept(store))
    #expect(lost.isEmpty, "\(lost)")
    #expect(try store.objects("Note").filter("task == 200").count == 20_000)
    #expect(try store.check().problems == [])
    #expect(try Store.openDynamic(path, mode: .readWrite).check().isWhole)
  }

  /// Observers of another process's commits go on in the new file, though they do nothing but wait.
  @Test(.timeLimit(.minutes(1))) func observersHearOfOthersAfterwards() async throws {
    let store = try Store(path, models: Quake.self)
    try await store.write { tx in _ = try tx.add(Quake("first", 1)) }
    var changes = store.objects(Quake.self).changes().makeAsyncIterator()
    guard case .initial = try await changes.next() else {
      Issue.record("no first results")
      return
    }
    let row = #""magnitude": 2, "time": "2018-02-07T01:02:03Z", "place": {"name": "", "longitude": 0, "latitude": 0}"#
    for round in 1...3 {
      #expect(try Helper(path, "compact").end().lines == ["done"])
      #expect(try Helper(path, "INSERT Quake {\"code\": \"\(round)\", \(row)}").end().status == 0)
      guard case .update(let results, _, let insertions, _, _) = try await changes.next() else {
        Issue.record("no update")
        return
      }
      #expect(try results.count == round + 1)
      #expect(insertions == [round])
    }
  }

  private static let schema = Schema(entities: [
    Entity(
      name: "Note",
      properties: [
        Property(name: "task", type: .scalar(.int)), Property(name: "turn", type: .scalar(.int)),
        Property(name: "text", type: .scalar(.string)),
      ],
      indexes: [Index(kind: .ordered, paths: ["task", "turn"])])
  ])
}
