import CLMDB
import CSystem
import Glibc

extension Environment {
  /// Creates a store at a path that does not exist or is an empty folder. It is created in a temporary folder and moved
  /// when it is complete and on disk: whatever happens, the path then has either a store with the data of `initialise`
  /// or no store.
  package static func create(
    _ directory: String, options: Options = Options(), initialise: (WriteTransaction) throws -> Void
  ) throws {
    system_watch_forks()
    system_outlive_file_size_limit()
    try place(directory) { try fill($0, options: options, initialise: initialise) }
  }

  /// Creates a store in memory, which is discarded with its last reference and is not visible to other processes.
  package static func inMemory(options: Options = Options()) throws(LMDBError) -> Environment {
    system_watch_forks()
    system_outlive_file_size_limit()
    let temporary = try TemporaryDirectory.make(in: memoryFolder, prefix: ".objectstore-")
    // Once LMDB has opened its files, their names are not needed.
    defer { temporary.remove() }
    var options = options
    options.noSync = true
    options.readOnly = false
    return try makeNew(temporary.path, options: options)
  }

  /// The folder in which the store is created. Errors name its parent, since the caller does not know the folder's
  /// name.
  static func makeBeside(
    _ directory: String, in parent: String, name: String
  ) throws(LMDBError) -> TemporaryDirectory {
    do throws(LMDBError) {
      return try TemporaryDirectory.make(in: parent, prefix: ".\(name).new-")
    } catch {
      guard case .system(let code, _, _) = error else { throw error }
      if code == ENOENT || code == ENOTDIR {
        throw .notAStore(path: directory, why: "it cannot be made, for '\(parent)' is no folder that takes one")
      }
      throw .system(code, doing: "making a store in", path: parent)
    }
  }

  private static func fill(
    _ directory: String, options: Options, initialise: (WriteTransaction) throws -> Void
  ) throws {
    var options = options
    options.noSync = true
    options.readOnly = false
    do {
      let environment = try makeNew(directory, options: options)
      try environment.write(initialise)
    }
    try sync(directory + "/data.mdb")
    try sync(directory + "/lock.mdb")
  }

  /// An environment on an empty folder.
  private static func makeNew(_ directory: String, options: Options) throws(LMDBError) -> Environment {
    let path = directory + "/data.mdb"
    let data = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard data >= 0 else { throw .lastSystemError("making", path) }
    let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      let error = LMDBError.lastSystemError("opening", directory)
      _ = Glibc.close(data)
      throw error
    }
    let file = StoreDescriptors(directory: folder, data: data)
    return try make(
      Opening(directory: directory, path: directory, options: options, isNew: true), file: file, key: nil)
  }

  static func move(
    _ from: String, to: String, replacingEmptyFolder: Bool
  ) throws(LMDBError) {
    var code = system_rename_exclusively(from, to)
    // A plain rename replaces only an empty folder, so it is equally safe, also if the file system has no exclusive
    // rename.
    if (code == EEXIST && replacingEmptyFolder) || code == EINVAL || code == ENOSYS {
      code = rename(from, to) == 0 ? 0 : errno
    }
    switch code {
    case 0: return
    case EEXIST, ENOTEMPTY, ENOTDIR: throw .alreadyExists(path: to)
    default: throw .system(code, doing: "moving the new store to", path: to)
    }
  }

  static func sync(_ path: String, isFolder: Bool = false) throws(LMDBError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | (isFolder ? O_DIRECTORY : 0))
    guard descriptor >= 0 else { throw .lastSystemError("opening", path) }
    defer { _ = Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .lastSystemError("syncing", path) }
  }

  /// The folder and the name of a path.
  static func split(_ path: String) throws(LMDBError) -> (parent: String, name: String) {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path
    guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
      throw .notAStore(path: String(path), why: "a store can't have that name")
    }
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return (parent, String(name))
  }

  /// Whether there is an empty folder; throws if there is anything else.
  static func isEmptyFolder(_ path: String) throws(LMDBError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw .lastSystemError("looking at", path)
    }
    guard status.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) else { throw .alreadyExists(path: path) }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    guard count <= 2 else { throw .alreadyExists(path: path) }
    return true
  }

  /// The folder for a store in memory: the shared memory file system, if there is one with enough space.
  private static var memoryFolder: String {
    var status = statvfs()
    let shared = "/dev/shm"
    if access(shared, W_OK | X_OK) == 0, statvfs(shared, &status) == 0,
      UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 128 << 20
    {
      return shared
    }
    if let folder = getenv("TMPDIR"), access(folder, W_OK | X_OK) == 0 { return String(cString: folder) }
    return "/tmp"
  }
}
