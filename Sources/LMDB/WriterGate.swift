import CPlatform
import Glibc

/// Whose turn it is to write: one thread of one process.
///
/// LMDB has a mutex for this, but waiting for it can't time out; so this gate stands before it. Within the process it
/// is a monitor, between processes the lock of the store's directory.
final class WriterGate: @unchecked Sendable {
  private let monitor = Monitor()
  private let directory: Int32?
  private let path: String
  private var holder: pthread_t?

  /// A gate that locks the open directory; without one, a gate for a store that no other process can see.
  init(directory: Int32?, path: String) {
    self.directory = directory
    self.path = path
  }

  /// Waits for the turn.
  func enter(until deadline: Deadline) throws(LMDBError) {
    monitor.lock()
    while let holder {
      if pthread_equal(holder, pthread_self()) != 0 {
        monitor.unlock()
        throw .nestedWrite
      }
      if !monitor.wait(until: deadline), self.holder != nil, deadline.hasPassed {
        monitor.unlock()
        throw .busy
      }
    }
    holder = pthread_self()
    monitor.unlock()
    do throws(LMDBError) {
      try lockDirectory(until: deadline)
    } catch {
      release()
      throw error
    }
  }

  /// Gives the turn to the next.
  func leave() {
    if let directory { _ = platform_unlock(directory) }
    release()
  }

  /// Gives the turn up after LMDB's own mutex could not be given back. Other processes stay shut out, since they would
  /// wait for that mutex without end.
  func abandon() { release() }

  private func release() {
    monitor.lock()
    holder = nil
    monitor.wakeAll()
    monitor.unlock()
  }

  private func lockDirectory(until deadline: Deadline) throws(LMDBError) {
    guard let directory else { return }
    try DirectoryLock.take(directory, exclusive: true, until: deadline, path: path)
  }
}

/// The lock of an open directory, shared by readers or exclusive.
enum DirectoryLock {
  /// Waits for the lock: in the kernel when there is no deadline, else by asking at growing intervals.
  static func take(
    _ directory: Int32, exclusive: Bool, until deadline: Deadline, path: String
  ) throws(LMDBError) {
    var pause: UInt32 = 50
    while true {
      let code = platform_lock(directory, exclusive ? 1 : 0, deadline.time == nil ? 1 : 0)
      if code == 0 { return }
      guard code == EWOULDBLOCK else { throw .system(code, doing: "locking", path: path) }
      if deadline.hasPassed { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }
}
