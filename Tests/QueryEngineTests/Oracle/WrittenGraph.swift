import Schema
import Values

@testable import Storage

/// A random graph written to a real store, with the oracle's view of the same objects.
struct WrittenGraph {
  let graph: RandomGraph
  let file: StoreFile
  let world: OracleWorld

  init(_ graph: RandomGraph) throws {
    self.graph = graph
    let file = try StoreFile.inMemory(declaring: graph.schema)
    self.file = file
    var contents = Contents(graph: graph)
    try file.write(timeout: nil) { session in
      for entity in graph.schema.entities {
        for (place, row) in (graph.rows[entity.name] ?? []).enumerated() {
          try contents.insert(row, entity, session, at: Int64(place) + 1)
        }
      }
    }
    if !graph.changes.isEmpty {
      try file.write(timeout: nil) { session in
        for change in graph.changes { try contents.apply(change, session) }
      }
    }
    world = OracleWorld(schema: graph.schema, objects: contents.objects)
  }

  /// What the oracle knows of what is written.
  private struct Contents {
    let graph: RandomGraph
    var schema: Schema { graph.schema }
    var objects: [String: [UInt64: OracleObject]] = [:]

    /// A value as it is stored: links to where the objects are.
    private func moved(_ value: Value, _ column: Column) -> Value {
      if graph.gap == 0 || column.kind.target == nil { return value }
      switch value {
      case .int(let number): return .int(graph.stored(number))
      case .list(let elements): return .list(elements.map { moved($0, column) })
      default: return value
      }
    }

    /// A row, its links made objects.
    private func value(_ value: Value, _ column: Column) -> Value {
      guard let target = column.kind.target else { return value }
      switch value {
      case .int(let number): return OracleWorld.object(target, UInt64(number))
      case .list(let elements): return .list(elements.map { self.value($0, column) })
      default: return value
      }
    }

    private func stored(_ name: String, _ session: WriteSession) throws -> (StoredEntity, [Column], [Int]) {
      guard let entity = schema.entity(named: name), let stored = session.schema.entity(named: name) else {
        throw OracleError("no entity \(name)")
      }
      let columns = schema.columns(of: entity)
      return (stored, columns, columns.map { stored.column(at: $0.path) ?? 0 })
    }

    mutating func insert(_ row: [Value], _ entity: Entity, _ session: WriteSession, at number: Int64? = nil) throws {
      let (stored, columns, places) = try stored(entity.name, session)
      let row = zip(row, columns).map(moved)
      if let number { try session.writer(of: stored).skipNumbers(before: UInt64(graph.stored(number))) }
      var written = [Value](repeating: .null, count: row.count)
      for (place, value) in zip(places, row) { written[place] = value }
      let number = try session.insert(written, into: stored).rawValue
      let values = Dictionary(uniqueKeysWithValues: zip(columns, row).map { ($0.path, value($1, $0)) })
      objects[entity.name, default: [:]][number] = OracleObject(number: number, values: values)
    }

    mutating func apply(_ change: RandomGraph.Change, _ session: WriteSession) throws {
      switch change {
      case .insert(let name, let row):
        if let entity = schema.entity(named: name) { try insert(row, entity, session) }
      case .update(let name, let counted, let column, let given):
        let object = UInt64(graph.stored(Int64(counted)))
        let (stored, columns, places) = try stored(name, session)
        let new = moved(given, columns[column])
        try session.update(ObjectNumber(object), of: stored, [(places[column], new)])
        let linked = value(new, columns[column])
        objects[name]?[object]?.values[columns[column].path] = linked
      case .replace(let name, let counted, let new):
        let object = UInt64(graph.stored(Int64(counted)))
        let (stored, columns, places) = try stored(name, session)
        try session.update(ObjectNumber(object), of: stored, new.map { (places[$0.column], $0.value) })
        for (column, value) in new { objects[name]?[object]?.values[columns[column].path] = value }
      case .delete(let name, let counted):
        let object = UInt64(graph.stored(Int64(counted)))
        let (stored, _, _) = try stored(name, session)
        _ = try session.delete(ObjectNumber(object), of: stored)
        objects[name]?[object] = nil
        forget(OracleWorld.object(name, object))
      }
    }

    /// Nothing links any more to what is deleted.
    private mutating func forget(_ deleted: Value) {
      for entity in schema.entities {
        for column in schema.columns(of: entity) where column.kind.target != nil {
          for (number, object) in objects[entity.name] ?? [:] {
            let left: Value
            switch object.values[column.path] {
            case .list(let elements)?: left = .list(elements.filter { $0 != deleted })
            case let value? where value == deleted: left = .null
            default: continue
            }
            objects[entity.name]?[number]?.values[column.path] = left
          }
        }
      }
    }
  }
}
