import Foundation
import ObjectStoreCore
import PredicateLanguage
import Testing

/// BEGIN, COMMIT, ROLLBACK and LET in a session.
@Suite struct StatementSessionTests {
  let store: Store
  let session: StatementSession

  init() throws {
    store = try Quake.store()
    session = StatementSession(store)
  }

  private func count(_ text: String = "COUNT Quake") throws -> Int? {
    switch try session.run(text) {
    case .count(let count): return count
    case .changed(let changes): return changes.count
    default: return nil
    }
  }

  private func code(_ text: String) -> String? {
    let error = #expect(throws: QueryError.self) { try session.run(text) }
    return error?.code
  }

  @Test func whatWasDoneIsSeenInsideAndKeptByCommit() throws {
    try session.run("BEGIN")
    #expect(session.isInTransaction)
    #expect(try count("DELETE Quake WHERE felt == 3") == 2)
    #expect(try count("UPDATE Quake SET magnitude = magnitude + 1") == 3)
    #expect(try count() == 3)
    #expect(try store.objects(Quake.self).count == 5, "nobody else sees it")
    guard case .rows(let rows) = try session.run("Quake SELECT @max.magnitude") else {
      Issue.record("no rows")
      return
    }
    #expect(try rows.rows() == [[.double(7.4)]])
    try session.run("COMMIT")
    #expect(!session.isInTransaction)
    #expect(try store.objects(Quake.self).count == 3)
  }

  @Test func rollbackUndoes() throws {
    try session.run("BEGIN")
    #expect(try count("DELETE Quake WHERE TRUEPREDICATE") == 5)
    try session.run("ROLLBACK")
    #expect(try count() == 5)
    // The store can be written to again.
    try store.write { tx in _ = try tx.add(Quake("z", 1)) }
    #expect(try count() == 6)
  }

  @Test func lettingGoUndoes() throws {
    do {
      let other = StatementSession(store)
      try other.run("BEGIN")
      try other.run("DELETE Quake")
    }
    #expect(try count() == 5)
  }

  @Test func misplacedWords() throws {
    #expect(code("COMMIT") == "no-transaction")
    #expect(code("ROLLBACK") == "no-transaction")
    try session.run("BEGIN")
    #expect(code("BEGIN") == "transaction-open")
    #expect(session.isInTransaction, "a mistake does not end it")
    try session.run("ROLLBACK")
  }

  @Test func aStatementThatFailsChangesNothingAndTheTransactionGoesOn() throws {
    try session.run("BEGIN")
    #expect(try count("DELETE Quake WHERE code == 'us1'") == 1)
    #expect(code("UPDATE Quake SET felt = magnitude * 2") == "value-does-not-fit")
    #expect(code("UPDATE Quake SET magn = 1") == "unknown-property")
    #expect(try count("COUNT Quake WHERE felt == 3") == 2)
    #expect(try count("COUNT Quake WHERE felt == nil") == 2)
    try session.run("COMMIT")
    #expect(try count() == 4)
  }

  @Test func uniquenessIsJudgedAtCommit() throws {
    try session.run("BEGIN")
    // Values change places on the way.
    try session.run("UPDATE Quake SET code = 'tmp' WHERE code == 'us1'")
    try session.run("UPDATE Quake SET code = 'us1' WHERE code == 'ak2'")
    try session.run("UPDATE Quake SET code = 'ak2' WHERE code == 'tmp'")
    try session.run("COMMIT")
    #expect(try count("COUNT Quake WHERE code == 'ak2' AND magnitude == 6.4") == 1)
    try session.run("BEGIN")
    try session.run("UPDATE Quake SET code = 'same' WHERE magnitude > 2")
    #expect(throws: StoreError.self) { try session.run("COMMIT") }
    #expect(!session.isInTransaction)
    #expect(try count("COUNT Quake WHERE code == 'same'") == 0)
    #expect(try count("UPDATE Quake SET felt = 0") == 5, "the store is free for the next writer")
  }

  @Test func anotherWriterWaitsNoLongerThanItWants() throws {
    try session.run("BEGIN")
    let store = store
    store.busyTimeout = .milliseconds(20)
    // A thread of its own: a task might run on this one, whose turn to write it is.
    let done = DispatchSemaphore(value: 0)
    Thread {
      #expect {
        try store.write { tx in _ = try tx.add(Quake("z", 1)) }
      } throws: {
        if case StoreError.busy(let writer?) = $0 { writer.processID == getpid() } else { false }
      }
      done.signal()
    }.start()
    done.wait()
    store.busyTimeout = nil
  }

  @Test func namedPredicates() throws {
    try session.run("LET big = magnitude > 5")
    try session.run("LET felt3 = felt == 3 OR $big")
    #expect(try count("COUNT Quake WHERE $big") == 2)
    #expect(try count("COUNT Quake WHERE $felt3") == 4)
    // A tree, not text: the OR inside stays together.
    #expect(try count("COUNT Quake WHERE $felt3 AND magnitude < 3") == 2)
    try session.run("LET big = magnitude > 6")
    #expect(try count("COUNT Quake WHERE $big") == 1)
    #expect(code("LET big = $big AND felt > 1") == "recursive-definition")
    #expect(code("LET big = NOT $felt3") == "recursive-definition")
    #expect(try count("COUNT Quake WHERE $big") == 1)
    let error = #expect(throws: QueryError.self) { try session.run("COUNT Quake WHERE $bigg") }
    #expect(error?.diagnostics.first?.notes.contains { $0.contains("$big") } == true)
  }

  /// A chain of definitions takes steps in proportion to its length, whichever end it is made from.
  @Test(arguments: [false, true]) func longChainsOfDefinitions(_ isBackwards: Bool) throws {
    var last: Int?
    for length in [250, 500, 1_000, 2_000] {
      let session = StatementSession(store)
      let links = (1...length).map { "LET d\($0) = $d\($0 - 1) AND magnitude > 0" }
      let steps = try StepCounter.count { for link in isBackwards ? links.reversed() : links { try session.run(link) } }
      #expect(throws: QueryError.self) { try session.run("LET d0 = felt > 1 OR $d\(length)") }
      try session.run("LET d0 = felt == 3")
      guard case .count(let count) = try session.run("COUNT Quake WHERE $d35") else { continue }
      #expect(count == 2)
      let error = #expect(throws: QueryError.self) { try session.run("COUNT Quake WHERE $d\(length)") }
      #expect(error?.code == "nesting-too-deep")
      guard let steps else { return }
      #expect(steps > length, "nothing was counted")
      if let last { #expect(steps <= last * 23 / 10 + 500, "\(last), then \(steps) steps for \(length)") }
      last = steps
    }
  }
}
