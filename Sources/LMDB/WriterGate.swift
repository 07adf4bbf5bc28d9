import CSystem
import Glibc

/// The writer lock, held by one thread of one process.
///
/// LMDB has a mutex for this, but waiting for it has no timeout; so this lock is taken first. Within the process it is
/// a monitor, between processes the lock of the store's directory.
final class WriterGate: @unchecked Sendable {
  private let monitor = Monitor()
  private let directory: Int32?
  private let path: String
  private var holder: pthread_t?
  /// The time since which the holder also has the directory lock; nil before that.
  private var since: UInt64?
  private var waits = WriterWaits()
  /// Whether the holder keeps the lock when it leaves the next time.
  private var stays = false
  /// The time at which the directory's modification time was last updated.
  private var lastNote: UInt64 = 0

  /// Creates a writer lock that locks the open directory; without one, for a store that no other process can see.
  init(directory: Int32?, path: String) {
    self.directory = directory
    self.path = path
  }

  /// Waits for the turn: `timeout` at most, or until `wait` ends it.
  func enter(timeout: Duration?, _ wait: WriterWait = WriterWait()) throws(LMDBError) {
    var waiting = WaitingWriter(wait, timeout: timeout)
    try enterMonitor(&waiting)
    do throws(LMDBError) {
      try lockDirectory(&waiting)
    } catch {
      release()
      throw error
    }
    monitor.lock()
    since = Deadline.coarseNow
    if let duration = waiting.duration { waits.add(duration) }
    monitor.unlock()
  }

  /// The waits of this process that ended with its turn.
  var waitsSoFar: WriterWaits {
    monitor.lock()
    defer { monitor.unlock() }
    return waits
  }

  /// Who holds the lock; nil when nobody does.
  var currentHolder: WriterHolder? {
    monitor.lock()
    let (isHeldHere, since) = (holder != nil, since)
    monitor.unlock()
    return isHeldHere ? current(since) : directory.flatMap { WriterHolder.ofDirectory($0) }
  }

  /// Has the next `leave` do nothing: the holder goes on when its transaction has ended.
  func stay() { stays = true }

  /// Releases the lock.
  func leave() {
    if stays {
      stays = false
      return
    }
    if let directory { _ = system_unlock(directory) }
    release()
  }

  /// Releases the lock after LMDB's own mutex could not be released. Other processes remain locked out, since they
  /// would wait for that mutex forever.
  func abandon() { release() }

  private func release() {
    monitor.lock()
    holder = nil
    since = nil
    monitor.wakeAll()
    monitor.unlock()
  }

  private func enterMonitor(_ waiting: inout WaitingWriter) throws(LMDBError) {
    monitor.lock()
    defer { monitor.unlock() }
    while let holder {
      if pthread_equal(holder, pthread_self()) != 0 { throw .nestedWrite }
      waiting.hasWaited = true
      _ = monitor.wait(until: waiting.nextLook)
      if self.holder == nil { break }
      let since = since
      // Called without holding the monitor.
      monitor.unlock()
      defer { monitor.lock() }
      try waiting.look { current(since) }
    }
    holder = pthread_self()
  }

  /// The current holder: this process since that moment, or, while it waits itself, another one.
  private func current(_ since: UInt64?) -> WriterHolder? {
    guard let since else { return directory.flatMap { WriterHolder.ofDirectory($0) } }
    let duration = Duration.nanoseconds(Int64(clamping: Deadline.coarseNow &- since))
    return WriterHolder(processID: getpid(), duration: duration)
  }

  private func lockDirectory(_ waiting: inout WaitingWriter) throws(LMDBError) {
    guard let directory else { return }
    var pause: UInt32 = 50
    while true {
      // Without callbacks the kernel may wait, but not the first time, so that it is known whether there was a wait.
      let code = system_lock(directory, 1, waiting.isEndless && waiting.hasWaited ? 1 : 0)
      if code == 0 { break }
      waiting.hasWaited = true
      if code == EWOULDBLOCK, waiting.isEndless { continue }
      guard code == EWOULDBLOCK else { throw .system(code, doing: "locking", path: path) }
      try waiting.look { WriterHolder.ofDirectory(directory) }
      usleep(pause)
      pause = min(pause * 2, 2_000)
    }
    // Waiting processes need the time only to a tenth of a second, so not every small write has to update it.
    let now = Deadline.coarseNow
    if now &- lastNote > 50_000_000 {
      lastNote = now
      WriterHolder.noteBeginning(directory)
    }
  }
}

/// The lock of an open directory, shared by readers or exclusive.
enum DirectoryLock {
  /// Waits for the lock: in the kernel without a deadline, otherwise by polling at growing intervals.
  static func take(
    _ directory: Int32, exclusive: Bool, until deadline: Deadline, path: String
  ) throws(LMDBError) {
    var pause: UInt32 = 50
    while true {
      let code = system_lock(directory, exclusive ? 1 : 0, deadline.time == nil ? 1 : 0)
      if code == 0 { return }
      guard code == EWOULDBLOCK else { throw .system(code, doing: "locking", path: path) }
      if deadline.hasPassed { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }
}
