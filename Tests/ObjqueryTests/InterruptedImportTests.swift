import Foundation
import ObjectStoreCore
import Testing

/// Ctrl-C while an import runs: it ends soon with the status of its own, and says what is stored.
@Suite struct InterruptedImportTests {
  let workshop: Workshop
  let store: String
  let schema: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    schema = try workshop.file("thing.swift", "@Model struct Thing { var n: Int; var place: String }")
  }

  /// What became of an import, and how far it was when it was interrupted.
  private struct Outcome {
    var status: Int32
    var errors: String
    /// Whether it had ended by itself before there was anything to interrupt.
    var wasLate: Bool
  }

  /// Starts an import, and interrupts it once `moment` has come.
  private func interrupted(_ arguments: [String], when moment: () throws -> Bool) throws -> Outcome {
    let command = try RunningCommand(["import"] + arguments)
    while command.waitUntilItListens() {
      if try moment() { break }
      usleep(1000)
    }
    let wasLate = !command.isRunning
    let status = try command.interrupt()
    return Outcome(status: status, errors: command.errors, wasLate: wasLate)
  }

  private func rows(_ range: Range<Int>) throws -> String {
    try workshop.file("x.jsonl", range.map { "{\"n\":\($0),\"place\":\"\($0) km N of \($0 &* 7919)\"}\n" }.joined())
  }

  private func count() throws -> Int {
    try #require(Int(try Command.run([store, "-c", "COUNT Thing"]).output.filter { $0 != "\n" }))
  }

  /// A machine may be too fast for what is to be interrupted: then there is more of it.
  private func times(_ body: (_ size: Int) throws -> Bool) throws {
    for size in [1, 2, 4, 8] where try body(size) { return }
    Issue.record("it ended by itself each time")
  }

  @Test func whatIsStoredIsTold() throws {
    try times { size in
      try? FileManager.default.removeItem(atPath: store)
      let all = 600_000 * size
      let file = try rows(0..<all)
      // The file grows with the first commit of objects.
      let outcome = try interrupted([store, file, "Thing", "--schema", schema]) {
        let found = try? FileManager.default.attributesOfItem(atPath: store + "/data.mdb")[.size] as? Int
        return found ?? 0 > 500_000
      }
      if outcome.status == 0 { return false }
      #expect(outcome.status == 130, "\(outcome)")
      #expect(try Command.run(["check", store]).status == 0)
      let stored = try count()
      #expect(stored > 0)
      let rest = stored < all ? ", what comes after in the data is not" : ""
      let number = "\(stored / 1000)".count > 3 ? "\(stored / 1_000_000),\(stored / 1000 % 1000)" : "\(stored / 1000)"
      #expect(outcome.errors == "error: interrupted: \(number),000 objects of Thing are stored\(rest)\n")
      return true
    }
  }

  /// Another process may write for as long as it likes; who waits for it does not have to.
  @Test(arguments: [[], ["--index", "folded:place"]])
  func waitingForAnotherWriterEndsAtOnce(_ options: [String]) throws {
    let three = try rows(0..<3)
    #expect(try Command.run(["import", store, three, "Thing", "--schema", schema]).status == 0)
    let open = try Store.openDynamic(store, mode: .readWrite)
    try open.write { _ in
      var polls = 0
      let outcome = try interrupted([store, three, "Thing"] + options) {
        polls += 1
        return polls > 300
      }
      #expect(outcome.status == 130 && !outcome.wasLate, "\(outcome)")
      let index = options.isEmpty ? "" : "; the index @folded Thing.place is not there"
      #expect(outcome.errors.hasSuffix("error: interrupted: nothing more of Thing is stored\(index)\n"), "\(outcome)")
    }
    #expect(try count() == 3)
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func buildingAnIndexEndsAtOnce() throws {
    var all = 0
    try times { size in
      let more = try rows(all..<100_000 * size)
      all = 100_000 * size
      #expect(try Command.run(["import", store, more, "Thing", "--schema", schema]).status == 0)
      let open = try Store.openDynamic(store, mode: .readWrite)
      open.busyTimeout = .zero
      let outcome = try interrupted([store, "/dev/null", "Thing", "--jsonl", "--index", "trigram:place"]) {
        do {
          try open.write { _ in }
          return false
        } catch StoreError.busy {
          return true
        }
      }
      if outcome.status == 0 { return false }
      #expect(outcome.status == 130, "\(outcome)")
      // What it says of the index is what is in the store.
      let isThere = try Command.run(["schema", store]).output.contains("rigram")
      let index = "the index @trigram Thing.place is \(isThere ? "" : "not ")there"
      #expect(outcome.errors == "error: interrupted: nothing more of Thing is stored; \(index)\n")
      if isThere { return false }
      #expect(try count() == all)
      #expect(try Command.run(["check", store]).status == 0)
      return true
    }
  }
}
