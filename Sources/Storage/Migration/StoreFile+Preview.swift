package import Schema
internal import Values

/// The changes that opening a file with a declaration would make.
package struct PreviewedMigration: Sendable {
  /// The kind of change.
  package enum Kind: Sendable {
    case added, renamed, changed, converted, filled, lost
  }

  /// One change: a sentence, and the number of affected objects or values, if relevant.
  package struct Change: Sendable {
    package let kind: Kind
    package let text: String
    package let count: Int?
    /// The change as a line of a difference, with the count in words.
    package var line: String
  }

  package var changes: [Change] = []
  /// The names of the steps that would be done, in order.
  package var steps: [String] = []
  /// Why it would be refused, a sentence each.
  package var problems: [String] = []
}

extension StoreFile {
  /// The changes that `migrate` would make to the newest version. Only reads.
  ///
  /// Values that objects would share in new unique properties are problems, unless steps are to be done: what they write
  /// is judged after them.
  package func preview(
    _ declaration: SchemaDeclaration, wait: WriteWait = WriteWait()
  ) throws -> PreviewedMigration { try preview(wait: wait) { _ in declaration } }

  /// The changes that `evolve` would make to the newest version. Only reads.
  package func preview(
    wait: WriteWait = WriteWait(), _ declaration: (Schema) throws -> SchemaDeclaration
  ) throws -> PreviewedMigration {
    try read { try preview(in: $0, wait, try declaration($0.catalog.record.schema)) }
  }

  /// The changes that a declaration would make to what a snapshot shows.
  func preview(
    in snapshot: Snapshot, _ wait: WriteWait, _ declaration: SchemaDeclaration
  ) throws -> PreviewedMigration {
    let migration = try plan(of: snapshot.catalog, declaration)
    var preview = PreviewedMigration()
    preview.problems = migration.problems
    preview.steps = migration.pendingSteps.map(\.name)
    guard migration.canBeTried else { return preview }
    let target: StoredSchema
    do throws(RecordDamage) { target = try migration.target.stored(reusing: nil) } catch {
      throw StoreError.corrupted(location: "the schema in the catalog: \(error.what)")
    }
    let renamed = migration.target.schema.withOriginalNames(of: declaration.schema)
    for change in SchemaDifference(from: snapshot.schema.schema, to: renamed).changes {
      preview.changes.append(try snapshot.previewed(change, migration, wait))
    }
    for entity in target.entities {
      guard let former = snapshot.schema.entities.first(where: { $0.number == entity.number }) else { continue }
      try snapshot.add(migration, from: former, to: entity, &preview, wait)
      if !preview.steps.isEmpty { continue }
      preview.problems += try SharedValues(migration, from: former, to: entity, in: snapshot, wait).problems()
    }
    return preview
  }
}

/// `1,707 values`
private func groupedAmount(_ count: Int, _ noun: String) -> String {
  let words = amount(count, noun)
  let digits = "\(count)"
  var grouped = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { grouped += "," }
    grouped.append(digit)
  }
  return grouped + words.dropFirst(digits.count)
}

extension Schema {
  /// The schema with the former names that a declaration has; a file does not keep them.
  func withOriginalNames(of declared: Schema) -> Schema {
    func named(_ structure: Entity) -> Entity {
      guard let known = declared.structure(named: structure.name) else { return structure }
      var structure = structure
      structure.originalNames = known.originalNames
      for place in structure.properties.indices {
        let property = known.property(named: structure.properties[place].name)
        structure.properties[place].originalNames = property?.originalNames ?? []
      }
      return structure
    }
    return Schema(entities: entities.map(named), embedded: embedded.map(named))
  }
}

extension PreviewedMigration.Change {
  /// The values that objects without one get.
  fileprivate static func filling(_ title: String, _ count: Int) -> Self {
    Self(
      kind: .filled, text: "'\(title)' gets a value where there is none", count: count,
      line: "~ \(title) gets a value in \(groupedAmount(count, "object")) without one")
  }
}

extension Snapshot {
  /// A change of the schema, with the number of affected objects.
  fileprivate func previewed(
    _ change: SchemaChange, _ migration: SchemaMigration, _ wait: WriteWait
  ) throws -> PreviewedMigration.Change {
    func stored(_ name: String) -> StoredEntity? {
      let position = migration.target.schema.entities.firstIndex { $0.name == name }
      let number = position.map { migration.target.entities[$0].number }
      return schema.entities.first { $0.number == number } ?? schema.entity(named: name)
    }
    func made(
      _ kind: PreviewedMigration.Kind, _ count: Int? = nil, of noun: String = "value"
    ) -> PreviewedMigration.Change {
      PreviewedMigration.Change(
        kind: kind, text: change.description, count: count,
        line: change.line + (count.map { ", " + groupedAmount($0, noun) } ?? ""))
    }
    switch change {
    case .addedEntity, .addedColumn, .addedProperty, .addedIndex: return made(.added)
    case .renamedEntity, .renamedColumn, .renamedProperty: return made(.renamed)
    case .removedEntity(let name): return made(.lost, try stored(name).map { try objectCount($0) } ?? 0, of: "object")
    case .removedColumn(let entity, let column):
      return made(.lost, try stored(entity).map { try count(at: column.path, of: $0, wait) } ?? 0)
    case .changedKind(let name, let path, _, _):
      guard let entity = stored(name) else { return made(.changed) }
      let isConverted = migration.conversions.contains { $0.entity == entity.number && $0.path == path }
      let isReplaced = migration.droppedColumns[entity.number]?.contains {
        number in entity.columns.contains { $0.number == number && $0.path == path }
      }
      return isConverted || isReplaced == true
        ? made(.converted, try objectCount(entity), of: "object") : made(.changed)
    case .changedOptionality, .changedDefault, .changedDeleteRule, .changedProperty: return made(.changed)
    case .removedProperty, .removedIndex: return made(.lost)
    }
  }

  /// Adds the changes to the objects of an entity.
  fileprivate func add(
    _ migration: SchemaMigration, from former: StoredEntity, to entity: StoredEntity,
    _ preview: inout PreviewedMigration, _ wait: WriteWait
  ) throws {
    var conversion = EntityConversion(migration, from: former, to: entity)
    if !conversion.isEmpty {
      try forEachCluster(former) { cluster in
        if wait.isOver { throw StoreError.cancelled }
        _ = try conversion.values(of: cluster)
        return true
      }
    }
    preview.problems += conversion.problems.filter { !preview.problems.contains($0) }
    for (path, count) in conversion.filled { preview.changes.append(.filling("\(entity.name).\(path)", count)) }
    let converted = Set(migration.conversions.filter { $0.entity == entity.number }.map(\.path))
    for fill in migration.fills where fill.entity == entity.number {
      guard !converted.contains(fill.path), let gap = Gap(fill, in: entity) else { continue }
      // The structs of a list that does not exist yet cannot be counted.
      let list = entity.columns.first { fill.path.hasPrefix($0.path + ".") && converted.contains($0.path) }
      if list != nil { continue }
      var count = 0
      try forEachCluster(entity) { cluster in
        if wait.isOver { throw StoreError.cancelled }
        count += try gap.slots(of: cluster).count
        return true
      }
      if count == 0 { continue }
      let title = "\(entity.name).\(gap.title)"
      if gap.isClosed {
        let problem = SchemaFill.problem(title, count)
        if !preview.problems.contains(problem) { preview.problems.append(problem) }
      } else {
        preview.changes.append(.filling(title, count))
      }
    }
  }
}
