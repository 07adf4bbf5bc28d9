import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// A process is killed while it migrates a store: what is left is the old store or the new one.
@Suite struct KilledMigrationTests {
  private static let count = 20_000
  private static let before =
    "@Model struct Note { #Index<Note>([\\.task, \\.turn]); var task: Int; var turn: Int; var text: String }"

  private func fill(_ path: String) throws {
    let store = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(Self.before))
    try store.write { tx in
      let rows = try tx.inserter(for: "Note")
      for number in 0..<Self.count {
        try rows.append([.int(Int64(number % 7)), .int(Int64(number)), .string("note \(number)")])
      }
    }
  }

  /// Lets the helper migrate, and kills it a moment after it said some lines; what it said.
  private func migrate(_ path: String, killAfter lines: Int, microseconds: UInt32 = 0) throws -> [String] {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = [path, "migrate"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var said = Data()
    var isKilled = false
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      said += data
      if !isKilled, said.count(where: { $0 == 10 }) >= lines {
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        isKilled = true
      }
    }
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Whether it is the new store; fails the test where it is neither.
  private func isNew(_ path: String) throws -> Bool {
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.check().problems == [])
    let properties = try store.schema.entities[0].properties
    let isNew = properties.contains { $0.name == "words" }
    let rows = try store.objects("Note").rows(isNew ? ["task", "turn", "words"] : ["task", "turn", "text"])
    #expect(rows.count == Self.count)
    for (number, row) in rows.enumerated() {
      let expected: [Value] =
        isNew
        ? [.double(Double(number % 7)), .int(Int64(number + 1)), .list([.string("note"), .string("\(number)")])]
        : [.int(Int64(number % 7)), .int(Int64(number)), .string("note \(number)")]
      guard row == expected else {
        Issue.record("number \(number) is \(row)")
        break
      }
    }
    #expect(properties.map(\.name) == (isNew ? ["task", "turn", "words"] : ["task", "turn", "text"]))
    return isNew
  }

  @Test(arguments: [1, 9, 19]) func inTheMiddleOfAStep(lines: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes")
    try fill(path)
    let said = try migrate(path, killAfter: lines)
    #expect(!said.contains("done"))
    #expect(try !isNew(path))
    // The next one does all of it.
    #expect(try migrate(path, killAfter: .max).suffix(2) == ["steps", "done"])
    #expect(try isNew(path))
    #expect(try migrate(path, killAfter: .max) == ["done"])
  }

  /// About the commit: some are killed before it, some after.
  @Test func aboutTheCommit() throws {
    var generator = SeededNumbers(testSeed())
    for _ in 0..<3 {
      let folder = try TemporaryFolder()
      let path = folder.path("notes")
      try fill(path)
      let delay = UInt32.random(in: 0..<60_000, using: &generator)
      let said = try migrate(path, killAfter: 21, microseconds: delay)
      #expect(said.contains("steps"), "after \(delay) µs: \(said)")
      let isNew = try isNew(path)
      #expect(isNew || !said.contains("done"), "after \(delay) µs: it said that it was done")
      if !isNew { _ = try migrate(path, killAfter: .max) }
      #expect(try self.isNew(path), "after \(delay) µs")
    }
  }
}
