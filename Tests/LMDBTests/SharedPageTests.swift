import Glibc
import Testing

@testable import LMDB

/// Pages that two trees, or a large value and a tree, say are theirs.
@Suite struct SharedPageTests {
  private static let flags = 10
  private static let count = 12
  private static let pageSize = 4_096

  /// Changes bytes of the file of a store.
  private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    let file = open(path + "/data.mdb", O_RDWR)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
    change(&bytes)
    #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
  }

  /// A store with three large values, one of which has more pages than it needs.
  private func fill(_ path: String) throws {
    try Environment.create(path) { _ = try $0.createDatabase("values") }
    try Environment.open(path).write { transaction in
      let values = try transaction.createDatabase("values")
      for key in ["a", "b", "c"] { try transaction.put(key, String(repeating: key, count: 20_000), values) }
      try transaction.put("b", String(repeating: "b", count: 9_000), values)
    }
  }

  /// LMDB frees as many pages as a large value says it has.
  @Test(arguments: [0, 1, 2, 8], ["delete", "replace", "empty"])
  func aLargeValueThatSaysTooManyPages(_ more: UInt8, _ work: String) throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try fill(path)
    try edit(path) { bytes in
      let pages = stride(from: 2 * Self.pageSize, to: bytes.count, by: Self.pageSize)
      let large = pages.filter {
        bytes[$0 + Self.flags] == UInt8(PageNodes.overflow) && bytes[$0 + Self.flags + 1] == 0
      }
      if let first = large.first { bytes[first + Self.count] += more }
    }
    let environment = try Environment.open(path)
    let flaw = failure {
      try environment.write { transaction in
        let values = try transaction.createDatabase("values")
        for key in ["a", "b", "c"] where work != "empty" {
          if work == "delete" { _ = try withBytes(key) { try transaction.delete($0, values) } }
          if work == "replace" { try transaction.put(key, String(repeating: "d", count: 30_000), values) }
        }
        if work == "empty" { try transaction.empty(values) }
      }
    }
    #expect((flaw == nil) == (more == 0), "\(String(describing: flaw))")
  }

  /// The leaves below are sound, but of the other tree, which has entries that this one cannot have.
  @Test(arguments: [true, false]) func branchesInEachOthersPlace(_ setsFirst: Bool) throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { transaction in
      _ = try transaction.createDatabase("log", .integerKey)
      _ = try transaction.createDatabase("sets", .integerSet)
    }
    try Environment.open(path).write { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      let sets = try transaction.createDatabase("sets", .integerSet)
      for number in 0..<600 {
        var key = UInt64(number)
        try withUnsafeBytes(of: &key) { key in
          try transaction.put(key, key, log)
          for value in 0..<UInt64(3) {
            try withUnsafeBytes(of: value) { _ = try transaction.putDuplicate(key, $0, sets) }
          }
        }
      }
    }
    try edit(path) { bytes in
      let pages = stride(from: 2 * Self.pageSize, to: bytes.count, by: Self.pageSize)
      let branches = pages.filter {
        bytes[$0 + Self.flags] == UInt8(PageNodes.branch) && bytes[$0 + Self.flags + 1] == 0
      }
      // The pages of earlier commits are among them, whose places nobody looks at.
      for (one, other) in zip(branches, branches.dropFirst()) {
        for place in 8..<Self.pageSize { bytes.swapAt(one + place, other + place) }
      }
    }
    let environment = try Environment.open(path)
    let names = setsFirst ? ["sets", "log", "sets"] : ["log", "sets", "log"]
    let flaws = names.map { name in
      failure {
        let reader = try environment.beginRead()
        defer { reader.end() }
        guard let database = try reader.database(name) else { return }
        let cursor = try reader.cursor(database)
        _ = try cursor.last()
        while try cursor.previous() != nil {}
      }
    }
    #expect(flaws.contains { $0 != nil })
  }
}
