import Foundation
import LMDB
import Schema
import Testing
import Values

@testable import Storage

/// Stores of earlier versions, kept in `Stores`, are opened by this one.
///
/// The last one is of the current format, for later versions: a new format needs a store of its own here.
@Suite struct EarlierFormatTests {
  /// A store of a format in a folder of its own.
  private func store(_ format: Int) throws -> StoreFolder {
    let folder = try StoreFolder()
    let kept = URL(filePath: #filePath).appending(path: "../../Stores/format-\(format).mdb").standardized
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: false)
    try Data(contentsOf: kept).write(to: URL(filePath: folder.store + "/data.mdb"))
    return folder
  }

  private func format(_ folder: StoreFolder) throws -> UInt32 {
    let environment = try Environment.open(folder.store)
    let reader = try environment.beginRead()
    let catalog = try #require(try reader.database("catalog"))
    let header = try Array("header".utf8).withUnsafeBytes { try reader.get($0, catalog) }
    return try #require(header).loadUnaligned(fromByteOffset: 8, as: UInt32.self)
  }

  @Test(arguments: 0...Int(CatalogHeader.knownFormat)) func aStoreOfAnEarlierFormatIsReadAndChanged(_ format: Int)
    throws
  {
    let folder = try store(format)
    do {
      let file = try folder.open(mode: .readOnly)
      let people = try file.rows("Person")
      #expect(people.count == 37)
      #expect(
        people.values.contains {
          $0.contains(.string("Größe 30")) && $0.contains(.string(String(repeating: "long ", count: 700)))
        })
      // As bytes until format 1, as integers since.
      #expect(
        people.values.contains { $0.contains(.string("p2")) && $0.contains(.decimal(DecimalValue("2.25") ?? .nan)) })
      #expect(try file.rows("Pet").count == 4)
      try file.expectWhole()
    }
    #expect(try self.format(folder) == UInt32(format))
    do {
      let file = try folder.open(mode: .readWrite)
      let age = try file.entity("Person")
      #expect(try file.indexed("age", of: "Person").count == 37)
      // What changes nothing leaves the format as it is.
      try file.write { _ in }
      #expect(try self.format(folder) == UInt32(format))
      let first = try #require(try file.rows("Person").keys.min())
      try file.set("age", of: age.name, first, to: .int(99))
      try file.expectWhole()
    }
    #expect(try self.format(folder) == CatalogHeader.knownFormat)
    try folder.open(mode: .readOnly).expectWhole()
  }

  /// An upgrade by copy: the copy is of the same objects, the first change of it makes it one of the current format, and
  /// the store that it was made of is as it was.
  @Test(arguments: 0...Int(CatalogHeader.knownFormat)) func aCopyOfAnEarlierFormatIsUpgraded(_ format: Int) throws {
    let folder = try store(format)
    let original = try Data(contentsOf: URL(filePath: folder.store + "/data.mdb"))
    let copy = try StoreFolder()
    let people: [UInt64: [Value]]
    do {
      let file = try folder.open(mode: .readOnly)
      people = try file.rows("Person")
      try file.backup(to: copy.store)
    }
    #expect(people.count == 37)
    #expect(try self.format(copy) == UInt32(format))
    do {
      let file = try copy.open(mode: .readWrite)
      #expect(try file.rows("Person") == people)
      let first = try #require(people.keys.min())
      try file.set("age", of: "Person", first, to: .int(99))
      try file.expectWhole()
      #expect(try file.rows("Person").count == 37)
      _ = try file.compact()
      try file.expectWhole()
    }
    #expect(try self.format(copy) == CatalogHeader.knownFormat)
    #expect(try Data(contentsOf: URL(filePath: folder.store + "/data.mdb")) == original)
  }

  /// So is one by salvage, which makes a new store.
  @Test(arguments: 0...Int(CatalogHeader.knownFormat)) func whatIsSavedFromAnEarlierFormatIsUpgraded(_ format: Int)
    throws
  {
    let folder = try store(format)
    let new = try StoreFolder()
    let report = try StoreFile.salvage(folder.store, to: new.store)
    #expect(report.lost.isEmpty && report.entities.map(\.saved) == [37, 4])
    #expect(try self.format(new) == CatalogHeader.knownFormat)
    let saved = try new.open()
    try saved.expectWhole()
    // Objects are numbered anew.
    let rows = { (file: StoreFile) in Set(try file.rows("Person").values.compactMap(\.first).map { "\($0)" }) }
    #expect(try rows(saved) == rows(try folder.open(mode: .readOnly)))
  }

  /// In place, all of it: a compaction writes no object, and leaves the format as it is.
  @Test(arguments: 0...Int(CatalogHeader.knownFormat)) func anEarlierFormatIsCompacted(_ format: Int) throws {
    let folder = try store(format)
    let file = try folder.open(mode: .readWrite)
    let people = try file.rows("Person")
    _ = try file.compact()
    #expect(try file.rows("Person") == people)
    try file.expectWhole()
  }

  private func put(header: [UInt8], in folder: StoreFolder) throws {
    try Environment.open(folder.store).write { transaction in
      let catalog = try #require(try transaction.database("catalog"))
      try Array("header".utf8).withUnsafeBytes { key in
        try header.withUnsafeBytes { try transaction.put(key, $0, catalog) }
      }
    }
  }

  /// What a newer version stores may be lost by saving what this one knows.
  @Test func salvageRefusesWhatANewerVersionWrote() throws {
    let folder = try store(1)
    let new = try StoreFolder()
    func salvage() throws -> SalvageReport { try StoreFile.salvage(folder.store, to: new.store) }
    var header = CatalogHeader(schemaVersion: 0)
    header.format += 1
    try put(header: header.encoded(), in: folder)
    let known = Int(CatalogHeader.knownFormat)
    #expect(throws: StoreError.newerFormat(path: folder.store, found: known + 1, known: known)) { try salvage() }
    header.format -= 1
    header.features = ["time travel"]
    try put(header: header.encoded(), in: folder)
    #expect(throws: StoreError.unknownFeature(path: folder.store, "time travel")) { try salvage() }
    // A number that the checksum does not confirm may be damage.
    header.format += 1
    var bytes = header.encoded()
    bytes[bytes.count - 1] ^= 1
    try put(header: bytes, in: folder)
    #expect(throws: StoreError.self) { try folder.open(mode: .readOnly) }
    let report = try salvage()
    #expect(report.notes.count == 1 && report.notes.first?.hasPrefix("the header in the catalog is damaged") == true)
    #expect(report.lost.isEmpty && report.entities.map(\.saved) == [37, 4])
    try new.open().expectWhole()
  }

  @Test func aFeatureThatIsNotKnownIsRefusedByName() throws {
    let folder = try StoreFolder()
    _ = try folder.open()
    var header = CatalogHeader(schemaVersion: 0)
    header.features = ["time travel"]
    try put(header: header.encoded(), in: folder)
    #expect(throws: StoreError.unknownFeature(path: folder.store, "time travel")) { try folder.open() }
    #expect("\(StoreError.unknownFeature(path: "s", "time travel"))".contains("'time travel'"))
  }
}
