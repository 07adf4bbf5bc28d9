internal import Dispatch
internal import Storage
internal import Synchronization

/// The writes that tasks wait for, in the order they were asked for. Those that wait together become one transaction and
/// share its syncs of the disk, which cost a hundred times what a small write does.
///
/// Each of them sees what those before it did, and nothing of one that throws stays. When one throws that has changed
/// something, the transaction is undone, those before it are done again without it, and it begins the next one: there it
/// is the first, so that what it throws is about what is safe on disk. LMDB's nested transactions would spare the second
/// time, but copy each page that several of them change, for each of them; and the decoded clusters and gathered index
/// entries, which are no business of LMDB, would have to be copied or thrown away for every write. That would be paid
/// by all for the few that throw.
final class WriteQueue: Sendable {
  private struct State {
    var waiting: [any QueuedWrite] = []
    var isServing = false
  }

  /// How long a transaction takes in more writes.
  private let span: Duration
  private let state = Mutex(State())
  private let thread = DispatchQueue(label: "ObjectStore.writer")

  /// A queue of which a transaction takes in writes for `span`; by default about as long as its syncs take.
  init(span: Duration = .milliseconds(10)) { self.span = span }

  /// Puts a write at the end.
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

  /// Adds those that came meanwhile; false when there is nothing left to do, if it may stop then.
  private func takeWaiting(into line: inout [any QueuedWrite], orStop mayStop: Bool) -> Bool {
    let came = state.withLock { state in
      if state.waiting.isEmpty, mayStop { state.isServing = false }
      defer { state.waiting = [] }
      return state.waiting
    }
    line += came
    return !(came.isEmpty && mayStop)
  }

  /// Does at least the first of the line, and as many more as one transaction takes, `limit` at most.
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
        // What kept them from being committed may be the doing of one of them, or be over by now.
        for _ in 0..<done { serve(&line, store, atMost: 1) }
        return
      } catch {
        // It never was their turn, or the only one could not be committed.
        let failed = done == 0 ? waited : done
        for write in line.prefix(failed) { write.fail(error) }
        line.removeFirst(failed)
        return
      }
    }
  }

  /// Does writes of the line one after another; `done` is how many.
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

/// A write that changed something threw: the transaction must be undone.
private struct FailedWrite: Error {
  var error: any Error
  /// Whether those before it in the transaction changed nothing.
  var isFirstChange: Bool
}
