import Schema
import Storage
import Testing
import Values

/// What is unique: judged at commit, nil left out, NaN one value.
@Suite struct UniqueTests {
  private static let schema = Schema.only(
    "Thing",
    [.scalar("code", .string, optional: true), .scalar("size", .double, optional: true), .scalar("group", .int)],
    indexes: [
      Index(kind: .unique, paths: ["code"]), Index(kind: .unique, paths: ["size"]),
      Index(kind: .unique, paths: ["group", "code"]),
    ])

  private func filled() throws -> (StoreFile, StoredEntity) {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("a"), .double(1), .int(1)], [.string("b"), .double(2), .int(2)]], into: "Thing")
    return (file, try file.entity("Thing"))
  }

  @Test func valuesMayChangePlaces() throws {
    let (file, entity) = try filled()
    try file.write { session in
      try session.update(ObjectNumber(1), of: entity, [(column: 0, value: .string("b"))])
      _ = try session.snapshot()
      try session.update(ObjectNumber(2), of: entity, [(column: 0, value: .string("a"))])
    }
    #expect(try file.rows("Thing")[1]?[0] == .string("b"))
    try file.expectWhole()
  }

  /// What was looked up before is not what counts once values have changed hands.
  @Test func objectsAreFoundByWhatTheyHaveNow() throws {
    let (file, entity) = try filled()
    let index = try #require(entity.indexes.first { $0.columns == [0] })
    let long = String(repeating: "long", count: 20)
    try file.write { session in
      func found(_ code: String) throws -> UInt64? {
        try session.find(unique: index, .string(code), of: entity)?.rawValue
      }
      for _ in 0..<2 {
        #expect(try found("a") == 1)
        #expect(try found("b") == 2)
        #expect(try found("c") == nil)
      }
      try session.update(ObjectNumber(1), of: entity, [(column: 0, value: .string(long))])
      #expect(try found("a") == nil)
      #expect(try found(long) == 1)
      try session.update(ObjectNumber(2), of: entity, [(column: 0, value: .string("a"))])
      for _ in 0..<2 { #expect(try found("a") == 2) }
      let third = try session.insert([.string("b"), .null, .int(3)], into: entity)
      for _ in 0..<2 { #expect(try found("b") == third.rawValue) }
      _ = try session.snapshot()
      #expect(try found("b") == third.rawValue)
      try session.delete(third, of: entity)
      #expect(try found("b") == nil)
      #expect(try found("a") == 2)
    }
    try file.expectWhole()
  }

  @Test func otherScalarsAreAnotherText() throws {
    let (file, entity) = try filled()
    let spellings = ["caf\u{E9}", "cafe\u{301}"].map(Value.string)
    for spelling in spellings {
      try file.write { try $0.update(ObjectNumber(1), of: entity, [(column: 0, value: spelling)]) }
      #expect(try file.rows("Thing")[1]?[0] == spelling)
      try file.expectWhole()
    }
    try file.insert([[spellings[0], .null, .int(1)]], into: "Thing")
    try file.expectWhole()
  }

  @Test func violationsNameObjectsAndProperty() throws {
    let (file, entity) = try filled()
    #expect(
      throws: StoreError.constraintViolated(
        UniquenessViolation(
          entity: "Thing", path: "code", value: .string("a"), objects: [ObjectNumber(1), ObjectNumber(3)]))
    ) { try file.insert([[.string("a"), .null, .int(9)]], into: "Thing") }
    #expect(
      throws: StoreError.constraintViolated(
        UniquenessViolation(
          entity: "Thing", path: "size", value: .double(.infinity), objects: [ObjectNumber(1), ObjectNumber(2)]))
    ) {
      try file.write { session in
        try session.update(ObjectNumber(1), of: entity, [(column: 1, value: .double(.infinity))])
        try session.update(ObjectNumber(2), of: entity, [(column: 1, value: .double(.infinity))])
      }
    }
    #expect(try file.rows("Thing").count == 2)
    try file.expectWhole()
  }

  @Test func nilMayBeSharedAndNaNMayNot() throws {
    let (file, _) = try filled()
    try file.insert(
      [[.null, .null, .int(1)], [.null, .null, .int(1)], [.null, .double(.nan), .int(1)]], into: "Thing")
    #expect(throws: StoreError.self) { try file.insert([[.null, .double(.nan), .int(1)]], into: "Thing") }
    #expect(throws: StoreError.self) {
      try file.insert([[.null, .double(0), .int(1)], [.null, .double(-0.0), .int(1)]], into: "Thing")
    }
    #expect(try file.rows("Thing").count == 5)
    try file.expectWhole()
  }

  @Test func lookUpsSeeWhatWasChanged() throws {
    let (file, entity) = try filled()
    let code = try #require(entity.index(named: "code"))
    try file.write { session in
      #expect(try session.find(unique: code, .string("a"), of: entity) == ObjectNumber(1))
      #expect(try session.delete(ObjectNumber(1), of: entity))
      #expect(try session.find(unique: code, .string("a"), of: entity) == nil)
      let new = try session.insert([.string("a"), .null, .int(5)], into: entity)
      #expect(try session.find(unique: code, .string("a"), of: entity) == new)
      try session.update(new, of: entity, [(column: 0, value: .string("c"))])
      #expect(try session.find(unique: code, .string("a"), of: entity) == nil)
      #expect(try session.find(unique: code, .string("c"), of: entity) == new)
      for number in 0..<5000 {
        let text = Value.string("n\(number % 2500)")
        if let known = try session.find(unique: code, text, of: entity) {
          try session.update(known, of: entity, [(column: 2, value: .int(Int64(number)))])
        } else {
          try session.insert([text, .null, .int(Int64(number))], into: entity)
        }
        if number % 1000 == 0 { _ = try session.snapshot() }
      }
    }
    #expect(try file.rows("Thing").count == 2 + 2500)
    try file.expectWhole()
  }

  @Test func longKeysAreToldApart() throws {
    let (file, entity) = try filled()
    let long = String(repeating: "x", count: 600)
    try file.insert([[.string(long + "1"), .null, .int(1)], [.string(long + "2"), .null, .int(1)]], into: "Thing")
    let code = try #require(entity.index(named: "code"))
    #expect(try file.read { try $0.find(unique: code, .string(long + "2"), of: entity) } == ObjectNumber(4))
    #expect(try file.read { try $0.find(unique: code, .string(long + "3"), of: entity) } == nil)
    #expect(try file.read { try $0.index(code, of: entity).hasLongKeys })
    try file.write { session in
      _ = try session.snapshot()
      #expect(try session.find(unique: code, .string(long + "1"), of: entity) == ObjectNumber(3))
      #expect(try session.find(unique: code, .string(long), of: entity) == nil)
    }
    #expect(throws: StoreError.self) { try file.insert([[.string(long + "2"), .null, .int(7)]], into: "Thing") }
    try file.expectWhole()
  }

  /// Values whose keys are the same once they are shortened: they begin alike, and their hashes collide. The hash
  /// combines each eight bytes with a constant and multiplies the halves; where the lower half becomes 0, only the sum
  /// of these eight bytes and of those in the same place of the next 64 counts.
  @Test func valuesWhoseKeysCollideAreToldApart() throws {
    func value(_ first: UInt8, _ second: UInt8) -> [UInt8] {
      var bytes = [UInt8](repeating: 0x78, count: 900)
      bytes.replaceSubrange(511..<519, with: [0x3C, 0x28, 0x52, 0xBB, first, 1, 1, 1])
      bytes.replaceSubrange(575..<583, with: [0x88, 0xD0, 0x65, 0x8B, second, 1, 1, 1])
      return bytes
    }
    let values = [value(10, 10), value(11, 9), value(9, 11)].map { Value.data($0) }
    let keys = values.map { IndexKey.encode([$0], types: [.data]) }
    #expect(Set(values).count == 3 && Set(keys).count == 1)

    let file = try StoreFile.inMemory(
      declaring: .only("File", [.scalar("bytes", .data)], indexes: [Index(kind: .unique, paths: ["bytes"])]))
    try file.insert(values.map { [$0] }, into: "File")
    let entity = try file.entity("File")
    let index = try #require(entity.index(named: "bytes"))
    for (place, value) in values.enumerated() {
      let found = try file.read { try $0.find(unique: index, value, of: entity) }
      #expect(found == ObjectNumber(UInt64(place + 1)))
      #expect(throws: StoreError.self) { try file.insert([[value]], into: "File") }
    }
    try file.expectWhole()
  }
}
