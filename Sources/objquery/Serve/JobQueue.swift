import Dispatch
import Synchronization

/// Jobs in order. The thread that takes them does them one after the other.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    /// The index of the next job; those before it are done.
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)

  func add(_ job: Job) {
    state.withLock { if !$0.isClosed { $0.jobs.append(job) } }
    count.signal()
  }

  /// No more jobs are added; those that there are will be taken.
  func close() {
    state.withLock { $0.isClosed = true }
    count.signal()
  }

  /// Waits for the next job; nil when there will be none.
  func take() -> Job? {
    while true {
      count.wait()
      let (job, isOver): (Job?, Bool) = state.withLock { state in
        guard state.next < state.jobs.count else { return (nil, state.isClosed) }
        let job = state.jobs[state.next]
        state.next += 1
        if state.next == state.jobs.count { (state.jobs, state.next) = ([], 0) }
        return (job, false)
      }
      if let job { return job }
      if isOver { return nil }
    }
  }
}
