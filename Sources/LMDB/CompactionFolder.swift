import Glibc

/// The folder inside a store's in which a compaction makes the file that is to take the place of the store's, with its
/// lock file. Who has the writer lock may make and remove it.
struct CompactionFolder {
  /// The store's folder.
  let store: String

  var path: String { store + "/compacting" }
  var data: String { path + "/data.mdb" }
  private var lock: String { path + "/lock.mdb" }

  /// Whether a compaction is at work, or was cut off.
  var isThere: Bool { access(path, F_OK) == 0 }

  /// The size of the new file in bytes.
  var dataSize: Int {
    get throws(LMDBError) {
      var status = stat()
      guard stat(data, &status) == 0 else { throw .lastSystemError("looking at", data) }
      return Int(status.st_size)
    }
  }

  /// Makes it empty.
  func make() throws(LMDBError) {
    remove()
    guard mkdir(path, 0o700) == 0 else { throw .lastSystemError("making a folder in", store) }
  }

  func remove() {
    _ = unlink(data)
    _ = unlink(lock)
    _ = rmdir(path)
  }

  /// Gives the new file the owner and the mode of the store's, and a lock file that nobody has open, likewise.
  func prepare(_ options: Environment.Options) throws(LMDBError) {
    _ = unlink(lock)
    _ = try LockFile.prepare(path, readers: options.maximumReaders, readOnly: false)
    for name in ["/data.mdb", "/lock.mdb"] { try copyRights(from: store + name, to: path + name) }
    try Environment.sync(data)
    try Environment.sync(path, isFolder: true)
    try Environment.sync(store, isFolder: true)
  }

  /// Puts both files in the place of the store's. The lock file comes first: readers of the file before need none, as
  /// it is never written again; users of the new one must not meet those of another.
  func replaceStore() throws(LMDBError) {
    for name in ["/lock.mdb", "/data.mdb"] {
      guard rename(path + name, store + name) == 0 else { throw .lastSystemError("replacing a file of", store) }
    }
    _ = rmdir(path)
  }

  private func copyRights(from original: String, to copy: String) throws(LMDBError) {
    var (old, new) = (stat(), stat())
    guard stat(original, &old) == 0 else {
      // A store whose lock file was deleted.
      if errno == ENOENT { return }
      throw .lastSystemError("looking at", original)
    }
    guard stat(copy, &new) == 0 else { throw .lastSystemError("looking at", copy) }
    if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
      guard chown(copy, old.st_uid, old.st_gid) == 0 else { throw .lastSystemError("keeping the owner of", original) }
    }
    guard chmod(copy, old.st_mode & 0o7777) == 0 else { throw .lastSystemError("keeping the mode of", original) }
  }
}
