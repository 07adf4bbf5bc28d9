import Glibc
import LMDB

/// Changes to a store by a process that may be killed.
enum Writing {
  /// Writes commit after commit and prints the number of each once it is acknowledged.
  static func forEver(_ path: String) throws {
    let environment = try Environment.open(path)
    while true {
      let number = try environment.write { transaction -> UInt64 in
        let log = try transaction.createDatabase("log", .integerKey)
        let sets = try transaction.createDatabase("sets", .integerSet)
        let number = UInt64(try transaction.entryCount(log))
        let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Int(number % 97) * 97)
        try value.withUnsafeBytes { try transaction.put(number, $0, log, append: true) }
        try withUnsafeBytes(of: number % 5) { _ = try transaction.putDuplicate($0, number, sets) }
        return number
      }
      say(number)
    }
  }

  /// Makes a store, slowly enough to be killed in the middle.
  static func create(_ path: String) {
    report {
      try Environment.create(path) { transaction in
        let database = try transaction.createDatabase("log", .integerKey)
        for number in UInt64(0)..<2_000 {
          try withUnsafeBytes(of: number) { try transaction.put(number, $0, database) }
          if number % 100 == 0 { usleep(5_000) }
        }
      }
      return "created"
    }
  }

  /// Makes the store much larger than another process may have mapped.
  static func grow(_ path: String) throws -> String {
    let environment = try Environment.open(path)
    try environment.write { transaction in
      let database = try transaction.createDatabase("large", .integerKey)
      let value = [UInt8](repeating: 7, count: 1 << 16)
      for number in UInt64(0)..<400 { try value.withUnsafeBytes { try transaction.put(number, $0, database) } }
    }
    return "grown"
  }
}

/// Transactions kept open until the process is killed or told to go on.
enum Holding {
  static func writer(_ path: String) throws -> String {
    let environment = try Environment.open(path)
    let transaction = try environment.beginWrite()
    say("holding")
    _ = readLine()
    try transaction.commit()
    return "released"
  }

  static func reader(_ path: String) throws -> String {
    let environment = try Environment.open(path)
    let transactions = try (0..<50).map { _ in try environment.beginRead() }
    say("holding")
    _ = readLine()
    transactions.forEach { $0.end() }
    return "released"
  }

  static func tryWriter(_ path: String) throws -> String {
    let environment = try Environment.open(path)
    try environment.write(timeout: .milliseconds(50)) { _ in }
    return "written"
  }
}
