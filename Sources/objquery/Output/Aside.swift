import CSystem
import Glibc

/// A file, or a folder of files, written to a temporary place and moved to its destination when it is complete and on
/// disk.
///
/// Until then, the destination keeps its previous contents, or does not exist. Releasing this deletes the temporary
/// files; files left behind by a killed process are deleted by the next writer to the same destination.
final class Aside {
  /// The temporary place.
  let path: String
  /// The file, open for writing; or the folder.
  let descriptor: CInt
  private let place: String
  private let parent: String
  private let isFolder: Bool
  private let replaces: Bool
  private var isThere = true

  private init(_ path: String, _ descriptor: CInt, place: String, parent: String, isFolder: Bool, replaces: Bool) {
    self.path = path
    self.descriptor = descriptor
    self.place = place
    self.parent = parent
    self.isFolder = isFolder
    self.replaces = replaces
  }

  deinit {
    if isThere { Self.remove(path, isFolder: isFolder) }
    close(descriptor)
  }

  /// A file to be moved to `place`.
  ///
  /// - Parameter replaces: Whether it replaces an existing file, whose mode is kept.
  static func file(_ place: String, replaces: Bool) throws -> Aside {
    var status = stat()
    let isThere = lstat(place, &status) == 0
    guard isThere else { return try make(at: place, isFolder: false, replaces: false) }
    guard replaces else { throw occupied(place) }
    // Through a symbolic link, the target file is replaced, not the link.
    guard let target = realpath(place, nil) else { throw failure("write", place) }
    defer { free(target) }
    let made = try make(at: String(cString: target), isFolder: false, replaces: true)
    if stat(place, &status) == 0 { fchmod(made.descriptor, status.st_mode & 0o777) }
    return made
  }

  /// A folder to be moved to `place`, which must not exist or be empty.
  static func folder(_ place: String) throws -> Aside { try make(at: place, isFolder: true, replaces: false) }

  /// A file in the folder; messages name it by its destination.
  func output(named name: String) throws -> OutputSink {
    try OutputSink.file("\(path)/\(name)", name: "\(place)/\(name)")
  }

  /// Moves it to its destination. Its files must have been flushed before.
  func finish() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("write", place) }
    switch replaces ? rename() : system_rename_exclusively(path, place) {
    case 0: break
    case EEXIST, EINVAL, ENOSYS: try moveOtherwise()
    case let code: throw Self.failure("write", place, code)
    }
    isThere = false
    let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func rename() -> CInt { Glibc.rename(path, place) == 0 ? 0 : errno }

  /// For a file system without exclusive rename, or an existing destination. A plain rename replaces only an empty
  /// folder; a hard link never replaces anything.
  private func moveOtherwise() throws {
    if isFolder {
      guard rename() == 0 else { throw Self.occupied(place) }
      return
    }
    guard link(path, place) == 0 else {
      throw errno == EEXIST ? Self.occupied(place) : Self.failure("write", place)
    }
    unlink(path)
  }

  // MARK: Making

  private static func make(at place: String, isFolder: Bool, replaces: Bool) throws -> Aside {
    var place = place
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    let slash = place.lastIndex(of: "/")
    let name = slash.map { String(place[place.index(after: $0)...]) } ?? place
    let parent = slash.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
    let prefix = ".\(name.prefix(50)).new-"
    sweep(parent, prefix)
    for _ in 0..<100 {
      let path = "\(parent)/\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
      if isFolder, mkdir(path, 0o777) != 0 {
        if errno == EEXIST { continue }
        throw failure("make", place)
      }
      let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_WRONLY | O_CREAT | O_EXCL
      let descriptor = open(path, flags | O_CLOEXEC, 0o666)
      if descriptor < 0 {
        // Another process may have cleaned up first.
        if errno == EEXIST || errno == ENOENT && isFolder { continue }
        throw failure(isFolder ? "make" : "write", place)
      }
      var status = stat()
      if system_lock(descriptor, 1, 0) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        return Aside(path, descriptor, place: place, parent: parent, isFolder: isFolder, replaces: replaces)
      }
      close(descriptor)
    }
    throw failure("write", place, EBUSY)
  }

  /// Deletes the files left behind by killed processes: those that nobody has locked.
  private static func sweep(_ parent: String, _ prefix: String) {
    for name in names(in: parent) where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var status = stat()
      if system_lock(descriptor, 1, 0) == 0, fstat(descriptor, &status) == 0 {
        remove(path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
      }
      close(descriptor)
    }
  }

  private static func remove(_ path: String, isFolder: Bool) {
    guard isFolder else {
      unlink(path)
      return
    }
    for name in names(in: path) { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// The contents of a folder; empty when it can't be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func occupied(_ place: String) -> CommandFailure {
    CommandFailure(description: "\(place) is there already", code: "file-exists")
  }

  private static func failure(_ verb: String, _ place: String, _ code: CInt = errno) -> CommandFailure {
    CommandFailure(description: "cannot \(verb) \(place): \(String(cString: strerror(code)))")
  }
}
