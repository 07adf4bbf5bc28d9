internal import CSystem
internal import Glibc
internal import Synchronization

/// Threads that share the work of callers. They are created when first needed and then kept.
///
/// A caller never waits for work that no thread has started: it works too, and at the end withdraws the shares that no
/// thread has taken.
final class WorkerPool: @unchecked Sendable {
  static let shared = WorkerPool()

  /// The number of cores.
  static let coreCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// The maximum number of threads.
  private static let mostThreads = 15
  /// How often a caller polls a share that is nearly done before it sleeps: some tens of microseconds.
  private static let spins = 1000

  /// A share of a caller's work.
  private final class Ticket {
    private var work: ((Int) -> Void)?
    private let number: Int
    /// Written under the mutex.
    var isBegun = false
    let isDone = Atomic<Bool>(false)

    init(_ number: Int, _ work: @escaping (Int) -> Void) {
      self.number = number
      self.work = work
    }

    /// Runs the share. A separate function, so that nothing retains the work once the caller learns that it is done:
    /// for the caller it is a closure that does not escape.
    @inline(never) func run() {
      if let work { work(number) }
      work = nil
    }

    /// Releases the work without running it.
    @inline(never) func drop() { work = nil }
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let hasWork: UnsafeMutablePointer<pthread_cond_t>
  private let isDone: UnsafeMutablePointer<pthread_cond_t>
  private var waiting: [Ticket] = []
  private var threadCount = 0
  private var idleCount = 0

  private init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    hasWork = .allocate(capacity: 1)
    hasWork.initialize(to: pthread_cond_t())
    pthread_cond_init(hasWork, nil)
    isDone = .allocate(capacity: 1)
    isDone.initialize(to: pthread_cond_t())
    pthread_cond_init(isDone, nil)
  }

  /// Calls `work` with 0 on this thread and with 1, 2, … on at most `helpers` other threads that are idle. Returns when
  /// all calls have returned.
  func share(helpers: Int, _ work: (Int) -> Void) {
    if helpers < 1 { return work(0) }
    withoutActuallyEscaping(work) { work in
      let tickets = (1...helpers).map { Ticket($0, work) }
      pthread_mutex_lock(mutex)
      waiting += tickets
      while idleCount < waiting.count, threadCount < Self.mostThreads, startThread() {}
      pthread_cond_broadcast(hasWork)
      pthread_mutex_unlock(mutex)
      work(0)
      pthread_mutex_lock(mutex)
      waiting.removeAll { mine in tickets.contains { $0 === mine } }
      pthread_mutex_unlock(mutex)
      for ticket in tickets { if ticket.isBegun { wait(for: ticket) } else { ticket.drop() } }
    }
  }

  /// Waits for a share that was started. Little of it is left, so polling first is faster than sleeping and being
  /// woken.
  private func wait(for ticket: Ticket) {
    for _ in 0..<Self.spins {
      if ticket.isDone.load(ordering: .acquiring) { return }
      system_pause()
    }
    pthread_mutex_lock(mutex)
    while !ticket.isDone.load(ordering: .acquiring) { pthread_cond_wait(isDone, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Starts a thread; the caller holds the mutex. Returns false if the system has no thread left, which only makes work
  /// slower.
  private func startThread() -> Bool {
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { _ in WorkerPool.shared.serve() }, nil)
    guard code == 0 else { return false }
    pthread_detach(thread)
    threadCount += 1
    idleCount += 1
    return true
  }

  /// The loop of a worker thread.
  private func serve() -> Never {
    pthread_mutex_lock(mutex)
    while true {
      guard !waiting.isEmpty else {
        pthread_cond_wait(hasWork, mutex)
        continue
      }
      let ticket = waiting.removeFirst()
      ticket.isBegun = true
      idleCount -= 1
      pthread_mutex_unlock(mutex)
      ticket.run()
      pthread_mutex_lock(mutex)
      idleCount += 1
      ticket.isDone.store(true, ordering: .releasing)
      pthread_cond_broadcast(isDone)
    }
  }
}
