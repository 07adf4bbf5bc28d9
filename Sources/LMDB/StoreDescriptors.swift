import CSystem
import Glibc

/// The open directory and data file of a store, for locking, checking and measuring beside LMDB.
///
/// The lock file is not among them: closing it anywhere in the process would drop LMDB's locks on it.
struct StoreDescriptors: Sendable {
  let directory: Int32
  let data: Int32

  func close() {
    _ = Glibc.close(data)
    _ = Glibc.close(directory)
  }

  /// The size of the data file.
  var fileSize: Int {
    var status = stat()
    return fstat(data, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the file is as long as this process may make a file (`ulimit -f`).
  var hasReachedSizeLimit: Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return false }
    return UInt64(fileSize) >= UInt64(limit.rlim_cur)
  }

  /// Whether the file system has almost no free space.
  var isFull: Bool {
    var status = statvfs()
    guard fstatvfs(data, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 1 << 20
  }
}

extension StoreDescriptors {
  /// What has the name of the data file in the folder.
  enum Place {
    /// This file.
    case here
    /// Another file.
    case another
    case nothing
  }

  /// What has the name of the data file now. The folder may have been moved meanwhile.
  var place: Place {
    var own = stat()
    var found = stat()
    guard fstatat(directory, "data.mdb", &found, AT_SYMLINK_NOFOLLOW) == 0, fstat(data, &own) == 0 else {
      return .nothing
    }
    return own.st_ino == found.st_ino && own.st_dev == found.st_dev ? .here : .another
  }

  /// Waits until nobody changes what the names in the folder stand for, and keeps it so; exclusively for the compaction
  /// that changes it.
  ///
  /// LMDB opens both files by their names, one after the other. They must belong together: with the lock file of
  /// another data file it would begin with a wrong commit, or not see readers.
  ///
  /// Throws `superseded` when another file has the name already.
  func lockNames(exclusively: Bool = false, _ path: String) throws(LMDBError) {
    let deadline = Deadline(after: .seconds(10))
    var pause: UInt32 = 50
    while true {
      let code = system_lock(data, exclusively ? 1 : 0, 0)
      // Where files can't be locked there are no writers, and so no compaction.
      if code == 0 || code != EWOULDBLOCK && !exclusively { break }
      guard code == EWOULDBLOCK else { throw .system(code, doing: "locking", path: path) }
      if deadline.hasPassed { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
    guard place == .here else {
      unlockNames()
      throw .superseded
    }
  }

  /// Ends `lockNames`.
  func unlockNames() { _ = system_unlock(data) }

  /// The identity of the folder, which a compaction does not change; nil if the system does not tell it.
  var folder: EnvironmentRegistry.File? {
    var status = stat()
    guard fstat(directory, &status) == 0 else { return nil }
    return EnvironmentRegistry.File(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
