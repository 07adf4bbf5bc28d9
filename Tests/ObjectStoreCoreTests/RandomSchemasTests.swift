import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// Random schemas declared one after the other over one file with values: properties come, go, change names and types,
/// within a struct too, and so do indexes. After each declaration, whether it was refused or not, every value that was
/// stored is still there under its name, until it is removed by name.
///
/// `SEED=…` repeats a run, `ROUNDS=…` sets its length.
@Suite struct RandomSchemasTests {
  @Test func nothingStoredIsLost() throws {
    let seed = testSeed()
    let rounds = ProcessInfo.processInfo.environment["ROUNDS"].flatMap(Int.init) ?? 250
    var run = try SchemaRun(seed: seed)
    for round in 0..<rounds {
      do { try run.step() } catch { throw SchemaRun.Problem(text: "SEED=\(seed) round \(round): \(error)") }
    }
    // A run in which nothing was ever refused, or nothing ever went well, has tried little.
    #expect(run.accepted > rounds / 10 && run.refused > rounds / 20, "SEED=\(seed) \(run.accepted) \(run.refused)")
    #expect(try run.store.check().isWhole)
  }
}

private struct SchemaRun {
  struct Problem: Error { var text: String }

  let store: Store
  var random: Numbers
  var accepted = 0
  var refused = 0
  /// The values of every object, by path.
  private var stored: [String: [Value]] = [:]
  private var nextName = 0
  private var nextValue: Int64 = 0

  init(seed: UInt64) throws {
    random = Numbers(seed)
    store = try Store.inMemory(
      schema: Schema(
        entities: [
          Entity(
            name: "E",
            properties: [
              Property(name: "a", type: .scalar(.int8)), Property(name: "b", type: .scalar(.string)),
              Property(name: "s", type: .embedded("S")),
            ])
        ],
        embedded: [Entity(name: "S", properties: [Property(name: "x", type: .scalar(.string))])]))
    for _ in 0..<5 { try insert() }
  }

  private mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func fresh() -> String {
    nextName += 1
    return "p\(nextName)"
  }

  // MARK: Objects

  private mutating func value(of column: Column, isOptional: Bool) -> Value {
    nextValue += 1
    if isOptional, once(in: 4) { return .null }
    switch column.kind {
    case .scalar(.int8): return .int(nextValue % 100)
    case .scalar(.int): return .int(nextValue)
    case .presence: return .bool(true)
    default: return .string("v\(nextValue)")
    }
  }

  private mutating func insert() throws {
    let schema = try store.schema
    let columns = schema.columns(of: try entity())
    var row: [Value] = []
    var missing: String?
    for column in columns {
      if let missing, column.path.hasPrefix(missing) {
        row.append(.null)
        continue
      }
      // What is in a struct that may be missing has a column that may be nil, which says nothing of the property.
      let isOptional = schema.properties(along: column.path, of: "E").last?.property.isOptional ?? true
      row.append(value(of: column, isOptional: isOptional))
      if column.kind == .presence, row.last?.isNull == true { missing = column.path + "." }
    }
    do {
      try store.write { tx in _ = try tx.inserter(for: "E").append(row) }
    } catch StoreError.constraintViolated { return } catch StoreError.missingValue { return }
    for (column, value) in zip(columns, row) where column.kind != .presence {
      stored[column.path, default: []].append(value)
    }
  }

  private func entity() throws -> Entity {
    guard let entity = try store.schema.entity(named: "E") else { throw Problem(text: "E is gone") }
    return entity
  }

  private func values(_ path: String) throws -> [Value] { try store.objects("E").rows([path]).map { $0[0] } }

  private func verify() throws {
    for (path, values) in stored where try self.values(path) != values {
      throw Problem(text: "\(path) was \(values) and is \(try self.values(path))")
    }
  }

  // MARK: Schemas

