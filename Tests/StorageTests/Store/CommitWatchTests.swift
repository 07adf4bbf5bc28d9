import Dispatch
import Glibc
import Schema
import Synchronization
import Testing
import Values

@testable import Storage

/// How commits of other processes are noticed: by the system's notifications, and where there are none by looking often
/// enough. Both keep the promise of 100 ms: a notification comes with the write, and the interval is a constant. The
/// benchmark measures the delay.
@Suite struct CommitWatchTests {
  /// Counts calls, and lets a test wait for them.
  private final class Calls: Sendable {
    private let count = Mutex(0)
    private let called = DispatchSemaphore(value: 0)

    func add() {
      count.withLock { $0 += 1 }
      called.signal()
    }

    var soFar: Int { count.withLock { $0 } }

    /// Waits for the next call; false if there is none for a minute.
    func wait() -> Bool { called.wait(timeout: .now() + 60) == .success }
  }

  private static let schema = Schema.only("Note", [.scalar("text", .string), .scalar("size", .int)])

  @Test func theIntervalKeepsThePromise() { #expect((1...100).contains(FileNotices.longestWait)) }

  @Test func withoutNotificationsItIsCalledAgainAndAgain() {
    let calls = Calls()
    // The system watches no file that is not there.
    let notices = FileNotices(of: "/nowhere/data.mdb") { calls.add() }
    for _ in 0..<3 { #expect(calls.wait()) }
    notices.end()
  }

  @Test func writesOfThisAndOfOtherProcessesAreNotified() throws {
    let folder = try StoreFolder()
    let file = try folder.open(Self.schema)
    let calls = Calls()
    let notices = FileNotices(of: folder.store + "/data.mdb") { calls.add() }
    // It is not called while nothing is written: five intervals are enough to tell it from looking often.
    usleep(UInt32(5 * FileNotices.longestWait * 1_000))
    #expect(calls.soFar == 0)
    try Helper.run([folder.store, "insert", "3"])
    #expect(calls.wait())
    let before = calls.soFar
    try file.insert([[.string("own"), .int(1)]], into: "Note")
    while calls.soFar == before { try #require(calls.wait()) }
    notices.end()
  }

  /// The observer's wait ends with the other process's commit, whose number is then visible or about to be.
  @Test func anObserverWaitsForACommitOfAnotherProcess() async throws {
    let folder = try StoreFolder()
    let file = try folder.open(Self.schema)
    let version = file.currentVersion
    let observer = file.commits.makeObserver()
    try Helper.run([folder.store, "insert", "3"])
    #expect(await observer.wait())
    #expect(file.currentVersion == version + 1)
  }
}
