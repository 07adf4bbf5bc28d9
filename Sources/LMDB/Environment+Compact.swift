import Glibc
import Synchronization

extension Environment {
  /// Puts a copy of the last commit without free pages in the place of the file, and returns the sizes of both, in bytes.
  /// Nobody else can write meanwhile; readers go on, with the file they began with. Afterwards this environment only
  /// serves the transactions that it has: `successor` opens the new file.
  ///
  /// The copy is made beside the file, checked, and on disk before anything changes. Then the file gets a mark as its last
  /// commit, which tells everybody who has it open to open the other, and the other gets its name. So a process that is
  /// killed leaves one of both files at the path, whole; if it is the marked one, the next writer finishes.
  ///
  /// - Parameters:
  ///   - timeout: How long it waits for other writers.
  ///   - wait: Cancels that wait, and the copying.
  ///   - note: Called in each commit that the copy has beyond those of the file.
  ///   - mark: Called in the last commit of the file.
  @discardableResult
  package func compact(
    timeout: Duration? = nil, wait: WriterWait = WriterWait(),
    noting note: (WriteTransaction) throws -> Void = { _ in },
    marking mark: (WriteTransaction) throws -> Void = { _ in }
  ) throws -> (before: Int, after: Int) {
    let transaction = try beginWrite(timeout: timeout, wait: wait)
    gate.stay()
    defer {
      transaction.abort()
      gate.leave()
    }
    let folder = CompactionFolder(store: folderPath)
    let before = file.fileSize
    let header = try FileHeader.read(file.data, path: dataPath)
    // One for the mark, so that no number stands for two states.
    let number = header.newest.commit &+ 2
    try folder.make()
    do {
      try makeSuccessor(header, in: folder, number, isCancelled: wait.isCancelled, noting: note)
      let after = try folder.dataSize
      try file.lockNames(exclusively: true, path)
      defer { file.unlockNames() }
      try transaction.put(number, SupersededMark.successor)
      try mark(transaction)
      try transaction.commit()
      superseded.store(true, ordering: .releasing)
      try folder.replaceStore()
      try Self.sync(folder.store, isFolder: true)
      return (before, after)
    } catch {
      // With the mark, the next writer needs it.
      if !superseded.load(ordering: .acquiring) { folder.remove() }
      throw Self.naming(dataPath, error, of: folder)
    }
  }

  /// Finishes a compaction that was cut off after this file had got its mark. This thread has the writer lock.
  func finishCutOffCompaction() throws(LMDBError) {
    do { try finishCompaction() } catch let error as LMDBError { throw error } catch { throw .compactionUnfinished }
  }

  private func finishCompaction() throws {
    let folder = CompactionFolder(store: folderPath)
    let header = try FileHeader.read(file.data, path: dataPath)
    let number = header.newest.commit &+ 1
    // The copy was on disk before the mark was; but somebody may have copied or deleted files since.
    if try !isWhole(folder, number) {
      try folder.make()
      do {
        try makeSuccessor(header, in: folder, number, isCancelled: nil) { _ in }
      } catch {
        folder.remove()
        throw error
      }
    } else {
      try folder.prepare(options)
    }
    try file.lockNames(exclusively: true, path)
    defer { file.unlockNames() }
    try folder.replaceStore()
    try Self.sync(folder.store, isFolder: true)
  }

  /// Removes what a compaction left that was cut off before the mark, unless one is at work.
  func removeCompactionLeftovers() {
    let folder = CompactionFolder(store: folderPath)
    guard !options.readOnly, folder.isThere, (try? gate.enter(timeout: .zero)) != nil else { return }
    defer { gate.leave() }
    if file.place == .here { folder.remove() }
  }

  /// The environment of the file that has taken the place of this one.
  package func successor() throws(LMDBError) -> Environment {
    try Self.open(folderPath, named: path, options: options)
  }

  /// Whether another file has taken the place of this one.
  package var isReplaced: Bool { superseded.load(ordering: .acquiring) && file.place == .another }

  /// Whether the file has a place in a folder, where others find it.
  package var hasPlace: Bool { isShared }

  /// Whether the file still has its name; true for one that never had any.
  package var isInPlace: Bool { !isShared || file.place != .another }

  /// Whether the file of another environment has taken the place of this one.
  package func isReplaced(by other: Environment) -> Bool {
    guard isReplaced, other.isShared, let folder = file.folder else { return false }
    return folder == other.file.folder && other.file.place == .here
  }

  /// A path of the folder that is right even if it was moved, or the path is relative and the process has moved.
  var folderPath: String {
    var (own, named) = (stat(), stat())
    if fstat(file.directory, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino,
      own.st_dev == named.st_dev
    {
      return path
    }
    return "/proc/self/fd/\(file.directory)"
  }

  // MARK: The copy

  /// Makes a copy of a commit with a higher number, and checks it.
  private func makeSuccessor(
    _ header: FileHeader, in folder: CompactionFolder, _ number: UInt64, isCancelled: (() -> Bool)?,
    noting note: (WriteTransaction) throws -> Void
  ) throws {
    try copy(header, intoFile: folder.data, isCancelled: isCancelled)
    try advance(folder, to: number, isCancelled: isCancelled, noting: note)
    try folder.prepare(options)
  }

  /// Commits to the copy until it has that number, so that nobody takes it for the state of another, and checks it.
  private func advance(
    _ folder: CompactionFolder, to number: UInt64, isCancelled: (() -> Bool)?,
    noting note: (WriteTransaction) throws -> Void
  ) throws {
    var options = options
    options.readOnly = false
    options.noSync = true
    options.verification = .onFirstUse
    let file = try StoreDescriptors.open(folder.path, readOnly: false)
    let copy = try Self.make(
      Opening(directory: folder.path, path: folder.path, options: options), file: file, key: nil)
    var last: UInt64 = 0
    while last < number {
      last = try copy.write { transaction in
        try transaction.remove(SupersededMark.successor)
        try note(transaction)
        try transaction.put(UInt64(clamping: transaction.id), CommitRecord.number)
        return UInt64(clamping: transaction.id)
      }
    }
    let report = try copy.checkPages(isCancelled: isCancelled)
    if let flaw = (report.data + report.room).first { throw flaw }
  }

  /// Whether there is a copy that is the next commit of this file.
  private func isWhole(_ folder: CompactionFolder, _ number: UInt64) throws(LMDBError) -> Bool {
    let copy = Glibc.open(folder.data, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard copy >= 0 else { return false }
    defer { _ = Glibc.close(copy) }
    guard let header = try? FileHeader.read(copy, path: folder.data) else { return false }
    return header.newest.commit == number && header.isComplete
  }

  /// The error with the name of the file for that of the copy, which nobody knows.
  private static func naming(_ path: String, _ error: any Error, of folder: CompactionFolder) -> any Error {
    switch error {
    case LMDBError.system(let code, let doing, let place) where place.hasPrefix(folder.path):
      LMDBError.system(code, doing: doing, path: path)
    default: error
    }
  }
}
