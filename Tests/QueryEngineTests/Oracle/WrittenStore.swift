import Schema
import Storage
import Values

/// A random store written to a real one, with the oracle's view of the same objects.
struct WrittenStore {
  let store: RandomStore
  let file: StoreFile
  /// What the objects have in their columns, in insertion order.
  private(set) var objects: [OracleObject] = []
  /// They with the structs of their lists.
  private(set) var world: OracleWorld

  /// Writes `store`. `last` is called in the last transaction when all is written and nothing committed.
  init(_ store: RandomStore, last: ((Snapshot, OracleWorld) throws -> Void)? = nil) throws {
    self.store = store
    world = OracleWorld(schema: store.schema)
    file = try StoreFile.inMemory(declaring: store.schema)
    let paths = store.columns.map(\.path)
    var numbers: [ObjectNumber] = []
    var rows: [UInt64: [String: Value]] = [:]
    for (turn, transaction) in store.transactions.enumerated() {
      try file.write(timeout: nil) { session in
        guard let entity = session.schema.entity(named: store.entity.name) else { throw OracleError("no entity") }
        let places = paths.map { entity.column(at: $0) ?? 0 }
        for change in transaction {
          switch change {
          case .insert(let values):
            var row = [Value](repeating: .null, count: values.count)
            for (place, value) in zip(places, values) { row[place] = value }
            let number = try session.insert(row, into: entity)
            numbers.append(number)
            rows[number.rawValue] = Dictionary(uniqueKeysWithValues: zip(paths, values))
          case .update(let object, let changes):
            guard object < numbers.count else { continue }
            try session.update(numbers[object], of: entity, changes.map { (places[$0.column], $0.value) })
            for change in changes { rows[numbers[object].rawValue]?[paths[change.column]] = change.value }
          case .delete(let object):
            guard object < numbers.count else { continue }
            _ = try session.delete(numbers[object], of: entity)
            rows[numbers[object].rawValue] = nil
          }
        }
        if turn == store.transactions.count - 1, let last { try last(try session.snapshot(), Self.world(store, rows)) }
      }
    }
    world = Self.world(store, rows)
    objects = rows.sorted { $0.key < $1.key }.map { OracleObject(number: $0.key, values: $0.value) }
  }

  private static func world(_ store: RandomStore, _ rows: [UInt64: [String: Value]]) -> OracleWorld {
    let objects = rows.map { ($0.key, OracleObject(number: $0.key, values: $0.value)) }
    return OracleWorld(
      schema: store.schema, objects: [store.entity.name: Dictionary(uniqueKeysWithValues: objects)])
  }
}
