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
