internal import LMDB
internal import Schema
internal import Values

// Converts values to another type.

extension StoreFile {
  /// Converts objects' values from columns with another type. A value that cannot be converted, or is missing without a
  /// replacement, is added to the problems; nothing is written if there are problems.
  func convert(
    _ migration: SchemaMigration, from old: LoadedCatalog, to target: LoadedCatalog, _ problems: inout [String],
    in transaction: WriteTransaction, wait: WriteWait
  ) throws {
    if migration.conversions.isEmpty { return }
    let session = WriteSession(transaction: transaction, catalog: target, path: path)
    defer { session.invalidate() }
    func snapshot() -> Snapshot { Snapshot(transaction: transaction, catalog: old, path: path) }
    for entity in target.schema.entities {
      guard let former = old.schema.entities.first(where: { $0.number == entity.number }) else { continue }
      var conversion = EntityConversion(migration, from: former, to: entity)
      if conversion.isEmpty { continue }
      // Views end with a write, so each cluster is looked up separately.
      var clusters: [UInt64] = []
      try snapshot().forEachCluster(former) {
        clusters.append($0.number)
        return true
      }
      for number in clusters {
        if wait.isOver { throw StoreError.cancelled }
        guard let cluster = try snapshot().cluster(number, of: former) else { continue }
        let values = try conversion.values(of: cluster)
        if problems.isEmpty, conversion.problems.isEmpty { try session.convert(number, of: entity, values) }
      }
      problems += conversion.problems
    }
    if problems.isEmpty { try session.finish() }
  }
}

/// Converts the objects of one entity whose columns had other types. It reads clusters and writes nothing.
struct EntityConversion {
  private let entity: StoredEntity
  private let former: StoredEntity
  private let columns: [ConvertedColumn]
  /// For each column the first value that has no counterpart.
  private var inexact: [(object: ObjectNumber, value: Value)?]
  /// The number of objects without a value, for each column.
  private var missing: [Int]
  /// The number of objects whose value was nil and is replaced, for each column.
  private var replaced: [Int]
  /// The number of objects processed so far.
  private(set) var objectCount = 0

  init(_ migration: SchemaMigration, from former: StoredEntity, to entity: StoredEntity) {
    self.entity = entity
    self.former = former
    columns = migration.conversions.filter { $0.entity == entity.number }.compactMap {
      ConvertedColumn($0, from: former, to: entity)
    }
    inexact = columns.map { _ in nil }
    missing = columns.map { _ in 0 }
    replaced = missing
  }

  var isEmpty: Bool { columns.isEmpty }

  /// The problems, one sentence for each column.
  var problems: [String] {
    columns.indices.compactMap { place in
      let path = "\(entity.name).\(columns[place].conversion.path)"
      if let (object, value) = inexact[place] {
        return "\(path) is \(entity.columns[columns[place].column].column.typeName) in the models, and number "
          + "\(object.rawValue) has \(value.brief), which is none: change it first, convert it in a step of a "
          + "MigrationPlan, or give what is new another name"
      }
      return missing[place] == 0 ? nil : SchemaFill.problem(path, missing[place])
    }
  }

  /// The columns in which nil is replaced, each with the number of objects.
  var filled: [(path: String, count: Int)] {
    columns.indices.filter { replaced[$0] > 0 }.map { (columns[$0].conversion.path, replaced[$0]) }
  }

  /// The new values of the objects in a cluster of the old entity.
  mutating func values(of cluster: ClusterView) throws -> [(slot: Int, column: Int, value: Value)] {
    var views: [Int: ColumnView] = [:]
    for column in Set(columns.flatMap(\.columns)) { views[column] = try cluster.column(column) }
    var values: [(slot: Int, column: Int, value: Value)] = []
    for slot in 0..<cluster.slotCount where cluster.present[slot] {
      objectCount += 1
      var made = MadeValues()
      for (place, column) in columns.enumerated() {
        func old(_ position: Int) throws(StoreError) -> Value { try views[position]?.value(at: slot) ?? .null }
        do {
          let converted = try column.value(old)
          if let value = try filled(converted, column.conversion, &made) {
            if converted.hasGap { replaced[place] += 1 }
            values.append((slot, column.column, value))
          } else {
            missing[place] += 1
          }
        } catch let error as ConvertedColumn.Inexact {
          if inexact[place] == nil {
            inexact[place] = (ObjectNumber(cluster: cluster.number, slot: slot), error.value)
          }
        }
      }
    }
    return values
  }

  /// The value with its gaps filled; nil (not `.null`) if there is no content for them.
  private func filled(
    _ value: ConvertedValue, _ conversion: ColumnConversion, _ made: inout MadeValues
  ) throws -> Value? {
    func gap(_ element: Int) throws -> Value? {
      switch conversion.gap {
      case .value(let value): value
      case .made(let maker, let owner, let column):
        try made.value(maker, owner: owner, element: element, column: column)
      case .nothing: nil
      }
    }
    switch value {
    case .value(let value): return value
    case .gap: return try gap(0)
    case .elements(let elements):
      var filled: [Value] = []
      for (place, element) in elements.enumerated() {
        guard let value = element.isNull ? try gap(place) : element else { return nil }
        filled.append(value)
      }
      return .list(filled)
    }
  }
}
