import Dispatch
import Glibc
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

/// A thread with the stack of a main thread.
struct OwnThread {
  private let thread: pthread_t

  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts it.
  ///
  /// - Throws: When the system has no more threads.
  init(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &thread, nil,
      { start in
        start.map { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw CommandFailure(description: "cannot start a thread: \(String(cString: strerror(code)))")
    }
    self.thread = thread
  }

  /// Waits for its end.
  func join() { pthread_join(thread, nil) }

  /// Lets it end by itself.
  func detach() { pthread_detach(thread) }
}
