import Foundation
import ObjectStoreCore
import Synchronization
import Testing

/// What is given up by a `Cancellation` besides queries, and what is heard of a wait.
@Suite struct CancelledWorkTests {
  /// Runs `body` on a thread of its own while another writes.
  private func whileAnotherWrites(_ store: Store, _ body: @escaping @Sendable () -> Void) throws {
    try store.write { _ in
      // A task might run on this thread, whose turn to write it is.
      let done = DispatchSemaphore(value: 0)
      Thread {
        body()
        done.signal()
      }.start()
      done.wait()
    }
  }

  @Test func aWaitIsHeardOfAndGivenUp() throws {
    let store = try Quake.store()
    let heard = Mutex<[WaitingWrite]>([])
    let cancellation = Mutex<Cancellation?>(nil)
    let stopping = Cancellation { wait in
      heard.withLock { $0.append(wait) }
      cancellation.withLock { $0?.cancel() }
    }
    cancellation.withLock { $0 = stopping }
    try whileAnotherWrites(store) {
      #expect(throws: StoreError.cancelled) { try store.write(cancellation: stopping) { _ in } }
    }
    let waits = heard.withLock { $0 }
    #expect(waits.count == 1 && waits.first?.writer?.processID == getpid())
    #expect(waits.allSatisfy { $0.duration >= .milliseconds(500) && $0.duration < .seconds(60) })
  }

  @Test func everyWaitCanBeGivenUp() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let store = try Store(path, models: Project.self)
    try store.write { tx in _ = try tx.add(Task("first")) }
    let over = Cancellation()
    over.cancel()
    let works: [@Sendable () throws -> Void] = [
      { try store.write(cancellation: over) { tx in _ = try tx.add(Task("x")) } },
      { _ = try store.run("DELETE Task LIMIT 1", cancellation: over) },
      { try StatementSession(store).begin(cancellation: over) },
      { _ = try StatementSession(store).run("BEGIN", cancellation: over) },
      {
        var schema = try store.schema
        schema.entities[0].indexes.append(Index(paths: ["name"]))
        try store.declare(schema, cancellation: over)
      },
    ]
    for work in works {
      try whileAnotherWrites(store) { #expect(throws: StoreError.cancelled, performing: work) }
    }
    #expect(try store.objects(Task.self).count == 1)
    #expect(try store.check().isWhole)
  }

  @Test func checksAndCopiesAreGivenUp() throws {
    let folder = try TemporaryFolder()
    let store = try Store(folder.path("store"), models: Quake.self)
    try store.write { tx in for number in 0..<3_000 { _ = try tx.add(Quake("q\(number)", 1)) } }
    let over = Cancellation()
    over.cancel()
    #expect(throws: StoreError.cancelled) { _ = try store.check(cancellation: over) }
    #expect(throws: StoreError.cancelled) { try store.backup(to: folder.path("copy"), cancellation: over) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store"])
    #expect(try store.check(cancellation: Cancellation()).isWhole)
  }
}
