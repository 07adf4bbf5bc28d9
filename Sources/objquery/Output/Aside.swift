import CPlatform
import Glibc

/// A file, or a folder of files, that is written beside its place and moved there when it is whole and on disk.
///
/// Until then there is what was at the place before, or nothing. Letting go of it removes what was written; what a killed
/// process left behind is removed by the next that writes to the same place.
final class Aside {
  /// Where it is written.
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

  /// A file to be at `place`.
  ///
  /// - Parameter replaces: Whether it takes the place of a file that is there; its mode stays then.
  static func file(_ place: String, replaces: Bool) throws -> Aside {
    var status = stat()
    let isThere = lstat(place, &status) == 0
    guard isThere else { return try make(at: place, isFolder: false, replaces: false) }
    guard replaces else { throw occupied(place) }
    // Through a link the file that it leads to is replaced, not the link.
    guard let target = realpath(place, nil) else { throw failure("write", place) }
    defer { free(target) }
    let made = try make(at: String(cString: target), isFolder: false, replaces: true)
    if stat(place, &status) == 0 { fchmod(made.descriptor, status.st_mode & 0o777) }
    return made
  }

  /// A folder to be at `place`, where there is nothing or an empty one.
  static func folder(_ place: String) throws -> Aside { try make(at: place, isFolder: true, replaces: false) }

  /// Moves it to its place. What its files hold must have been handed on.
  func finish() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("write", place) }
    switch replaces ? rename() : platform_rename_exclusively(path, place) {
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

  /// Where the file system has no exclusive rename, or something is there. A plain rename takes the place of an empty
  /// folder and of no other; a link takes no place that is taken.
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
        // Who sweeps may have been quicker.
        if errno == EEXIST || errno == ENOENT && isFolder { continue }
        throw failure(isFolder ? "make" : "write", place)
      }
      var status = stat()
      if platform_lock(descriptor, 1, 0) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        return Aside(path, descriptor, place: place, parent: parent, isFolder: isFolder, replaces: replaces)
      }
      close(descriptor)
    }
    throw failure("write", place, EBUSY)
  }

  /// Removes what killed processes left behind: nobody has it locked.
  private static func sweep(_ parent: String, _ prefix: String) {
    for name in names(in: parent) where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var status = stat()
      if platform_lock(descriptor, 1, 0) == 0, fstat(descriptor, &status) == 0 {
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

  /// What is in a folder; nothing where it can't be read.
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
