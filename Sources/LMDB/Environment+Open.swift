import CLMDB
import CSystem
import Glibc

extension Environment {
  /// Opens the store in a directory, or returns it if this process already has it open. The options of the first call
  /// apply, except that opening for writing is refused if the store is open read-only.
  package static func open(_ directory: String, options: Options = Options()) throws(LMDBError) -> Environment {
    try open(directory, named: directory, options: options)
  }

  /// Opens it, with another path for messages. A compaction may put another file at the path meanwhile, even several
  /// times, and one that was cut off is finished by who opens the store for writing.
  static func open(
    _ directory: String, named path: String, options: Options
  ) throws(LMDBError) -> Environment {
    system_watch_forks()
    system_outlive_file_size_limit()
    var opening = Opening(directory: directory, path: path, options: options)
    for _ in 0..<1_000 {
      do throws(LMDBError) { return try openOnce(opening) } catch {
        switch error {
        case .superseded: opening.isFrozen = false
        case .compactionUnfinished where options.readOnly: opening.isFrozen = true
        case .compactionUnfinished: try finishCompaction(opening)
        default: throw error
        }
      }
    }
    throw .busy
  }

  private static func openOnce(_ opening: Opening) throws(LMDBError) -> Environment {
    var opening = opening
    let isReader = opening.options.readOnly
    let file = try StoreDescriptors.open(opening.directory, readOnly: isReader)
    // Passed to the environment when one is created; closed here in all other cases.
    var isHandedOver = false
    defer { if !isHandedOver { file.close() } }
    let key = try file.registryKey(opening.directory)
    // A compaction does not change what this process may do.
    if isReader, !opening.isFrozen, EnvironmentRegistry.shared.isWritable(file.folder) {
      opening.options.readOnly = false
    }
    let environment = try EnvironmentRegistry.shared.environment(for: key) { () throws(LMDBError) in
      isHandedOver = true
      return try Environment.make(opening, file: file, key: key)
    }
    if environment.options.readOnly, !isReader { throw environment.isFrozen ? .compactionUnfinished : .readOnly }
    return environment
  }

  /// How to create an environment.
  struct Opening {
    /// The folder with the files.
    var directory: String
    /// The path for messages.
    var path: String
    var options: Options
    /// Whether the files are new.
    var isNew = false
    /// Whether the file has the mark of a compaction that was cut off, and is only to be read.
    var isFrozen = false
  }

  /// Opens a store that is not open in this process. Closes `file` on failure.
  static func make(
    _ opening: Opening, file: StoreDescriptors, key: EnvironmentRegistry.Key?
  ) throws(LMDBError) -> Environment {
    let environment: Environment
    do throws(LMDBError) {
      if key != nil { try file.lockNames(opening.path) }
      defer { if key != nil { file.unlockNames() } }
      environment = try makeUnchecked(opening, file: file, key: key)
    } catch {
      file.close()
      throw error
    }
    // From here on, the environment closes its files.
    if opening.isNew {
      environment.state.isCheckedForWriting = true
    } else {
      try environment.checkOnOpening()
    }
    if key != nil || opening.isFrozen {
      guard try environment.checkForMark() == opening.isFrozen else {
        throw opening.isFrozen ? .superseded : .compactionUnfinished
      }
    }
    environment.clearStaleReaders(atMostEvery: 0)
    if key != nil { environment.removeCompactionLeftovers() }
    return environment
  }

  private static func makeUnchecked(
    _ opening: Opening, file: StoreDescriptors, key: EnvironmentRegistry.Key?
  ) throws(LMDBError) -> Environment {
    let options = opening.options
    let header = opening.isNew ? nil : try FileHeader.read(file.data, path: opening.path + "/data.mdb")
    var isLockless = false
    if !opening.isFrozen {
      isLockless = try LockFile.prepare(
        opening.directory, readers: options.maximumReaders, readOnly: options.readOnly)
    }
    // Before LMDB opens the lock file.
    let slots = isLockless || opening.isFrozen ? nil : try ReaderSlots(opening.directory)
    let least = header.map { ($0.newest.lastPage + 1) * $0.pageSize } ?? 1 << 16
    if least > options.maximumMapSize {
      // A file is shorter than it was by a few pages, and not by more than any store has.
      guard let header, header.isComplete else {
        throw .damaged(path: opening.path + "/data.mdb", page: 0, what: "a last page that can't be")
      }
      throw .mapFull(size: options.maximumMapSize)
    }
    let (raw, mapSize) = try openRaw(
      opening.directory, options, hasLocks: !isLockless && !opening.isFrozen, least: least)
    // Of a new file LMDB has chosen it, by the machine.
    var status = MDB_stat()
    mdb_env_stat(raw, &status)
    return Environment(
      path: opening.path, options: options, raw: raw, file: file, pageSize: Int(status.ms_psize), mapSize: mapSize,
      isLockless: isLockless, isFrozen: opening.isFrozen, slots: slots, registryKey: key)
  }

