import Glibc

extension Environment {
  /// Writes the last commit to a new store at a path that does not exist or is an empty folder, without free pages, so
  /// that the copy is as small as possible. Others can read and write meanwhile. The copy is made in a temporary folder
  /// and moved when it is complete and on disk.
  ///
  /// Every page is checked as it is copied. The lists of free pages are not read: a copy is the way to new ones.
  ///
  /// - Parameters:
  ///   - replacing: Whether a store at the path is replaced. Without it, there must be none.
  ///   - isCancelled: Called regularly: once it returns true, the copy is deleted and `LMDBError.cancelled` is thrown.
  ///   - verify: Called with the folder of the complete copy before it is moved, which can be opened then; if it throws,
  ///     the copy is deleted.
  package func copy(
    to directory: String, replacing: Bool = false, isCancelled: (() -> Bool)? = nil,
    verifying verify: ((_ copy: String) throws -> Void)? = nil
  ) throws {
    if isOwn(directory) { throw LMDBError.alreadyExists(path: directory) }
    let (reader, header) = try beginReadWithHeader()
    // The pages of its commit stay as they are.
    defer { reader.end() }
    try Self.place(directory, replacing: replacing) { folder in
      try copy(header, intoFile: folder + "/data.mdb", isCancelled: isCancelled)
      try Self.sync(folder + "/data.mdb")
      guard let verify else { return }
      // Where there is no room for it, only who has the folder to himself can read, and that is this process already.
      _ = try LockFile.prepare(folder, readers: options.maximumReaders, readOnly: false)
      // It is needed while the copy is open only, and that is here.
      defer { _ = unlink(folder + "/lock.mdb") }
      try verify(folder)
    }
  }

  /// Writes the trees of a commit to a new file. Their pages must stay as they are: this thread has a snapshot of it, or
  /// the writer lock.
  func copy(
    _ header: FileHeader, intoFile path: String, isCancelled: (() -> Bool)?
  ) throws(LMDBError) {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .lastSystemError("making", path) }
    defer { _ = Glibc.close(file) }
    let map = try map(header, isCancelled: isCancelled)
    let copier = PageCopier(file, pageSize: pageSize, path: path, isCancelled: isCancelled)
    let mainTree = try TreeCheck.run(map, header.newest.mainTree, .main, name: "the main tree", copier: copier) {
      (key, value, flags) throws(LMDBError) in
      guard let database = NamedTree(key, value, flags) else { return nil }
      return try database.check(map, copier: copier)
    }
    try copier.finish(mainTree, commit: header.newest.commit)
  }
}
