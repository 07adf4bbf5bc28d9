import CSystem
import Glibc

/// The file next to the data file in which LMDB keeps its reader slots and mutexes.
enum LockFile {
  /// Creates the lock file, with its blocks allocated: LMDB writes to it through a map, which on a full disk would
  /// cause a signal. Returns true when it can't be created and isn't needed, since the store is only read.
  static func prepare(_ directory: String, readers: Int, readOnly: Bool) throws(LMDBError) -> Bool {
    let path = directory + "/lock.mdb"
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      if readOnly, [EROFS, EACCES, EPERM, ENOSPC, EDQUOT, EFBIG].contains(errno) { return true }
      if errno == ELOOP { throw sharing(directory, "is a symbolic link") }
      throw .lastSystemError("opening", path)
    }
    // No environment of this process has the file open, so closing it drops no lock of LMDB's.
    defer { _ = Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAStore(path: directory, why: "its lock.mdb is not a file")
    }
    // With the slots and the commit number of another store, nothing holds that is promised of readers and writers.
    guard status.st_nlink <= 1 else { throw sharing(directory, "has \(status.st_nlink) names (hard links)") }
    // A slot takes one cache line, the header three. The size of an existing file is kept: others may have mapped it,
    // and LMDB would derive more slots from a larger file than they see.
    let size = status.st_size > 0 ? Int64(status.st_size) : Int64(max(readers, 1) - 1) * 64 + 192
    guard status.st_blocks * 512 < size else { return false }
    switch system_reserve(descriptor, size) {
    case 0, EOPNOTSUPP, ENOSYS: return false
    // An empty file is as good as none to those who come later.
    case ENOSPC where readOnly && status.st_size == 0, EDQUOT where readOnly && status.st_size == 0,
      EFBIG where readOnly && status.st_size == 0:
      return true
    case let code: throw .system(code, doing: "making room in", path: path)
    }
  }

  private static func sharing(_ directory: String, _ what: String) -> LMDBError {
    .locksApart(
      path: directory,
      why: "its lock.mdb \(what); close the store in every process and delete lock.mdb, which is made anew")
  }
}
