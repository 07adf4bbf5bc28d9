import Glibc
import LMDB

/// A process that may do less than the tests' own.
enum Rights {
  /// Opens a store as a user who owns nothing.
  static func asNobody(_ path: String, readOnly: Bool) throws -> String {
    guard getuid() != 0 || (setgid(65_534) == 0 && setuid(65_534) == 0) else { return "skipped" }
    var options = Environment.Options()
    options.readOnly = readOnly
    let environment = try Environment.open(path, options: options)
    let reader = try environment.beginRead()
    guard let database = try reader.database("log") else { return "no database" }
    return "read \(try reader.entryCount(database))"
  }

  /// Opens a store with a limit on the address space; prints the map's size in megabytes.
  static func withLimitedAddresses(_ path: String) throws -> String {
    var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
    guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return "skipped" }
    let environment = try Environment.open(path)
    try environment.write { _ in }
    return "map \(try environment.statistics().mapSize >> 20)"
  }
}

/// A process that may not make files as long as it wants, or open as many.
enum FileLimits {
  /// Writes until the file may not grow, then looks whether the last commit is there and whether it can go on.
  static func ofSize(_ path: String) throws -> String {
    let value = [UInt8](repeating: 1, count: 50_000)
    func write(_ number: UInt64) throws {
      try Environment.open(path).write { transaction in
        guard let log = try transaction.database("log") else { return }
        try value.withUnsafeBytes { try transaction.put(number, $0, log) }
      }
    }
    func entries() throws -> Int {
      let reader = try Environment.open(path).beginRead()
      guard let log = try reader.database("log") else { return -1 }
      return try reader.entryCount(log)
    }
    let before = try entries()
    var limit = rlimit(rlim_cur: 1_000_000, rlim_max: rlim_t.max)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return "skipped" }
    var written = 0
    var failure = "none"
    do {
      while written < 1_000 {
        try write(UInt64(1_000 + written))
        written += 1
      }
    } catch {
      failure = label(error)
    }
    guard try entries() == before + written else { return "lost" }
    limit.rlim_cur = rlim_t.max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try write(5_000)
    return "\(failure), \(written > 0 ? "some" : "none") written, goes on"
  }

  /// Opens the store while the process has no descriptor left, and again when it has.
  static func ofDescriptors(_ path: String) throws -> String {
    var taken: [Int32] = []
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return "skipped" }
    while true {
      let descriptor = open("/dev/null", O_RDONLY)
      if descriptor < 0 { break }
      taken.append(descriptor)
    }
    var failures: [String] = []
    // However many are left, opening fails cleanly or works.
    for _ in 0..<12 {
      do {
        let environment = try Environment.open(path)
        try environment.write { _ in }
        return Set(failures).sorted().joined(separator: " ") + ", then opens"
      } catch { failures.append(label(error)) }
      if let descriptor = taken.popLast() { close(descriptor) }
    }
    return Set(failures).sorted().joined(separator: " ")
  }
}

/// A process that goes on in a child.
enum Forking {
  static func useAfterFork(_ path: String) throws -> String {
    let environment = try Environment.open(path)
    let reader = try environment.beginRead()
    let child = fork()
    if child == 0 {
      var failures: [String] = []
      do { _ = try environment.beginRead() } catch { failures.append(label(error)) }
      do { try environment.write { _ in } } catch { failures.append(label(error)) }
      reader.end()
      // An environment of the child's own is fine.
      do {
        let own = try Environment.open(path)
        guard own !== environment else { _exit(3) }
        try own.write { _ in }
      } catch {
        _exit(4)
      }
      _exit(failures == ["forked", "forked"] ? 0 : 5)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    // What the child did must not have ended the parent's view.
    let lag = try environment.statistics().readers
    return "child \(status >> 8), readers \(lag)"
  }
}

/// A file system of its own, seen by this process only.
enum Disk {
  static func mountOwn(_ path: String, _ options: String) -> Bool {
    let newMounts: Int32 = 0x0002_0000
    // Glibc's module has no `unshare`.
    guard getuid() == 0, let symbol = dlsym(nil, "unshare") else { return false }
    let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    return unshare(newMounts) == 0
      && mount(nil, "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0
      && options.withCString { mount("tmpfs", path, "tmpfs", 0, $0) } == 0
  }

  /// Writes until the disk is full, then looks whether the last commit is there.
  static func fill(_ path: String) throws -> String {
    guard mountOwn(path, "size=4m") else { return "skipped" }
    let store = path + "/store"
    try Environment.create(store) { _ = try $0.createDatabase("log", .integerKey) }
    var written: UInt64 = 0
    var failure = "none"
    do {
      let environment = try Environment.open(store)
      let value = [UInt8](repeating: 1, count: 50_000)
      do {
        while written < 1_000 {
          try environment.write { transaction in
            guard let log = try transaction.database("log") else { return }
            try value.withUnsafeBytes { try transaction.put(written, $0, log) }
          }
          written += 1
        }
      } catch {
        failure = label(error)
      }
    }
    let environment = try Environment.open(store)
    let reader = try environment.beginRead()
    guard let log = try reader.database("log"), try reader.entryCount(log) == Int(written) else { return "lost" }
    // A new store has no room, and leaves nothing behind.
    var second = "none"
    do {
      try Environment.create(path + "/other") { transaction in
        let log = try transaction.createDatabase("log", .integerKey)
        let value = [UInt8](repeating: 1, count: 3 << 20)
        try value.withUnsafeBytes { try transaction.put(0, $0, log) }
      }
    } catch {
      second = label(error)
    }
    var names = 0
    if let folder = opendir(path) {
      while readdir(folder) != nil { names += 1 }
      closedir(folder)
    }
    return "\(failure), \(second), entries \(names - 2)"
  }

  /// Reads a store without a lock file on a full disk, and says how making one there fails.
  static func readWhenFull(_ path: String) throws -> String {
    guard mountOwn(path, "size=4m") else { return "skipped" }
    let store = path + "/store"
    try Environment.create(store) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      try withUnsafeBytes(of: 1) { try transaction.put(1, $0, log) }
    }
    unlink(store + "/lock.mdb")
    let filler = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
    let bytes = [UInt8](repeating: 1, count: 4_096)
    while write(filler, bytes, bytes.count) > 0 {}
    close(filler)
    var options = Environment.Options()
    options.readOnly = true
    var making = "none"
    do { try Environment.create(path + "/other") { _ in } } catch let error as LMDBError {
      guard case .system(let code, _, let named) = error, named == path + "/other" || named == path else {
        return "names another: \(error)"
      }
      making = "system \(code)"
    }
    let environment = try Environment.open(store, options: options)
    let reader = try environment.beginRead()
    guard let log = try reader.database("log") else { return "no database" }
    return "\(making), read \(try reader.entryCount(log))"
  }

  /// Makes a store, makes its file system read-only and reads it.
  static func readOnly(_ path: String) throws -> String {
    guard mountOwn(path, "size=4m") else { return "skipped" }
    let store = path + "/store"
    try Environment.create(store) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      try withUnsafeBytes(of: 1) { try transaction.put(1, $0, log) }
    }
    unlink(store + "/lock.mdb")
    guard mount(nil, path, nil, UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0 else { return "skipped" }
    var writing = "none"
    do { _ = try Environment.open(store) } catch { writing = label(error) }
    var options = Environment.Options()
    options.readOnly = true
    let environment = try Environment.open(store, options: options)
    let reader = try environment.beginRead()
    guard let log = try reader.database("log") else { return "no database" }
    return "\(writing), read \(try reader.entryCount(log))"
  }
}
