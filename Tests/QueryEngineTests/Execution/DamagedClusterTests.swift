import Schema
import Testing
import Values

@testable import LMDB
@testable import QueryEngine
@testable import Storage

/// A damaged cluster ends the queries that come to it, and no others: not by being sampled, and not by a table of all
/// clusters that somebody would be served by.
@Suite struct DamagedClusterTests {
  private static func store() throws -> TestStore {
    let properties = [
      Property(name: "id", type: .scalar(.int)), Property(name: "x", type: .scalar(.double)),
      Property(name: "word", type: .scalar(.string)),
    ]
    return try TestStore(
      Schema(entities: [Entity(name: "Thing", properties: properties, indexes: [Index(paths: ["id"])])]),
      rows: (0..<10_000).map { [.int(Int64($0)), .double(Double($0 * 7 % 100)), .string("word \($0 % 9)")] })
  }

  /// Makes the cluster in the middle unreadable, which is none of those that are sampled.
  private static func damage(_ file: StoreFile) throws {
    try file.environment.write { transaction in
      let catalog = try file.catalog(in: transaction)
      let entity = try #require(catalog.schema.entity(named: "Thing"))
      let objects = try catalog.tables(of: entity).objects
      let bytes = Array(try #require(try transaction.get(20, objects))).prefix(16)
      try bytes.withUnsafeBytes { try transaction.put(20, $0, objects) }
    }
  }

  @Test(arguments: [
    "id == 1 AND word == 'word 1'", "id IN {1, 2, 300, 301, 4800, 9100, 9900} SORT(x ASC)",
    "id IN {1, 2, 300, 301, 4800, 9100, 9900} AND x > 0",
    "id IN {1, 300, 4800, 9100} AND word CONTAINS '1' SORT(x ASC)",
    "id IN {1, 300, 4800, 9100} DISTINCT(word)", "id == 1000 SORT(word ASC) LIMIT(3)", "id IN {5, 290, 9030}",
  ])
  func whatDoesNotComeToItIsAnswered(_ text: String) throws {
    let store = try Self.store()
    let wanted = try store.rows(text)
    #expect(!wanted.isEmpty || text.contains("CONTAINS"))
    try Self.damage(store.file)
    for _ in 0..<40 { #expect(try store.rows(text) == wanted) }
    #expect(throws: StoreError.self) { try store.rows("x > 5") }
    #expect(throws: StoreError.self) { try store.rows("id IN {1, 5200, 9000} SORT(x ASC)") }
    #expect(try store.rows(text) == wanted)
  }
}
