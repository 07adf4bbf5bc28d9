/// The changes that convert a store from one schema to another: a list, with one sentence for each.
///
/// It compares only declarations, without the objects, so it can't say whether a change loses data. Structs matter only
/// through the columns of entities. Both schemas should be valid.
public struct SchemaDifference: Hashable, Sendable {
  /// The changes: entities renamed, removed and new, then per entity its columns, its inverses, its indexes.
  public private(set) var changes: [SchemaChange] = []

  /// The changes that lead from `old` to `new`.
  public init(from old: Schema, to new: Schema) {
    let renames = old.renames(to: new)
    let old = old.renaming(renames)
    changes += renames.sorted { $0.key < $1.key }.map { .renamedEntity(from: $0, to: $1) }
    changes += old.entities.filter { new.entity(named: $0.name) == nil }.map { .removedEntity($0.name) }
    changes += new.entities.filter { old.entity(named: $0.name) == nil }.map { .addedEntity($0.name) }
    for entity in new.entities {
      guard let before = old.entity(named: entity.name) else { continue }
      let renamed = compareColumns(
        entity.name, old.columns(of: before), new.columns(of: entity),
        formerPaths: new.formerPaths(of: entity, in: old, before))
      compareOthers(entity.name, before, entity)
      compareIndexes(entity.name, before, entity, renamed: renamed)
    }
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { changes.isEmpty }

  /// Returns the new paths of renamed columns by their old ones.
  private mutating func compareColumns(
    _ entity: String, _ old: [Column], _ new: [Column], formerPaths: [String: String]
  ) -> [String: String] {
    let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var renamed: [String: String] = [:]
    var matched: Set<String> = []
    var added: [SchemaChange] = []
    var changed: [SchemaChange] = []
    for column in new {
      guard let source = formerPaths[column.path].flatMap({ before[$0] }) else {
        added.append(.addedColumn(entity: entity, column: column))
        continue
      }
      if source.path != column.path {
        renamed[source.path] = column.path
        changed.append(.renamedColumn(entity: entity, from: source.path, to: column.path))
      }
      matched.insert(source.path)
      if source.kind != column.kind {
        changed.append(.changedKind(entity: entity, path: column.path, from: source.kind, to: column.kind))
      }
      if source.isOptional != column.isOptional {
        changed.append(.changedOptionality(entity: entity, path: column.path, isOptional: column.isOptional))
      } else if source.kind == column.kind, source.defaultValue != column.defaultValue {
        changed.append(
          .changedDefault(entity: entity, path: column.path, from: source.defaultValue, to: column.defaultValue))
      }
      if source.target != nil, column.target != nil, source.deleteRule != column.deleteRule {
        changed.append(
          .changedDeleteRule(entity: entity, path: column.path, from: source.deleteRule, to: column.deleteRule))
      }
    }
    let removed = old.filter { !matched.contains($0.path) }
    changes += removed.map { .removedColumn(entity: entity, column: $0) }
    changes += added + changed
    return renamed
  }

  /// Compares the properties without columns: inverses.
  private mutating func compareOthers(_ entity: String, _ old: Entity, _ new: Entity) {
    let before = old.properties.filter { !$0.type.hasColumns }
    var matched: Set<String> = []
    var later: [SchemaChange] = []
    for property in new.properties where !property.type.hasColumns {
      guard let source = property.former(in: old, of: new), !source.type.hasColumns else {
        later.append(.addedProperty(entity: entity, property: property))
        continue
      }
      if source.name != property.name {
        later.append(.renamedProperty(entity: entity, from: source.name, to: property.name))
      }
      matched.insert(source.name)
      if source.type != property.type {
        later.append(.changedProperty(entity: entity, from: source, to: property))
      }
      if source.deleteRule != property.deleteRule {
        later.append(
          .changedDeleteRule(
            entity: entity, path: property.name, from: source.deleteRule, to: property.deleteRule))
      }
    }
    changes += before.filter { !matched.contains($0.name) }.map { .removedProperty(entity: entity, property: $0) }
    changes += later
  }

  private mutating func compareIndexes(_ entity: String, _ old: Entity, _ new: Entity, renamed: [String: String]) {
    // An index over a renamed column stays the index it was.
    let before = old.indexes.map { Index(kind: $0.kind, paths: $0.paths.map { renamed[$0] ?? $0 }) }
    changes += zip(old.indexes, before).filter { !new.indexes.contains($1) }.map {
      .removedIndex(entity: entity, index: $0.0)
    }
    changes += new.indexes.filter { !before.contains($0) }.map { .addedIndex(entity: entity, index: $0) }
  }
}

extension PropertyType {
  /// Whether it has its own columns: all properties except inverses.
  fileprivate var hasColumns: Bool {
    switch self {
    case .scalar, .embedded, .array, .set, .dictionary, .embeddedList, .link, .list: true
    case .linkingObjects: false
    }
  }
}
