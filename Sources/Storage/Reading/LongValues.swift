internal import Glibc
internal import LMDB

/// The keys of overflow values in an entity's `v` database.
///
/// A key begins with its kind (0: the value of an object, 1: the chunk of a column), then the number of the object or
/// cluster and that of the column, both big-endian, so that all values of a cluster are adjacent.
enum LongValues {
  static func key(_ key: OutOfLineKey) -> [UInt8] {
    let owner = key.slot.map { key.cluster << 8 | UInt64(truncatingIfNeeded: $0) & 255 } ?? key.cluster
    var bytes: [UInt8] = [key.slot == nil ? 1 : 0]
    bytes.reserveCapacity(13)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: owner >> UInt64(shift)))
    }
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: key.column >> UInt32(shift)))
    }
    return bytes
  }

  /// Decodes a key; nil for bytes that are not a key.
  static func name(_ bytes: UnsafeRawBufferPointer) -> OutOfLineKey? {
    guard bytes.count == 13, bytes[0] <= 1 else { return nil }
    let owner = bytes[1..<9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let column = bytes[9..<13].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bytes[0] == 0
      ? OutOfLineKey(cluster: owner >> 8, column: column, slot: Int(owner & 255))
      : OutOfLineKey(cluster: owner, column: column, slot: nil)
  }

  /// A source of overflow values in a transaction. Scans use it on several threads, and LMDB allows one at a time.
  static func source(in transaction: Transaction, _ database: Database, path: String) -> OutOfLineSource {
    let lock = Lock()
    return { (name) throws(StoreError) in
      let key = key(name)
      lock.lock()
      defer { lock.unlock() }
      return try StoreError.meaning(path) { () throws(LMDBError) in
        try key.withBytes { key throws(LMDBError) in try transaction.get(key, database) }
      }
    }
  }
}

/// A mutex for a single read of LMDB.
private final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }
}
