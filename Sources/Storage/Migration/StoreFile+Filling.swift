internal import LMDB
internal import Schema
internal import Values

// What objects that are there already get where a declaration leaves gaps.

extension StoreFile {
  /// Replaces nil where it is no longer allowed, and gives the structs of lists the leaves that are new to them.
  func fill(
    _ migration: SchemaMigration, _ target: LoadedCatalog, in transaction: WriteTransaction, wait: WriteWait
  ) throws {
    var problems: [String] = []
    let session = WriteSession(transaction: transaction, catalog: target, path: path)
    defer { session.invalidate() }
    for entity in target.schema.entities {
      let gaps = migration.fills.filter { $0.entity == entity.number }.compactMap { Gap($0, in: entity) }
      if gaps.isEmpty { continue }
      var missing = Array(repeating: 0, count: gaps.count)
      var objects: [ObjectNumber] = []
      // Views end with a write: first it is seen what has gaps, then they are filled.
      try session.snapshot().forEachCluster(entity) { cluster in
        if wait.isOver { throw StoreError.cancelled }
        var slots = Mask.none
        for (place, gap) in gaps.enumerated() {
          let found = try gap.slots(of: cluster)
          if gap.value == nil { missing[place] += found.count } else { slots = slots | found }
        }
        slots.forEach { objects.append(ObjectNumber(cluster: cluster.number, slot: $0)) }
        return true
      }
      for (gap, count) in zip(gaps, missing) where count > 0 {
        problems.append(
          "\(entity.name).\(gap.path) must have a value and \(count) objects have none: give it a default")
      }
      guard problems.isEmpty else { continue }
      for (step, object) in objects.enumerated() {
        if step & 255 == 0, wait.isOver { throw StoreError.cancelled }
        guard let row = try session.row(object, of: entity) else { continue }
        try session.update(object, of: entity, gaps.compactMap { gap in gap.filled(row).map { (gap.column, $0) } })
      }
    }
    if !problems.isEmpty { throw StoreError.migrationNeeded(problems) }
    try session.finish()
  }
}

/// Where the values of one column are missing, and what is put there.
private struct Gap {
  let column: Int
  let path: String
  /// nil when there is nothing to put there.
  let value: Value?
  private let kind: SchemaMigration.Fill.Gaps
  /// The column of the list of structs that it is a part of.
  private let list: Int?
  /// The columns that say which structs around it are there, in each struct of the list.
  private let presences: [Int]

  init?(_ fill: SchemaMigration.Fill, in entity: StoredEntity) {
    guard let column = entity.column(at: fill.path) else { return nil }
    self.column = column
    path = fill.path
    value = fill.value
    kind = fill.gaps
    list = entity.structLists.first { $0.parts.contains(column) }?.column
    presences = entity.columns.indices.filter {
      entity.columns[$0].column.kind == .presences && fill.path.hasPrefix(entity.columns[$0].path + ".")
    }
  }

  /// The objects of a cluster that have gaps.
  func slots(of cluster: ClusterView) throws(StoreError) -> Mask {
    let view = try cluster.column(column)
    switch kind {
    case .objects: return view.nulls & cluster.present
    case .elements:
      var found = Mask.none
      for slot in 0..<view.slotCount where cluster.present[slot] {
        if case .list(let elements) = try view.value(at: slot), elements.contains(where: \.isNull) {
          found[slot] = true
        }
      }
      return found
    case .structs:
      guard let list else { return .none }
      let counts = try cluster.column(list)
      var found = Mask.none
      for slot in 0..<counts.slotCount where cluster.present[slot] {
        if case .int(let count) = try counts.value(at: slot), count > 0 { found[slot] = true }
      }
      return found
    }
  }

  /// The value of an object without gaps; nil (not `.null`) where there are none.
  func filled(_ row: [Value]) -> Value? {
    guard let value else { return nil }
    switch (kind, row[column]) {
    case (.objects, .null): return value
    case (.elements, .list(let elements)): return .list(elements.map { $0.isNull ? value : $0 })
    case (.structs, .list([])):
      guard let list, case .int(let count) = row[list] else { return nil }
      return .list((0..<Int(clamping: count)).map { isThere($0, row) ? value : .null })
    default: return nil
    }
  }

  /// Whether the structs around the leaf are there, in a struct of the list.
  private func isThere(_ place: Int, _ row: [Value]) -> Bool {
    presences.allSatisfy { presence in
      // One that is new itself is there wherever it was before: everywhere.
      guard case .list(let elements) = row[presence], place < elements.count else { return true }
      return !elements[place].isNull
    }
  }
}
