import Glibc
import LMDB
import Schema
import Testing
import Values

@testable import Storage

/// Damage is noticed and named; what is not damaged can still be read.
@Suite struct DamageTests {
  private static let schema = Schema.only(
    "Quake", [.scalar("code", .string), .scalar("magnitude", .double), .scalar("note", .string, optional: true)],
    indexes: [Index(kind: .unique, paths: ["code"]), Index(paths: ["magnitude"])])

  private func fill(_ file: StoreFile) throws {
    try file.insert(
      (0..<1000).map { number in
        let note = number == 300 ? Value.string(String(repeating: "long ", count: 1000)) : .null
        return [.string("q\(number)"), .double(Double(number) * 1.1), note]
      }, into: "Quake")
  }

  @Test func aDamagedClusterIsNamedAndTheRestIsRead() throws {
    let folder = try StoreFolder()
    try fill(try folder.open(Self.schema))
    // The third cluster's bytes begin with a mark; a byte well behind its directory belongs to some column.
    var place: Int?
    try folder.change { bytes in
      var found: [Int] = []
      for at in stride(from: 0, to: bytes.count - 32, by: 8) where bytes[at..<at + 4].elementsEqual("OSCL".utf8) {
        if bytes[at + 24] == 2 { found.append(at) }
      }
      guard let start = found.last else { return }
      bytes[start + 2000] ^= 0x40
      place = start
    }
    #expect(place != nil)
    let file = try folder.open()
    let entity = try file.entity("Quake")
    var damaged: [String] = []
    for number in [1, 300, 600, 900] as [UInt64] {
      do {
        _ = try file.read { try $0.row(ObjectNumber(number), of: entity) }
      } catch StoreError.corrupted(let location) {
        damaged.append(location)
        #expect(number == 600)
      }
    }
    #expect(damaged.count == 1)
    #expect(damaged.first?.hasPrefix("Quake cluster 2") == true)
    let report = try file.check()
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.hasPrefix("Quake cluster 2, property '") == true)
    #expect(report.objects == 1000 - 256)
  }

  /// A store is open before the pages of its indexes are looked at: what is damaged is noticed by who reads it first, or
  /// writes to it.
  @Test func aDamagedTreeIsNoticedByWhoNeedsIt() throws {
    let folder = try StoreFolder()
    try fill(try folder.open(Self.schema))
    let key = IndexKey.encode([.string("q41")], types: [.string])
    var damaged = 0
    try folder.change { bytes in
      for page in stride(from: 8_192, to: bytes.count - 4_095, by: 4_096) {
        let places = page..<(page + 4_096 - key.count)
        guard places.contains(where: { bytes[$0..<$0 + key.count].elementsEqual(key) }) else { continue }
        // What kind of page it is.
        bytes[page + 10] ^= 0xFF
        damaged += 1
      }
    }
    #expect(damaged > 0)
    let file = try folder.open()
    let entity = try file.entity("Quake")
    #expect(try file.read { try $0.row(ObjectNumber(42), of: entity) } != nil)
    #expect(try file.indexed("magnitude", of: "Quake").count == 1000)
    #expect(throws: StoreError.self) { try file.indexed("code", of: "Quake") }
    // Who knows of the damage builds the index anew before it writes.
    try file.insert([[.string("new"), .double(1), .null]], into: "Quake")
    #expect(try file.indexed("code", of: "Quake").count == 1001)
    #expect(try file.indexed("magnitude", of: "Quake").count == 1001)
    try file.expectWhole()
  }

  @Test func anIndexThatLacksAnObjectIsFound() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try fill(file)
    try plant(file) { transaction, index in
      let key = IndexKey.encode([.string("q41")], types: [.string])
      let wasThere = try key.withUnsafeBytes { try transaction.delete($0, index) }
      #expect(wasThere)
    }
    #expect(try file.check().problems == ["the index code of Quake lacks object 42"])
  }

  @Test func anIndexWithSomethingInExcessIsFound() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try fill(file)
    try plant(file) { transaction, index in
      let key = IndexKey.encode([.string("q41")], types: [.string])
      try key.withUnsafeBytes { _ = try transaction.putDuplicate($0, 7, index) }
      try key.withUnsafeBytes { _ = try transaction.putDuplicate($0, 70_000, index) }
    }
    #expect(
      try file.check().problems == [
        "the index code of Quake has object 7 under a value that is not the object's",
        "the index code of Quake has object 70000, which does not exist",
        "several objects of Quake share the unique code of 7",
      ])
  }

  @Test func longValuesThatAreMissingOrLeftOverAreFound() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try fill(file)
    try file.environment.write { transaction in
      let values = try #require(try transaction.database("v1"))
      let first = try #require(try transaction.cursor(values).first())
      let key = Array(first.key)
      try key.withUnsafeBytes { _ = try transaction.delete($0, values) }
    }
    let entity = try file.entity("Quake")
    #expect(throws: StoreError.self) { try file.read { try $0.row(ObjectNumber(301), of: entity) } }
    #expect(try !file.check().problems.isEmpty)
  }

  @Test func wrongCountersAreFound() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try fill(file)
    try file.environment.write { transaction in
      let objects = try #require(try transaction.database("o1"))
      _ = try transaction.delete(0, objects)
    }
    let problems = try file.check().problems
    #expect(problems.contains("the catalog counts 1000 objects of Quake, there are 745"))
    #expect(problems.contains { $0.contains("which does not exist") })
  }

  @Test func aDamagedCatalogIsRefused() throws {
    let folder = try StoreFolder()
    try fill(try folder.open(Self.schema))
    for name in ["schema", "header"] {
      try folder.change { bytes in
        for at in 0..<bytes.count - 200 where bytes[at..<at + 6].elementsEqual(name.utf8) && name.utf8.count == 6 {
          bytes[at + 20] ^= 1
        }
      }
      #expect(throws: StoreError.self) { try folder.open() }
    }
  }

  @Test func aNewerFormatIsRefused() throws {
    let folder = try StoreFolder()
    _ = try folder.open(Self.schema)
    try folder.change { bytes in
      for at in 0..<bytes.count - 20 where bytes[at..<at + 8].elementsEqual("objects\n".utf8) { bytes[at + 8] = 9 }
    }
    #expect(throws: StoreError.newerFormat(path: folder.store, found: 9, known: Int(CatalogHeader.knownFormat))) {
      try folder.open()
    }
  }

  private func plant(_ file: StoreFile, _ body: (WriteTransaction, Database) throws -> Void) throws {
    try file.environment.write { transaction in
      try body(transaction, try #require(try transaction.database("i1")))
    }
  }
}

extension StoreFolder {
  /// Changes the bytes of the store's file. Nobody may have it open.
  func change(_ body: (inout [UInt8]) throws -> Void) throws {
    let path = store + "/data.mdb"
    let file = try #require(fopen(path, "r+b"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
    try body(&bytes)
    rewind(file)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