  /// A form of a structure that lacks, renames, retypes and adds.
  private mutating func changed(
    _ known: Entity, _ prefix: String, renamed: inout [String: String], gone: inout [String]
  ) -> Entity {
    var declared = Entity(name: known.name, properties: [])
    for property in known.properties {
      var property = property
      property.originalNames = []
      if property.name != "s", once(in: 6) {
        gone.append(prefix + property.name)
        continue
      }
      if once(in: 12) {
        let name = fresh()
        property.originalNames = once(in: 2) ? [property.name] : [fresh(), property.name]
        renamed[prefix + property.name] = prefix + name
        property.name = name
      }
      if case .scalar = property.type, once(in: 12) { property.type = .scalar(once(in: 2) ? .int : .string) }
      if once(in: 10) { property.isOptional.toggle() }
      declared.properties.append(property)
    }
    if once(in: 2) || declared.properties.isEmpty {
      var property = Property(name: fresh(), type: .scalar(once(in: 2) ? .int : .string))
      if once(in: 3) {
        property.isOptional = true
      } else if !once(in: 4) {
        property.defaultValue = property.type == .scalar(.int) ? .int(7) : .string("new")
      }
      declared.properties.insert(property, at: once(in: 2) ? 0 : declared.properties.count)
    }
    return declared
  }

  mutating func step() throws {
    let before = try store.schema
    var renamed: [String: String] = [:]
    var gone: [String] = []
    guard let structure = before.structure(named: "S") else { throw Problem(text: "S is gone") }
    var entity = changed(try self.entity(), "", renamed: &renamed, gone: &gone)
    let inner = changed(structure, "s.", renamed: &renamed, gone: &gone)
    guard let outer = entity.properties.first(where: { $0.type == .embedded("S") })?.name else { return }
    // What is in a struct that has another name now has a new path.
    if outer != "s" { return }
    if once(in: 3), let property = entity.properties.first(where: { $0.type != .embedded("S") }) {
      entity.indexes.append(Index(kind: once(in: 3) ? .unique : .ordered, paths: [property.name]))
    }
    let removing = gone.filter { _ in once(in: 4) }
    let keeping = once(in: 3) ? [] : gone.filter { !removing.contains($0) }
    let schema = Schema(entities: [entity], embedded: [inner])
    func named(_ paths: [String]) -> [String] { paths.map { "E.\($0)" } }
    do {
      try store.declare(schema, removing: named(removing), keeping: named(keeping))
      accepted += 1
    } catch let error as StoreError {
      switch error {
      case .migrationNeeded, .constraintViolated, .unsupported: refused += 1
      default: throw error
      }
      guard try store.schema == before else { throw Problem(text: "a refused declaration changed the schema") }
      return try verify()
    }
    for path in removing {
      stored[path] = nil
      guard try store.schema.place(at: path, of: "E") == nil else { throw Problem(text: "\(path) was removed") }
    }
    for (old, new) in renamed { stored[new] = stored.removeValue(forKey: old) }
    // nil gives way where it is no longer allowed.
    let now = try store.schema.columns(of: try self.entity())
    for (path, values) in stored {
      guard let column = now.first(where: { $0.path == path }) else { continue }
      if !column.isOptional {
        stored[path] = values.map { $0.isNull ? column.defaultValue : $0 }
      } else if path.hasPrefix("s."),
        try store.schema.properties(along: path, of: "E").last?.property.isOptional == false
      {
        // The struct around it may be missing.
        let isThere = try self.values("s").map { !$0.isNull }
        stored[path] = zip(values, isThere).map { $0.isNull && $1 ? column.defaultValue : $0 }
      }
    }
    for column in now where stored[column.path] == nil && column.kind != .presence {
      stored[column.path] = try values(column.path)
    }
    try verify()
    let after = try store.schema
    try store.declare(schema, removing: named(removing), keeping: named(keeping))
    guard try store.schema == after else { throw Problem(text: "the same declaration changed the schema again") }
    try insert()
    try verify()
  }
}