  /// Finishes a compaction that was cut off, if nobody has done so in the meantime.
  private static func finishCompaction(_ opening: Opening) throws(LMDBError) {
    var frozen = opening
    frozen.isFrozen = true
    frozen.options.readOnly = true
    let environment: Environment
    do throws(LMDBError) {
      environment = try make(
        frozen, file: try StoreDescriptors.open(opening.directory, readOnly: true), key: nil)
    } catch {
      if case .superseded = error { return }
      throw error
    }
    try environment.gate.enter(timeout: .seconds(10))
    defer { environment.gate.leave() }
    guard environment.file.place == .here else { return }
    try environment.finishCutOffCompaction()
  }

  /// Creates LMDB's environment with the largest map that the system allows.
  static func openRaw(
    _ directory: String, _ options: Options, hasLocks: Bool, least: Int
  ) throws(LMDBError) -> (OpaquePointer, mapSize: Int) {
    var flags = UInt32(MDB_NOTLS)
    if options.readOnly { flags |= UInt32(MDB_RDONLY) }
    if options.noSync { flags |= UInt32(MDB_NOSYNC) }
    if !hasLocks { flags |= UInt32(MDB_NOLOCK) }
    let wanted = min(options.initialMapSize ?? options.maximumMapSize, options.maximumMapSize)
    let least = AddressSpace.rounded(least)
    var size = AddressSpace.likely(wanted: wanted, atLeast: least)
    while true {
      var raw: OpaquePointer?
      var code = mdb_env_create(&raw)
      guard code == 0, let raw else { throw .code(code, doing: "opening", path: directory) }
      if code == 0 { code = mdb_env_set_mapsize(raw, size) }
      if code == 0 { code = mdb_env_set_maxreaders(raw, UInt32(clamping: max(options.maximumReaders, 1))) }
      if code == 0 { code = mdb_env_set_maxdbs(raw, UInt32(clamping: max(options.maximumDatabases, 1))) }
      if code == 0 { code = mdb_env_open(raw, directory, flags, 0o600) }
      if code == 0 { return (raw, size) }
      mdb_env_close(raw)
      // Systems report a failed mapping with different errors.
      guard size > least, code == ENOMEM || !AddressSpace.has(size) else {
        throw .code(code, doing: "opening", path: directory)
      }
      size = AddressSpace.largest(wanted: size / 2, atLeast: least)
    }
  }
}

extension StoreDescriptors {
  /// Opens the directory and the data file after checking their types, and that the file has no other name.
  static func open(_ directory: String, readOnly: Bool) throws(LMDBError) -> StoreDescriptors {
    let dataPath = directory + "/data.mdb"
    let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      switch errno {
      case ENOENT: throw .notFound(path: directory)
      case ENOTDIR: throw .notAStore(path: directory, why: "it is not a folder")
      default: throw .lastSystemError("opening", directory)
      }
    }
    let data = Glibc.open(dataPath, (readOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard data >= 0 else {
      let code = errno
      _ = Glibc.close(folder)
      switch code {
      case ENOENT: throw .notAStore(path: directory, why: "there is no data.mdb in it")
      case EISDIR: throw .notAStore(path: directory, why: "its data.mdb is a folder")
      case ELOOP:
        throw .locksApart(path: directory, why: "its data.mdb is a symbolic link; open the folder with the file itself")
      default: throw .system(code, doing: "opening", path: dataPath)
      }
    }
    let descriptors = StoreDescriptors(directory: folder, data: data)
    var status = stat()
    guard fstat(data, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      descriptors.close()
      throw .notAStore(path: directory, why: "its data.mdb is not a file")
    }
    // Locks are taken in the folder and in the file beside it: the file in another folder has others.
    guard status.st_nlink <= 1 else {
      descriptors.close()
      throw .locksApart(
        path: directory,
        why: "its data.mdb has \(status.st_nlink) names (hard links); replace all but one by copies")
    }
    return descriptors
  }

  /// The identity of the file.
  func registryKey(_ path: String) throws(LMDBError) -> EnvironmentRegistry.Key {
    var status = stat()
    guard fstat(data, &status) == 0 else { throw .lastSystemError("looking at", path) }
    return EnvironmentRegistry.Key(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), generation: system_process_generation())
  }
}

extension Environment {
  /// Without a lock file, LMDB can't tell writers which versions are being read. The directory lock, which writers
  /// take, is used instead: readers hold it shared. The monitor is held.
  func beginSharing() throws(LMDBError) {
    guard isLockless, state.readerCount == 0 else { return }
    try DirectoryLock.take(
      file.directory, exclusive: false, until: Deadline(after: options.remapTimeout), path: path)
  }

  /// Allows writers again. The monitor is held.
  func endSharing() {
    if isLockless, state.readerCount == 0 { _ = system_unlock(file.directory) }
  }
}
