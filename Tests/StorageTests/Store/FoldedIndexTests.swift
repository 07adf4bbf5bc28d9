import LMDB
import Schema
import Testing
import Values

@testable import Storage

/// Indexes of folded texts: in step with the objects, and of this program's folding.
@Suite struct FoldedIndexTests {
  private static let schema = Schema.only(
    "City", [.scalar("name", .string, optional: true), .scalar("size", .int)],
    indexes: [Index(kind: .folded, paths: ["name"]), Index(paths: ["name"])])

  private func numbers(_ text: String?, _ file: StoreFile) throws -> [UInt64] {
    let value = text.map { Value.string(String(decoding: TextFolding.full.fold($0), as: UTF8.self)) } ?? .null
    return try file.read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: "City"))
      let reader = try snapshot.index(try #require(entity.index(named: "name", kind: .folded)), of: entity)
      var found: [UInt64] = []
      try reader.forEachRun(.equal(to: [value], types: [.string])) {
        found += $0
        return true
      }
      return found
    }
  }

  @Test func followsWhatIsWritten() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let long = String(repeating: "É", count: 900)
    let names: [Value] = ["Zürich", "ZURICH", "zu\u{308}rich", "Straße", "A\u{0}b", long].map { .string($0) } + [.null]
    try file.insert(names.map { [$0, .int(1)] }, into: "City")
    #expect(try numbers("zurich", file) == [1, 2, 3])
    #expect(try numbers("STRASSE", file) == [4])
    #expect(try numbers("a\u{0}B", file) == [5])
    #expect(try numbers(String(repeating: "e", count: 900), file) == [6])
    #expect(try numbers(nil, file) == [7])
    try file.expectWhole()
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "City"))
      try session.update(ObjectNumber(1), of: entity, [(0, .string("Genève"))])
      try session.update(ObjectNumber(2), of: entity, [(0, .string("zürich"))])
      try session.update(ObjectNumber(7), of: entity, [(0, .string("ZÜRICH"))])
      _ = try session.delete(ObjectNumber(3), of: entity)
    }
    #expect(try numbers("Zurich", file) == [2, 7])
    #expect(try numbers("geneve", file) == [1])
    #expect(try numbers(nil, file) == [])
    try file.expectWhole()
  }

  @Test func isBuiltOverObjectsThatAreThere() throws {
    let properties = Self.schema.entities[0].properties
    let file = try StoreFile.inMemory(declaring: Schema.only("City", properties))
    try file.insert((0..<700).map { [.string($0 % 2 == 0 ? "Älg" : "alge"), .int(Int64($0))] }, into: "City")
    try file.declare(Self.schema)
    #expect(try numbers("ALG", file).count == 350)
    try file.expectWhole()
  }

  @Test func whatACheckFindsWrong() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("Älg"), .int(1)]], into: "City")
    try file.environment.write { transaction in
      let catalog = try file.catalog(in: transaction)
      let entity = try #require(catalog.schema.entity(named: "City"))
      let index = try catalog.tables(of: entity).indexes[0]
      let key = IndexKey.encode([.string("Älg")], types: [.string])
      try key.withUnsafeBytes { _ = try transaction.putDuplicate($0, 1, index) }
    }
    let report = try file.check()
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.contains("under a value that is not the object's") == true)
  }

  /// Makes the catalog say that another version of the folding made the folded index, whose keys are gone too.
  private func forge(_ file: StoreFile) throws {
    try file.environment.write { transaction in
      let catalog = try file.catalog(in: transaction)
      let entity = try #require(catalog.schema.entity(named: "City"))
      var record = catalog.record
      record.version += 1
      for place in record.entities[0].indexes.indices where record.entities[0].indexes[place].index.kind == .folded {
        record.entities[0].indexes[place].foldingVersion = TextFolding.version + 1
      }
      try Catalog(database: catalog.catalog, path: file.path).write(record, in: transaction)
      let index = try catalog.tables(of: entity).indexes[0]
      let key = IndexKey.encode([.string("alg")], types: [.string])
      try key.withUnsafeBytes { _ = try transaction.delete($0, index) }
    }
  }

  @Test(arguments: [true, false])
  func anotherVersionsIndexIsMadeAnewWhenOpened(declares: Bool) throws {
    let folder = try StoreFolder()
    do {
      let file = try folder.open(Self.schema)
      try file.insert([[.string("Älg"), .int(1)], [.string("alg"), .int(2)]], into: "City")
      try forge(file)
      // Until then it is not read, nor compared with the objects.
      #expect(try file.entity("City").index(named: "name", kind: .folded)?.isComplete == false)
      #expect(try file.entity("City").index(named: "name", kind: .ordered)?.isComplete == true)
      #expect(throws: StoreError.self) { try numbers("ALG", file) }
      try file.expectWhole()
    }
    do {
      let file = try folder.open(mode: .readOnly)
      #expect(throws: StoreError.self) { try numbers("ALG", file) }
    }
    let file = try folder.open(declares ? Self.schema : nil)
    #expect(try numbers("ALG", file) == [1, 2])
    try file.expectWhole()
  }

  @Test func anotherVersionsIndexIsMadeAnewBeforeAWriteThatStaysOpen() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("Älg"), .int(1)], [.string("alg"), .int(2)]], into: "City")
    try forge(file)
    let write = try file.beginWrite()
    let city = try #require(write.session.schema.entity(named: "City"))
    try write.session.insert([.string("ALG"), .int(3)], into: city)
    try write.commit()
    #expect(try numbers("ALG", file) == [1, 2, 3])
    try file.expectWhole()
  }

  @Test func anotherVersionsIndexIsMadeAnewBeforeAWrite() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("Älg"), .int(1)], [.string("alg"), .int(2)]], into: "City")
    try forge(file)
    struct Rollback: Error {}
    #expect(throws: Rollback.self) { try file.write { _ in throw Rollback() } }
    #expect(throws: StoreError.self) { try numbers("ALG", file) }
    try file.insert([[.string("ÂLG"), .int(3)]], into: "City")
    #expect(try numbers("ALG", file) == [1, 2, 3])
    try file.expectWhole()
  }
}
