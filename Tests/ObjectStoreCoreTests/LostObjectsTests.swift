import LMDB
import Schema
import Testing
import Values

@testable import ObjectStoreCore
@testable import Storage

/// A number in an index that leads to no object is damage, also for who writes.
@Suite struct LostObjectsTests {
  private static let long = String(repeating: "x", count: 600)

  /// A store in which the keys of the third lead to an object that was never there.
  private func damaged() throws -> Store {
    let schema = Schema(entities: [
      Entity(
        name: "Town",
        properties: [
          Property(name: "code", type: .scalar(.string)), Property(name: "name", type: .scalar(.string)),
          Property(name: "n", type: .scalar(.int)),
        ],
        indexes: [Index(kind: .unique, paths: ["code"]), Index(kind: .unique, paths: ["name"])])
    ])
    let store = try Store.inMemory(schema: schema)
    try store.write { tx in
      let rows = try tx.inserter(for: "Town")
      for number in 1...3_000 {
        try rows.append([.string("c\(number)"), .string(Self.long + "\(number)"), .int(Int64(number))])
      }
    }
    try store.file.environment.write { transaction in
      let catalog = try store.file.catalog(in: transaction)
      let town = try #require(catalog.schema.entity(named: "Town"))
      for index in try catalog.tables(of: town).indexes {
        var keys: [[UInt8]] = []
        let cursor = try transaction.cursor(index)
        var entry = try cursor.first()
        while let found = entry {
          if found.value.loadUnaligned(as: UInt64.self) == 3 { keys.append(Array(found.key)) }
          entry = try cursor.next()
        }
        for key in keys {
          try key.withUnsafeBytes {
            _ = try transaction.delete($0, 3, index)
            _ = try transaction.putDuplicate($0, 7_000, index)
          }
        }
      }
    }
    return store
  }

  private func refuses(_ text: String, _ place: SourceLocation = #_sourceLocation, _ body: (Store) throws -> Void)
    throws
  {
    let store = try damaged()
    do {
      try body(store)
      Issue.record("\(text): nothing is said", sourceLocation: place)
    } catch StoreError.corrupted(let location) {
      #expect(location.contains("7000"), "\(text): \(location)", sourceLocation: place)
    }
    #expect(try store.objects("Town").filter("n > 0").count == 3_000, "\(text)", sourceLocation: place)
  }

  @Test(arguments: [
    "DELETE Town WHERE code == 'c3'", "DELETE Town WHERE code IN {'c2', 'c3'}",
    "UPDATE Town SET n = 0 WHERE code == 'c3'",
  ])
  func statements(_ text: String) throws {
    try refuses(text) { _ = try $0.run(text) }
  }

  @Test func readingWithinAWrite() throws {
    for text in ["code == 'c3'", "code IN {'c3', 'c5'}", "code BETWEEN {'c3', 'c30'}"] {
      try refuses(text) { store in
        try store.write { tx in try tx.objects("Town").filter(text).forEach { _ in } }
      }
      try refuses(text) { store in try store.write { tx in _ = try tx.delete(tx.objects("Town").filter(text)) } }
    }
  }

  @Test(arguments: ["code", "name"])
  func upserting(by key: String) throws {
    try refuses(key) { store in
      try store.write { tx in
        _ = try tx.inserter(for: "Town", upsertKey: key).append([.string("c3"), .string(Self.long + "3"), .int(0)])
      }
    }
  }
}
