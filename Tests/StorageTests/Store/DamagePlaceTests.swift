import Glibc
import LMDB
import Schema
import Storage
import Testing
import Values

/// Bits in places that no checksum covers: each that matters is noticed by who reads past it, or by the check.
@Suite struct DamagePlaceTests {
  private static let schema =
    """
    @Model struct Person {
      @Attribute(.unique) var code: String
      @Attribute(.trigram) var name: String
      var age: Int
      var sponsor: Link<Person>?
    }
    """

  private func fill(_ folder: StoreFolder, clusters: Int = 4) throws {
    let file = try folder.open(try .text(Self.schema))
    try file.insert(
      (1..<256 * clusters).map { number in
        [.string("p\(number)"), .string("Größe \(number)"), .int(Int64(number)), .link(number > 1 ? 1 : nil)]
      }, into: "Person")
    try file.set("age", of: "Person", 3, to: .int(33))
  }

  /// The places of the record of a database in all versions of the main tree.
  private func records(of name: String, in bytes: [UInt8]) -> [Int] {
    let node: [UInt8] = [48, 0, 0, 0, 2, 0, UInt8(name.utf8.count), 0] + Array(name.utf8)
    return (8_192..<bytes.count - 100).filter { bytes[$0] == 48 && bytes[$0..<$0 + node.count].elementsEqual(node) }
      .map { $0 + node.count }
  }

  @Test func countsOfPagesCanBeAnything() throws {
    let folder = try StoreFolder()
    try fill(folder)
    for name in ["o1", "v1", "i1", "catalog"] {
      for bit in [0, 31, 63] {
        for count in 0..<4 {
          func flip() throws {
            try folder.change { bytes in
              let places = records(of: name, in: bytes)
              #expect(!places.isEmpty)
              for place in places { bytes[place + 8 + 8 * count + bit / 8] ^= 1 << UInt8(bit % 8) }
            }
          }
          try flip()
          do {
            let file = try folder.open()
            let statistics = try file.statistics()
            #expect(statistics.entities.allSatisfy { $0.bytes <= 4 * statistics.fileBytes })
            let problems = try file.check().problems
            #expect(problems.contains { $0.contains("database \(name)") }, "\(name) \(bit): \(problems)")
            // Three numbers of pages, which are statistics only, and that of entries.
            if count < 3 { #expect(problems.count == 1, "\(name) \(bit): \(problems)") }
          }
          try flip()
        }
      }
    }
    try folder.open().expectWhole()
  }

  @Test(arguments: ["o1", "v1", "i1", "catalog", "changes"]) func kindsOfDatabasesCanBeAnything(_ name: String) throws {
    let folder = try StoreFolder()
    try fill(folder)
    let rows = try folder.open().rows("Person")
    for bit in 0..<16 {
      func flip() throws {
        try folder.change { bytes in
          let places = records(of: name, in: bytes)
          #expect(!places.isEmpty)
          for place in places { bytes[place + 4 + bit / 8] ^= 1 << UInt8(bit % 8) }
        }
      }
      try flip()
      do {
        let file = try folder.open()
        let problems = try file.check().problems
        if problems.isEmpty { #expect(try file.rows("Person") == rows, "bit \(bit)") }
      } catch StoreError.corrupted(let location) {
        // Without the catalog or the objects there is nothing to check; the log of changes only shortens searches.
        #expect(name != "changes" && !location.isEmpty, "bit \(bit): \(location)")
      }
      try flip()
    }
    try folder.open().expectWhole()
  }

  /// The places of the keys of a cluster, in all versions.
  private func keys(ofCluster number: UInt8, in bytes: [UInt8]) -> [Int] {
    (8_192..<bytes.count - 40).filter {
      bytes[$0 + 8..<$0 + 12].elementsEqual("OSCL".utf8) && bytes[$0] == number && bytes[$0 + 32] == number
    }
  }

  @Test func aClusterUnderAnotherNumberIsNotTakenForAbsent() throws {
    let folder = try StoreFolder()
    try fill(folder)
    // The large value begins on a page of its own; its key is in the leaf that refers to it.
    for bit in [0, 1, 2, 3, 7, 8, 31, 63] {
      for cluster in [UInt8(0), 3] {
        var original: [UInt8] = []
        try folder.change { bytes in
          original = bytes
          let places = keys(ofCluster: cluster, in: bytes) + leafKeys(ofCluster: cluster, in: bytes)
          #expect(!places.isEmpty)
          for place in places { bytes[place + bit / 8] ^= 1 << UInt8(bit % 8) }
        }
        do {
          let file = try folder.open()
          let entity = try file.entity("Person")
          let object = ObjectNumber(UInt64(cluster) << 8 | 7)
          #expect(throws: StoreError.self, "\(bit)") { try file.read { try $0.row(object, of: entity) } }
          #expect(throws: StoreError.self, "\(bit)") { try file.rows("Person") }
          #expect(throws: StoreError.self, "\(bit)") {
            try file.write { try $0.update(object, of: entity, [(column: 2, value: .int(5))]) }
          }
          if cluster == 3 {
            #expect(throws: StoreError.self, "\(bit)") {
              try file.insert([[.string("new"), .string("n"), .int(1), .null]], into: "Person")
            }
          }
          #expect(try !file.check().problems.isEmpty, "\(bit)")
        }
        try folder.change { $0 = original }
      }
    }
    try folder.open().expectWhole()
  }

  /// The keys of a cluster whose value has pages of its own.
  private func leafKeys(ofCluster number: UInt8, in bytes: [UInt8]) -> [Int] {
    (8_192..<bytes.count - 40).filter { place in
      // An entry with a large value and a key of eight bytes.
      guard bytes[place - 4] == 1, bytes[place - 3] == 0, bytes[place - 2] == 8, bytes[place - 1] == 0 else {
        return false
      }
      guard bytes[place] == number, bytes[place + 1..<place + 8].allSatisfy({ $0 == 0 }) else { return false }
      let page = bytes[place + 8..<place + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard page > 1, page < bytes.count / 4_096 else { return false }
      let value = page * 4_096 + 16
      return bytes[value..<value + 4].elementsEqual("OSCL".utf8) && bytes[value + 24] == number
    }
  }

  @Test func aDamagedListOfFreePagesIsToldFromDamagedObjects() throws {
    let folder = try StoreFolder()
    try fill(folder)
    try folder.change { bytes in
      let commits = [0, 1].map { page in
        bytes[page * 4_096 + 144..<page * 4_096 + 152].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      let newest = commits[0] > commits[1] ? 0 : 4_096
      let root = bytes[newest + 80..<newest + 88].reversed().reduce(0) { $0 << 8 | Int($1) }
      bytes[root * 4_096 + 10] ^= 0xFF
    }
    let copy = folder.root + "/copy"
    do {
      let file = try folder.open()
      let rows = try file.rows("Person")
      #expect(rows.count == 1_023)
      let problems = try file.check().problems
      #expect(problems.count == 1 && problems[0].hasPrefix("the lists of free pages are damaged"), "\(problems)")
      #expect(throws: StoreError.self) { try file.set("age", of: "Person", 3, to: .int(34)) }
      try file.backup(to: copy)
      let saved = try StoreFile.open(copy, mode: .readWrite)
      try saved.expectWhole()
      #expect(try saved.rows("Person") == rows)
      try saved.set("age", of: "Person", 3, to: .int(34))
    }
    for name in ["data.mdb", "lock.mdb"] { unlink(copy + "/" + name) }
    rmdir(copy)
  }
}
