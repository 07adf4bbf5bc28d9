import Glibc
import LMDB

/// Compactions that are killed or have no room, and openings while others compact.
enum Compacting {
  /// Compacts and stops between the mark and the moment at which the copy takes the place.
  static func untilMark(_ path: String) throws -> String {
    // Renaming over a folder fails; so does the compaction then, with the mark on disk.
    let blocked = path + "/lock.mdb"
    let environment = try Environment.open(path)
    do {
      try environment.compact { _ in
        unlink(blocked)
        mkdir(blocked, 0o700)
      }
    } catch {
      rmdir(blocked)
      say("marked")
      while true { sleep(1) }
    }
    return "compacted"
  }

  /// Compacts on a disk that has no room for the copy.
  static func whenFull(_ path: String) throws -> String {
    guard Disk.mountOwn(path, "size=4m") else { return "skipped" }
    let store = path + "/store"
    try Environment.create(store) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      let value = [UInt8](repeating: 1, count: 2_500_000)
      try value.withUnsafeBytes { try transaction.put(0, $0, log) }
    }
    let environment = try Environment.open(store)
    var failure = "none"
    do { try environment.compact() } catch { failure = label(error) }
    var names = 0
    if let folder = opendir(store) {
      while readdir(folder) != nil { names += 1 }
      closedir(folder)
    }
    try environment.write { transaction in
      guard let log = try transaction.database("log") else { return }
      try withUnsafeBytes(of: 1) { try transaction.put(1, $0, log) }
    }
    return "\(failure), entries \(names - 2), then written"
  }

  /// Opens the store and reads and writes it, until it is told to end. What it finds only ever grows.
  static func openAgain(_ path: String) throws -> String {
    _ = fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK)
    say("opening")
    var known = 0
    var turn = 0
    var byte: UInt8 = 0
    while read(0, &byte, 1) != 1 {
      var options = Environment.Options()
      options.readOnly = turn % 2 == 0
      turn += 1
      let environment = try Environment.open(path, options: options)
      guard let reader = try? environment.beginRead() else { continue }
      guard let log = try reader.database("log") else { return "no database" }
      let count = try reader.entryCount(log)
      if count < known { return "\(count) after \(known)" }
      known = count
      reader.end()
      if !options.readOnly {
        do { try environment.write(timeout: .seconds(20)) { _ in } } catch LMDBError.superseded {}
      }
    }
    return "done"
  }
}
