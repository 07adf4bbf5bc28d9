import LMDB
import Schema
import Storage
import Testing
import Values

/// A damaged index is left alone until it is built anew; everything else goes on.
@Suite struct ReindexingTests {
  private static let schema = Schema.only(
    "Quake", [.scalar("code", .string), .scalar("magnitude", .double), .scalar("depth", .double)],
    indexes: [Index(kind: .unique, paths: ["code"]), Index(paths: ["magnitude"]), Index(paths: ["depth"])])

  private func fill(_ folder: StoreFolder, count: Int = 2_000) throws {
    let file = try folder.open(Self.schema)
    try file.insert(
      (0..<count).map { [.string("q\($0)"), .double(Double($0) + 0.5), .double(Double($0))] }, into: "Quake")
  }

  /// Damages every leaf of an index, found by its first key.
  private func damage(_ index: String, in folder: StoreFolder) throws {
    let keys: Set<[UInt8]> = Set(
      (0..<2_000).map {
        index == "code"
          ? IndexKey.encode([.string("q\($0)")], types: [.string])
          : IndexKey.encode([.double(Double($0) + 0.5)], types: [.double])
      })
    var damaged = 0
    try folder.change { bytes in
      for page in stride(from: 8_192, to: bytes.count - 4_095, by: 4_096) where bytes[page + 10] == 2 {
        // The key of its first entry; behind the entries may be what the page had before.
        let entry = page + Int(bytes[page + 16]) + Int(bytes[page + 17]) << 8
        let size = Int(bytes[entry + 6])
        guard entry + 8 + size <= page + 4_096, keys.contains(Array(bytes[entry + 8..<entry + 8 + size])) else {
          continue
        }
        bytes[page + 10] ^= 0xFF
        damaged += 1
      }
    }
    #expect(damaged > 0)
  }

  private func names(_ file: StoreFile) throws -> [String] { try file.damagedIndexes().map(\.index.name) }

  @Test func queriesDoWithoutADamagedIndex() throws {
    let folder = try StoreFolder()
    try fill(folder)
    try damage("magnitude", in: folder)
    let file = try folder.open()
    #expect(try names(file) == [])
    // Who meets the damage hears of it, and nobody after that.
    #expect(throws: StoreError.self) { try file.indexed("magnitude", of: "Quake") }
    #expect(try names(file) == ["magnitude"])
    let index = try #require(try file.entity("Quake").index(named: "magnitude"))
    #expect(!index.isComplete)
    #expect(try file.indexed("depth", of: "Quake").count == 2_000)
    #expect(try file.indexed("code", of: "Quake").count == 2_000)
  }

  @Test func writesGoOnAndNoteIt() throws {
    let folder = try StoreFolder()
    try fill(folder)
    try damage("magnitude", in: folder)
    do {
      let file = try folder.open()
      #expect(throws: StoreError.self) { try file.indexed("magnitude", of: "Quake") }
      try file.insert([[.string("new"), .double(1), .double(2)]], into: "Quake")
    }
    // What was noted is known to who opens the store next.
    let file = try folder.open()
    #expect(try names(file) == ["magnitude"])
    try file.delete([5], of: "Quake")
    #expect(try file.indexed("depth", of: "Quake").count == 2_000)
    #expect(try file.reindex().map(\.index.name) == ["magnitude"])
    #expect(try names(file) == [])
    #expect(try file.indexed("magnitude", of: "Quake").count == 2_000)
    try file.expectWhole()
    try file.insert([[.string("newer"), .double(7), .double(2)]], into: "Quake")
    try file.expectWhole()
    #expect(try folder.open().rows("Quake").count == 2_001)
  }

  @Test func whatWritesNeedIsBuiltAtOnce() throws {
    let folder = try StoreFolder()
    try fill(folder)
    try damage("code", in: folder)
    let file = try folder.open()
    #expect(throws: StoreError.self) { try file.indexed("code", of: "Quake") }
    #expect(try names(file) == ["code"])
    #expect(throws: StoreError.self) { try file.insert([[.string("q7"), .double(1), .double(2)]], into: "Quake") }
    try file.insert([[.string("new"), .double(1), .double(2)]], into: "Quake")
    #expect(try names(file) == [])
    #expect(try file.indexed("code", of: "Quake").count == 2_001)
    try file.expectWhole()
  }

  @Test func aCheckFindsWhatNoReaderMet() throws {
    let folder = try StoreFolder()
    try fill(folder)
    let file = try folder.open()
    try file.environment.write { transaction in
      let index = try #require(try transaction.database(try file.entity("Quake").index(named: "depth")?.database ?? ""))
      let key = IndexKey.encode([.double(41)], types: [.double])
      #expect(try key.withUnsafeBytes { try transaction.delete($0, index) })
    }
    #expect(try file.check().problems == ["the index depth of Quake lacks object 42"])
    #expect(try names(file) == ["depth"])
    try file.reindex()
    try file.expectWhole()
    #expect(try file.indexed("depth", of: "Quake").count == 2_000)
  }

  @Test func anyIndexCanBeBuiltAnew() throws {
    let folder = try StoreFolder()
    try fill(folder)
    let file = try folder.open()
    let before = try #require(try file.entity("Quake").index(named: "depth")).number
    #expect(try file.reindex { $1.name == "depth" }.count == 1)
    #expect(try #require(try file.entity("Quake").index(named: "depth")).number != before)
    try file.expectWhole()
    #expect(try file.reindex().isEmpty)
  }
}
