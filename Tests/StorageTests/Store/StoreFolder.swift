import Glibc
import Schema
import Storage
import Testing
import Values

/// A folder for one test's store, removed when the test lets go of it.
final class StoreFolder {
  let root: String

  init() throws {
    var template = Array("/tmp/store-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw StoreError.io(path: "/tmp", reason: "mkdtemp") }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for path in ["\(store)/data.mdb", "\(store)/lock.mdb"] { unlink(path) }
    rmdir(store)
    rmdir(root)
  }

  /// Where the store is.
  var store: String { root + "/test.objects" }

  func open(_ schema: Schema? = nil, mode: OpenMode = .create) throws -> StoreFile {
    try StoreFile.open(store, mode: mode, declaring: schema)
  }
}

/// Random numbers that come again with the same seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension Schema {
  /// An entity with the given properties, and no other.
  static func only(_ name: String, _ properties: [Property], indexes: [Index] = []) -> Schema {
    Schema(entities: [Entity(name: name, properties: properties, indexes: indexes)])
  }
}

extension Property {
  static func scalar(
    _ name: String, _ type: ScalarType, optional: Bool = false, default value: Value? = nil
  ) -> Property {
    Property(name: name, type: .scalar(type), isOptional: optional, defaultValue: value)
  }
}

extension StoreFile {
  /// The entity of that name, as of now.
  func entity(_ name: String) throws -> StoredEntity {
    try #require(try read { $0.schema }.entity(named: name))
  }

  /// Every object's values by number.
  func rows(_ name: String) throws -> [UInt64: [Value]] {
    try read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: name))
      var rows: [UInt64: [Value]] = [:]
      try snapshot.forEachCluster(entity) { view in
        for slot in 0..<view.slotCount where view.present[slot] {
          let object = ObjectNumber(cluster: view.number, slot: slot)
          rows[object.rawValue] = try snapshot.row(object, of: entity)
        }
        return true
      }
      return rows
    }
  }

  /// Adds rows in one write and gives their numbers.
  @discardableResult
  func insert(_ rows: [[Value]], into name: String) throws -> [ObjectNumber] {
    try write { session in
      let entity = try #require(session.schema.entity(named: name))
      return try rows.map { try session.insert($0, into: entity) }
    }
  }

  /// The object numbers an index gives for a range, in its order.
  func indexed(
    _ index: String, _ range: IndexKeyRange = .all, of name: String, descending: Bool = false
  ) throws -> [UInt64] {
    try read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: name))
      let reader = try snapshot.index(try #require(entity.index(named: index)), of: entity)
      var numbers: [UInt64] = []
      try reader.forEachRun(range, descending: descending) {
        numbers += $0
        return true
      }
      return numbers
    }
  }

  /// Fails the test for every problem a check finds.
  func expectWhole(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try check()
    #expect(report.problems == [], comment, sourceLocation: sourceLocation)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether some bytes are in it, one after the other.
  func holds(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, var place = baseAddress, count >= bytes.count else { return false }
    let last = place + (count - bytes.count)
    while place <= last, let found = memchr(place, Int32(first), last - place + 1) {
      if memcmp(found, bytes, bytes.count) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
