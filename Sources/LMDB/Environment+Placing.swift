import CSystem
import Glibc

extension Environment {
  /// Makes the files of a store by `fill` in a temporary folder, and moves it to a path when it is complete and on disk:
  /// whatever happens, the path then has either the new store or what it had before.
  ///
  /// - Parameter replacing: Whether a store at the path is replaced, which nobody should have open. Without it, the path
  ///   must not exist or be an empty folder.
  static func place(_ directory: String, replacing: Bool = false, _ fill: (_ folder: String) throws -> Void) throws {
    let (parent, name) = try split(directory)
    let isReplacement = replacing && isNothingButAStore(directory)
    let hasEmptyFolder = try isReplacement ? false : isEmptyFolder(directory)
    let temporary = try makeBeside(directory, in: parent, name: name)
    do {
      try fill(temporary.path)
      try sync(temporary.path, isFolder: true)
      if isReplacement {
        try exchange(temporary.path, directory)
      } else {
        try move(temporary.path, to: directory, replacingEmptyFolder: hasEmptyFolder)
      }
    } catch {
      temporary.remove()
      // Nobody knows the temporary folder.
      guard case LMDBError.system(let code, _, let path) = error, path.hasPrefix(temporary.path) else { throw error }
      throw LMDBError.system(code, doing: "making", path: directory)
    }
    temporary.keep()
    try sync(parent, isFolder: true)
    // What is at the temporary path now was replaced.
    if isReplacement { TemporaryDirectory.remove(temporary.path) }
  }

  /// Gives two folders each other's names at once.
  static func exchange(_ first: String, _ second: String) throws(LMDBError) {
    let code = system_exchange(first, second)
    guard code == 0 else { throw .system(code, doing: "replacing the store at", path: second) }
  }

  /// Whether a folder has a store's data and no other files, so that removing it removes nothing else.
  private static func isNothingButAStore(_ directory: String) -> Bool {
    var status = stat()
    guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      lstat(directory + "/data.mdb", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let folder = opendir(directory)
    else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard [".", "..", "data.mdb", "lock.mdb"].contains(name) else { return false }
    }
    return true
  }

  /// Whether a folder has the data file of this store.
  func isOwn(_ directory: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard fstat(file.data, &own) == 0, stat(directory + "/data.mdb", &other) == 0 else { return false }
    return own.st_ino == other.st_ino && own.st_dev == other.st_dev
  }
}
