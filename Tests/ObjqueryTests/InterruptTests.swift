import Foundation
import ObjectStoreCore
import Testing

/// Ctrl-C, and waiting for another writer: the first press ends it, and what is said then is so.
@Suite struct InterruptTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
  }

  private func fill(_ count: Int) throws {
    let schema = try workshop.file(
      "models.swift", "@Model struct Thing { #Index<Thing>([\\.n]); var n: Int; var place: String }")
    let rows = (0..<count).map { "{\"n\":\($0),\"place\":\"\($0) km N of \($0 &* 7919)\"}\n" }.joined()
    let outcome = try Command.run([
      "import", "--quiet", store, try workshop.file("x.jsonl", rows), "Thing", "--schema", schema,
    ])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: workshop.path))
  }

  private func count(_ condition: String) throws -> String {
    try Command.run([store, "-c", "COUNT Thing WHERE \(condition)"]).output
  }

  // MARK: Waiting

  private static let writes: [(words: [String], told: String)] = [
    (["-c", "UPDATE Thing SET n = -1 WHERE n == 1"], ""), (["-c", "BEGIN", "-c", "COMMIT"], ""),
    (["-c", "INSERT Thing {\"n\": -1, \"place\": \"\"}"], ""),
    (["--yes", "-c", "ALTER Thing RENAME n TO m"], "nothing was changed"),
  ]

  /// After half a second it says who writes, and the first Ctrl-C ends it.
  @Test(arguments: writes) func waitingForAnotherWriter(_ write: (words: [String], told: String)) throws {
    try fill(3)
    let open = try Store.openDynamic(store, mode: .readWrite)
    try open.write { _ in
      let command = try RunningCommand([store] + write.words)
      #expect(command.waitUntilItSays("waiting for process \(getpid()), which has been writing to the store for"))
      #expect(try command.interrupt() == 130)
    }
    #expect(try count("n < 0") == "0\n")
    // One that is in time says nothing.
    let quick = try Command.run([store, "-c", "UPDATE Thing SET n = n"] + ["--yes"])
    #expect(quick.status == 0 && quick.errors == "3 objects changed\n")
  }

  @Test func waitingTakesNoLongerThanTheTimeout() throws {
    try fill(3)
    let open = try Store.openDynamic(store, mode: .readWrite)
    let outcome = try open.write { _ in
      try Command.run([store, "--timeout", "700", "--yes", "-c", "UPDATE Thing SET n = -1"])
    }
    #expect(outcome.status == 124, "\(outcome)")
    #expect(outcome.errors.hasSuffix("error: stopped after 700 ms: nothing was changed\n"), "\(outcome)")
    #expect(outcome.errors.hasPrefix("waiting for process \(getpid())"), "\(outcome)")
    #expect(try count("n < 0") == "0\n")
  }

  /// The holder is another process, and is killed: the one that waits goes on.
  @Test func aKilledWriterIsNotWaitedFor() throws {
    try fill(3)
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "store> "))
    terminal.type("BEGIN\n")
    #expect(terminal.wait(for: "store*> "))
    terminal.type("UPDATE Thing SET n = -5 WHERE n == 1\n")
    #expect(terminal.wait(for: "1 object changed"))
    let command = try RunningCommand([store, "-c", "UPDATE Thing SET n = -1 WHERE n == 2"])
    #expect(command.waitUntilItSays("waiting for process \(terminal.processID), which has been writing"))
    kill(terminal.processID, SIGKILL)
    #expect(command.end() == 0)
    #expect(command.errors.hasSuffix("1 object changed\n"))
    #expect(try count("n == -1") == "1\n" && count("n == -5") == "0\n")
  }

  /// Who types is not thrown out: the first Ctrl-C ends the wait, and the next statement runs.
  @Test func waitingWhereSomebodyTypes() throws {
    try fill(3)
    let open = try Store.openDynamic(store, mode: .readWrite)
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "store> "))
    let rows = try workshop.file("more.jsonl", "{\"n\":9,\"place\":\"x\"}\n")
    let statements = [
      ("UPDATE Thing SET n = -1 WHERE n == 1", "interrupted: nothing was changed"),
      ("BEGIN", "interrupted: no transaction was begun"),
      (".import \(rows) Thing", "interrupted: nothing more of Thing is stored"),
      (
        ".import \(rows) Thing --index trigram:place",
        "interrupted: nothing more of Thing is stored; the index @trigram Thing.place is not there"
      ),
    ]
    try open.write { _ in
      for (statement, told) in statements {
        terminal.type(statement + "\n")
        #expect(terminal.wait(for: "waiting for process \(getpid())"), "\(statement)")
        terminal.interrupt()
        #expect(terminal.wait(for: told), "\(statement)")
        #expect(terminal.wait(for: "store> "), "\(statement)")
      }
      terminal.type("COUNT Thing\n")
      #expect(terminal.wait(for: "3\r\n"))
    }
    #expect(terminal.wait(for: "store> "))
    terminal.type("UPDATE Thing SET n = -1 WHERE n == 1\n")
    #expect(terminal.wait(for: "1 object changed"))
    #expect(try !Command.run(["schema", store]).output.contains("rigram"))
  }

  // MARK: Changes

  /// Changes that are interrupted say what became of them, and it is so.
  @Test(arguments: ["UPDATE Thing SET place = place", "UPDATE Thing SET n = n + 1000000", "DELETE Thing WHERE n >= 0"])
  func aChangeThatIsInterruptedSaysSo(_ statement: String) throws {
    try fill(60_000)
    let before = try Command.run([store, "Thing"]).output
    var interrupted = 0
    for wait in [0, 5, 20, 60, 150, 400] as [UInt32] {
      let command = try RunningCommand([
        store, "--yes", "-c", statement, "-c", "INSERT Thing {\"n\": -1, \"place\": \"\"}",
      ])
      _ = command.waitUntilItListens()
      usleep(wait * 1_000)
      let status = try command.interrupt()
      if status == 0 { break }
      #expect(status == 130, "\(status): \(command.errors)")
      // Before the change begins it ends as every process does.
      guard command.errors.contains("interrupted") else { continue }
      if command.errors.contains("objects changed") || command.errors.contains("objects deleted") { break }
      #expect(command.errors.hasSuffix("interrupted: nothing was changed\n"), "\(command.errors)")
      #expect(try Command.run([store, "Thing"]).output == before)
      interrupted += 1
    }
    #expect(interrupted > 0, "it was never in time")
  }

  /// A transaction whose process is interrupted is undone, and that is said.
  @Test func aTransactionThatIsInterruptedIsUndone() throws {
    try fill(60_000)
    let command = try RunningCommand(
      [store, "--yes", "-c", "BEGIN", "-c", "INSERT Thing {\"n\": -1, \"place\": \"\"}"]
        + Array(repeating: ["-c", "UPDATE Thing SET n = n + 1"], count: 200).flatMap { $0 })
    #expect(command.waitUntilItSays("objects changed"))
    #expect(try command.interrupt() == 130)
    #expect(command.errors.hasSuffix("interrupted: what was done since BEGIN was undone\n"), "\(command.errors)")
    #expect(try count("n < 0") == "0\n")
  }

  // MARK: Long work

  /// Runs a command and interrupts it after some of the time that it takes, a part more each time.
  private func interrupting(_ words: [String], _ check: (_ status: Int32, _ errors: String) throws -> Void) throws {
    var interrupted = 0
    for wait in [0, 5, 20, 60, 150, 400] as [UInt32] {
      let command = try RunningCommand(words)
      _ = command.waitUntilItListens()
      usleep(wait * 1_000)
      let status = try command.interrupt()
      #expect([0, 130].contains(status), "\(status): \(command.errors)")
      try check(status, command.errors)
      if status == 130 { interrupted += 1 } else { break }
    }
    #expect(interrupted > 0, "it was never in time")
  }

  @Test func copiesAreThereWhenTheyAreWhole() throws {
    try fill(60_000)
    let before = try names()
    try interrupting(["backup", store, workshop.path + "/copy"]) { (status, errors) throws in
      if try names() != before {
        #expect(try Command.run(["check", workshop.path + "/copy"]).status == 0)
        #expect(status == 0 || Self.namesNoFile(errors), "\(errors)")
        return try FileManager.default.removeItem(atPath: workshop.path + "/copy")
      }
      #expect(errors == "error: interrupted: there is no copy at \(workshop.path)/copy\n" || errors == "\n")
    }
  }

  /// Whether the message says only that the command was interrupted: Ctrl-C came after the work, and before the end.
  private static func namesNoFile(_ errors: String) -> Bool { ["\n", "interrupted\n"].contains(errors) }

  @Test func compactionsHappenOrDoNot() throws {
    try fill(60_000)
    let before = try names()
    try interrupting(["compact", store]) { (status, errors) throws in
      #expect(try names() == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store).sorted() == ["data.mdb", "lock.mdb"])
      #expect(try count("n >= 0") == "60000\n")
      if status == 0 { return }
      #expect(errors == "error: interrupted: the store is as it was\n" || errors == "\n", "\(errors)")
    }
    let late = try Command.run(["compact", "--timeout", "1", store])
    #expect(late.status == 124 && late.errors == "error: stopped after 1 ms: the store is as it was\n", "\(late)")
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func dumpsAreThereWhenTheyAreWhole() throws {
    try fill(60_000)
    let before = try names()
    try interrupting([store, "-c", ".dump \(workshop.path)/dump"]) { (status, errors) throws in
      if try names() != before {
        let lines = try workshop.text("dump/Thing.jsonl").split(separator: "\n").count
        // Ctrl-C may come after the last words, too.
        let rest = errors.replacing("read back with: objquery import STORE \(workshop.path)/dump\n", with: "")
        let isTold = rest.isEmpty || Self.namesNoFile(rest)
        #expect(lines == 60_000 && (status == 0 || isTold), "\(lines) \(errors)")
        return try FileManager.default.removeItem(atPath: workshop.path + "/dump")
      }
      #expect(errors == "interrupted: there is no dump at \(workshop.path)/dump\n" || errors == "\n", "\(errors)")
    }
  }

  @Test func exportsAreThereWhenTheyAreWhole() throws {
    try fill(60_000)
    let file = try workshop.file("out.csv", "as it was\n")
    let before = try names()
    try interrupting(["export", "--overwrite", store, file, "Thing"]) { (status, errors) throws in
      #expect(try names() == before)
      let text = try workshop.text("out.csv")
      if text != "as it was\n" {
        let lines = text.split(separator: "\n").count
        #expect(lines == 60_001 && (status == 0 || Self.namesNoFile(errors)), "\(lines) \(errors)")
        _ = try workshop.file("out.csv", "as it was\n")
        return
      }
      #expect(errors == "error: interrupted: \(file) is as it was\n" || errors == "\n", "\(errors)")
    }
    try interrupting([store, "-c", ".export \(workshop.path)/new.csv Thing"]) { (status, errors) throws in
      if try names() != before {
        let lines = try workshop.text("new.csv").split(separator: "\n").count
        #expect(lines == 60_001 && (status == 0 || Self.namesNoFile(errors)), "\(lines) \(errors)")
        return try FileManager.default.removeItem(atPath: workshop.path + "/new.csv")
      }
      #expect(errors == "interrupted: \(workshop.path)/new.csv was not written\n" || errors == "\n", "\(errors)")
    }
  }

  /// A killed process leaves nothing that looks whole and is not.
  @Test func whatAKilledProcessLeaves() throws {
    try fill(60_000)
    let works: [(words: [String], name: String, isWhole: () throws -> Bool)] = [
      (
        ["export", store, workshop.path + "/out.csv", "Thing"], "out.csv",
        { try workshop.text("out.csv").split(separator: "\n").count == 60_001 }
      ),
      (
        [store, "-c", ".dump \(workshop.path)/dump"], "dump",
        { try workshop.text("dump/Thing.jsonl").split(separator: "\n").count == 60_000 }
      ),
      (
        ["backup", store, workshop.path + "/copy"], "copy",
        { try Command.run(["check", workshop.path + "/copy"]).status == 0 }
      ),
    ]
    for work in works {
      let command = try RunningCommand(work.words)
      _ = command.waitUntilItListens()
      usleep(30_000)
      command.kill()
      let left = try names().subtracting(["store", "models.swift", "x.jsonl"]).filter { !$0.hasPrefix(".") }
      #expect(left.isSubset(of: works.map(\.name)), "\(left)")
      if left.contains(work.name) { #expect(try work.isWhole(), "\(work.name)") }
    }
  }

  @Test func checksEndAtOnce() throws {
    try fill(60_000)
    try interrupting(["check", store]) { (status, errors) throws in
      #expect(status == 0 || errors == "error: interrupted\n" || errors == "\n", "\(errors)")
    }
    let terminal = try Terminal([store], state: workshop.path + "/state")
    #expect(terminal.wait(for: "store> "))
    // A check may be over before it is interrupted: then the next one is interrupted earlier.
    let delays: [UInt32] = [50_000, 20_000, 10_000, 5_000, 2_000, 1_000]
    let wasInterrupted = delays.contains { microseconds in
      terminal.type(".check\n")
      usleep(microseconds)
      terminal.interrupt()
      usleep(200_000)
      terminal.type("COUNT Thing\n")
      let shown = terminal.text(until: "60000\r\n")
      #expect(shown != nil, "who types goes on")
      return shown?.contains("interrupted") ?? true
    }
    #expect(wasInterrupted, "it was never in time")
  }

  /// At whatever moment an index is given up, what is said of it is what is in the store.
  @Test func indexesAreThereOrNotAsIsSaid() throws {
    try fill(40_000)
    let schema = try Command.run(["schema", store]).output
    for index in ["place", "folded:place", "trigram:place"] {
      let kind = index.contains(":") ? index.prefix { $0 != ":" } : "indexed"
      try interrupting(["import", store, "/dev/null", "Thing", "--jsonl", "--index", index]) {
        (status, errors) throws in
        let isThere = try Command.run(["schema", store]).output != schema
        if status == 0 { return #expect(isThere) }
        if errors != "\n" {
          #expect(errors.contains("interrupted: nothing more of Thing is stored"), "\(errors)")
          #expect(errors.contains("the index @\(kind) Thing.place is not there") == !isThere, "\(errors)")
        }
        #expect(!isThere || errors.contains("the index @\(kind) Thing.place is there"), "\(errors)")
      }
      try FileManager.default.removeItem(atPath: store)
      try fill(40_000)
    }
    #expect(try Command.run(["check", store]).status == 0)
  }
}
