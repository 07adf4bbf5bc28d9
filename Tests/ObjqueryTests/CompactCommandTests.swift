import Foundation
import ObjectStoreCore
import Testing

@testable import objquery

/// `objquery compact` and `.compact`: what they say, and what becomes of the file.
@Suite struct CompactCommandTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let rows = (0..<5_000).map { "{\"n\":\($0),\"place\":\"\($0) km N of here\"}\n" }.joined()
    let outcome = try Command.run(["import", "--quiet", store, try workshop.file("x.jsonl", rows), "Thing"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try Command.run([store, "--yes", "-c", "DELETE Thing WHERE n > 2"]).status == 0)
  }

  private func size() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store + "/data.mdb")[.size] as? Int ?? -1
  }

  @Test func whatIsSaid() throws {
    var told = ""
    let calls: [[String]] = [
      ["compact", store], ["compact", "--quiet", store], ["compact"], ["compact", "--timeout", "0", store],
      ["compact", workshop.path + "/none"], ["compact", "--help"], ["compakt", store], [store, "-c", ".compact"],
      [store, "-c", "BEGIN", "-c", ".compact"], [store, "--readonly", "-c", ".compact"],
      [store, "--safe", "-c", ".compact"], ["-c", ".compact"], [store, "-c", ".vacuum"],
      [store, "-c", ".help .compact"],
    ]
    for words in calls {
      let outcome = try Command.run(words)
      told +=
        "$ objquery \(words.joined(separator: " "))\n\(outcome.output)\(outcome.errors)status \(outcome.status)\n\n"
    }
    // Sizes depend on the engine's pages.
    told = told.replacingOccurrences(of: workshop.path + "/", with: "")
      .replacing(#/[0-9.]+ (KiB|MiB)/#, with: "SIZE")
    try Golden.check("compact", told)
  }

  @Test func theFileGetsSmall() throws {
    let before = try size()
    let outcome = try Command.run(["compact", store])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    #expect(try size() < before / 3)
    #expect(outcome.output == "\(byteCount(before)) before, \(byteCount(try size())) after\n")
    #expect(try Command.run([store, "COUNT Thing"]).output == "3\n")
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func waitingForAnotherWriterHasATimeLimit() throws {
    let open = try Store.openDynamic(store, mode: .readWrite)
    let before = try size()
    let outcome = try open.write { _ in try Command.run(["compact", "--timeout", "700", store]) }
    #expect(outcome.status == 124, "\(outcome)")
    #expect(outcome.errors.hasPrefix("waiting for process \(ProcessInfo.processInfo.processIdentifier)"), "\(outcome)")
    #expect(outcome.errors.hasSuffix("error: stopped after 700 ms: the store is as it was\n"), "\(outcome)")
    #expect(try size() == before)
  }
}
