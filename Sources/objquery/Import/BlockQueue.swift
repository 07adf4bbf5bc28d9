import Glibc

/// Passes blocks of rows in order from the thread that fills them to the thread that stores them, and empty blocks
/// back.
///
/// There are only a few blocks, so neither thread gets far ahead of the other. It does not know their contents.
final class BlockQueue: @unchecked Sendable {
  // All that follows is used under the lock.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var empty: [RowBlock]
  private var full: [RowBlock] = []
  private var isClosed = false

  init(_ blocks: [RowBlock]) {
    empty = blocks
    pthread_mutex_init(lock, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(lock)
    change.deallocate()
    lock.deallocate()
  }

  /// Waits for an empty block, and until full blocks take little memory; nil once the queue is closed.
  func takeEmpty() -> RowBlock? {
    locked {
      while !isClosed, empty.isEmpty || full.reduce(0, { $0 + $1.byteCount }) >= 4 * RowBlock.mostBytes { wait() }
      return isClosed ? nil : empty.popLast()
    }
  }

  func give(full block: RowBlock) {
    locked {
      full.append(block)
      pthread_cond_signal(change)
    }
  }

  /// Waits for the oldest full block; nil once the queue is closed.
  func takeFull() -> RowBlock? {
    locked {
      while !isClosed, full.isEmpty { wait() }
      return isClosed ? nil : full.removeFirst()
    }
  }

  func give(empty block: RowBlock) {
    locked {
      empty.append(block)
      pthread_cond_signal(change)
    }
  }

  /// Ends all waiting, now and later.
  func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(change)
    }
  }

  private func wait() { pthread_cond_wait(change, lock) }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}
