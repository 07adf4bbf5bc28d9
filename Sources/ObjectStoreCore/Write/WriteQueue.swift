internal import Dispatch
internal import Storage
internal import Synchronization

/// The writes that tasks wait for, in the order of the calls. Writes that wait at the same time become one transaction
/// and share its disk syncs, which cost a hundred times as much as a small write.
///
/// Each write sees the changes of the writes before it, and no changes remain of one that throws. When a write throws
/// after changing something, the transaction is undone, the writes before it run again without it, and it begins the
/// next transaction: as the first one there, its errors depend only on durable data. LMDB's nested transactions would
/// avoid the second run, but they copy each page that several writes change, once for each. The decoded clusters and
/// collected index entries, which LMDB does not manage, would also have to be copied or discarded for every write. All
/// writes would pay that cost for the few that throw.
final class WriteQueue: Sendable {
  private struct State {
    var waiting: [any QueuedWrite] = []
    var isServing = false
  }

  /// The time during which a transaction accepts more writes.
  private let span: Duration
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "ObjectStore.writer")

  /// Creates a queue whose transactions accept writes for `span`; by default about as long as their syncs take.
  init(span: Duration = .milliseconds(10)) { self.span = span }

  /// Appends a write.
  func add(_ write: any QueuedWrite, for store: Store) {
    let isServing = state.withLock { state in
      state.waiting.append(write)
      defer { state.isServing = true }
      return state.isServing
    }
    if !isServing { thread.async { self.serve(store) } }
  }

  private func serve(_ store: Store) {
    var line: [any QueuedWrite] = []
    while takeWaiting(into: &line, orStop: line.isEmpty) { serve(&line, store) }
  }

  /// Adds the writes that arrived meanwhile; false when no work is left, if it may stop then.
  private func takeWaiting(into line: inout [any QueuedWrite], orStop mayStop: Bool) -> Bool {
    let came = state.withLock { state in
      if state.waiting.isEmpty, mayStop { state.isServing = false }
      defer { state.waiting = [] }
      return state.waiting
    }
    line += came
    return !(came.isEmpty && mayStop)
  }

  /// Runs at least the first write of the queue, and as many more as fit in one transaction, at most `limit`.
  private func serve(_ line: inout [any QueuedWrite], _ store: Store, atMost limit: Int = .max) {
    var most = limit
    while true {
      var done = 0
      let waited = line.count
      do {
        try store.file.write(timeout: store.busyTimeout) { session in
          done = 0
          try perform(&line, atMost: most, in: session, &done)
        }
        for write in line.prefix(done) { write.succeed() }
        line.removeFirst(done)
        return
      } catch let failure as FailedWrite {
        if failure.isFirstChange {
          for write in line.prefix(done) { write.succeed() }
          line[done].fail(failure.error)
          line.removeFirst(done + 1)
          return
        }
        most = done
      } catch  where done > 1 {
        // One of the writes may have made the commit fail; each is tried in a commit of its own.
        for _ in 0..<done { serve(&line, store, atMost: 1) }
        return
      } catch {
        // Their turn never came, or a single write could not be committed.
        let failed = done == 0 ? waited : done
        for write in line.prefix(failed) { write.fail(error) }
        line.removeFirst(failed)
        return
      }
    }
  }

  /// Runs writes of the queue one after another; `done` is their number.
  private func perform(
    _ line: inout [any QueuedWrite], atMost most: Int, in session: WriteSession, _ done: inout Int
  ) throws {
    let start = ContinuousClock.now
    let untouched = session.generation
    while done < most, done == 0 || start.duration(to: .now) < span && !line[done - 1].isAlone {
      if done == line.count {
        guard most == .max, takeWaiting(into: &line, orStop: false), done < line.count else { return }
      }
      if done > 0, line[done].isAlone { return }
      guard line[done].begin() else {
        line.remove(at: done)
        continue
      }
      let before = session.generation
      do {
        try line[done].perform(in: session)
        try session.finish()
      } catch {
        guard session.isUnchanged(since: before) else {
          throw FailedWrite(error: error, isFirstChange: before == untouched)
        }
        line[done].refuse(error)
      }
      done += 1
    }
  }
}

/// A write threw after changing something: the transaction must be undone.
private struct FailedWrite: Error {
  var error: any Error
  /// Whether the writes before it in the transaction changed nothing.
  var isFirstChange: Bool
}
