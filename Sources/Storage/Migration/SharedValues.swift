internal import Schema
internal import Values

/// The values that objects would share in unique properties, where a migration makes them unique or fills them. It reads
/// clusters, and knows nothing of the index that is built later.
///
/// The values of expressions do not exist before the migration, so indexes over them are left out.
struct SharedValues {
  /// The number of values that are named for each index.
  private static let namedLimit = 10

  private let snapshot: Snapshot
  private let former: StoredEntity
  private let entity: StoredEntity
  private let migration: SchemaMigration
  private let wait: WriteWait

  init(
    _ migration: SchemaMigration, from former: StoredEntity, to entity: StoredEntity, in snapshot: Snapshot,
    _ wait: WriteWait
  ) {
    self.snapshot = snapshot
    self.former = former
    self.entity = entity
    self.migration = migration
    self.wait = wait
  }

  /// A sentence for each value, as opening says it.
  func problems() throws -> [String] {
    var problems: [String] = []
    for index in entity.indexes where index.isUnique {
      guard let gaps = gaps(of: index), !gaps.isEmpty || migration.builtIndexes.contains(index.number) else { continue }
      let shared = try violations(of: index, gaps)
      problems += shared.prefix(Self.namedLimit).map(\.problem)
      let more = shared.count - Self.namedLimit
      if more > 0 {
        problems.append(
          "\(amount(more, "more value")) of \(entity.name).\(index.name) \(more == 1 ? "is" : "are") shared likewise")
      }
    }
    return problems
  }

  /// What existing objects get in the columns of an index; nil if an expression says so.
  private func gaps(of index: StoredIndex) -> [(gap: Gap, value: Value)]? {
    var gaps: [(gap: Gap, value: Value)] = []
    for fill in migration.fills where fill.entity == entity.number {
      guard let gap = Gap(fill, in: entity), index.columns.contains(gap.column) else { continue }
      switch fill.content {
      case .value(let value): gaps.append((gap, value))
      case .made: return nil
      case .nothing: continue
      }
    }
    for conversion in migration.conversions where conversion.entity == entity.number {
      if case .made = conversion.gap, index.columns.contains(where: { entity.columns[$0].path == conversion.path }) {
        return nil
      }
    }
    return gaps
  }

  /// The values that several objects share, in the order of the first object that has each.
  private func violations(of index: StoredIndex, _ gaps: [(gap: Gap, value: Value)]) throws -> [UniquenessViolation] {
    // Most keys are of one object: a first walk keeps only their hashes.
    var seen: Set<Int> = []
    var repeated: Set<Int> = []
    try forEachKey(of: index, gaps) { key, _, _ in
      if !seen.insert(key.hashValue).inserted { repeated.insert(key.hashValue) }
    }
    if repeated.isEmpty { return [] }
    seen = []
    var holders: [[UInt8]: (values: [Value], objects: [ObjectNumber])] = [:]
    try forEachKey(of: index, gaps) { key, values, object in
      if repeated.contains(key.hashValue) { holders[key, default: (values, [])].objects.append(object) }
    }
    let shared = holders.values.filter { $0.objects.count > 1 }
    return shared.sorted { ($0.objects.first?.rawValue ?? 0) < ($1.objects.first?.rawValue ?? 0) }.map {
      UniquenessViolation(
        entity: entity.name, path: index.name, value: $0.values.count == 1 ? $0.values[0] : .list($0.values),
        objects: $0.objects)
    }
  }

  /// Calls `body` with the key of each object that has a value in all columns of the index.
  private func forEachKey(
    of index: StoredIndex, _ gaps: [(gap: Gap, value: Value)],
    _ body: (_ key: [UInt8], _ values: [Value], _ object: ObjectNumber) -> Void
  ) throws {
    var conversion = EntityConversion(migration, from: former, to: entity)
    let convertedPaths = Set(migration.conversions.filter { $0.entity == entity.number }.map(\.path))
    let convertedColumns = Set(index.columns.filter { convertedPaths.contains(entity.columns[$0].path) })
    var key: [UInt8] = []
    try snapshot.forEachCluster(entity) { cluster in
      if wait.isOver { throw StoreError.cancelled }
      var converted: [Int: [Int: Value]] = [:]
      if !convertedColumns.isEmpty, let old = try snapshot.cluster(cluster.number, of: former) {
        for (slot, column, value) in try conversion.values(of: old) { converted[column, default: [:]][slot] = value }
      }
      let filled = try gaps.map { (column: $0.gap.column, slots: try $0.gap.slots(of: cluster), value: $0.value) }
      let views = try index.columns.map { try cluster.column($0) }
      for slot in 0..<cluster.slotCount where cluster.present[slot] {
        let values = try zip(index.columns, views).map { column, view in
          if convertedColumns.contains(column) { return converted[column]?[slot] ?? .null }
          return try filled.first { $0.column == column && $0.slots[slot] }?.value ?? view.value(at: slot)
        }
        if values.contains(where: \.isNull) { continue }
        IndexKey.encode(values, of: index, into: &key)
        body(key, values, ObjectNumber(cluster: cluster.number, slot: slot))
      }
      return true
    }
  }
}

extension UniquenessViolation {
  /// The sentence that refuses to make the property unique.
  var problem: String {
    "\(duplicates), and \(entity).\(path) is declared unique: change or delete all but one of them while it is not, or "
      + "leave the declaration out"
  }
}
