import Foundation
import Testing

/// Ctrl-C while an import runs: it says what is stored, and that is so.
@Suite struct InterruptedImportTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  /// Starts an import of many rows and interrupts it once the store's file is larger than so many bytes: it grows with
  /// the first commit of objects.
  private func interrupted(beyond size: Int) throws -> (status: Int32, errors: String) {
    let rows = (0..<600_000).map { "{\"n\":\($0),\"place\":\"\($0) km N\"}\n" }
    let file = try workshop.file("x.jsonl", rows.joined())
    let schema = try workshop.file("thing.swift", "@Model struct Thing { var n: Int; var place: String }")
    let errors = try workshop.file("errors", "")
    let process = Process()
    process.executableURL = try Command.binary()
    process.arguments = ["import", store, file, "Thing", "--schema", schema]
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    for _ in 0..<30_000 where process.isRunning {
      if let found = try? FileManager.default.attributesOfItem(atPath: store + "/data.mdb")[.size] as? Int, found > size
      {
        break
      }
      usleep(1000)
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return (process.terminationStatus, try workshop.text("errors"))
  }

  private func count() throws -> String { try Command.run([store, "-c", "COUNT Thing"]).output }

  @Test func whatIsStoredIsTold() throws {
    let outcome = try interrupted(beyond: 500_000)
    #expect(outcome.status == 130, "\(outcome)")
    let stored = try #require(Int(try count().filter { $0 != "\n" }))
    #expect(stored > 0 && stored < 600_000)
    #expect(
      outcome.errors
        == "error: interrupted: \(stored / 1000),000 objects of Thing are stored, what comes after in the data is not\n"
    )
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func nothingIsStoredBeforeTheFirstCommit() throws {
    let outcome = try interrupted(beyond: 0)
    #expect(outcome.status == 130, "\(outcome)")
    guard outcome.errors.contains("nothing") else { return }
    #expect(
      outcome.errors == "error: interrupted: nothing of Thing is stored, the entity is there without objects\n",
      "\(outcome.errors)")
    #expect(try count() == "0\n")
  }
}
