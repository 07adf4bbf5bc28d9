public import Values

/// What has to be done to a store of one schema to make it one of another: a list of changes, each one sentence.
///
/// It compares declarations only and does not know what the objects hold, so it cannot say whether a change loses
/// something. Names that only changed case are different names.
public struct SchemaDifference: Hashable, Sendable {
  /// The changes: entities removed, then those added, then per entity its properties and indexes.
  public var changes: [SchemaChange]

  /// The changes that lead from `old` to `new`.
  public init(from old: Schema, to new: Schema) {
    changes = []
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { changes.isEmpty }
}

/// One step from one schema to another.
public enum SchemaChange: Hashable, Sendable, CustomStringConvertible {
  /// An entity is new.
  case addedEntity(String)
  /// An entity is gone, and its objects with it.
  case removedEntity(String)
  /// A column is new; older objects have its default.
  case addedColumn(entity: String, column: Column)
  /// A column is gone.
  case removedColumn(entity: String, column: Column)
  /// A column goes by another path (`originalName`).
  case renamedColumn(entity: String, from: String, to: String)
  /// A column holds something else.
  case changedKind(entity: String, path: String, from: Column.Kind, to: Column.Kind)
  /// A column allows nil, or no longer does.
  case changedOptionality(entity: String, path: String, isOptional: Bool)
  /// Objects that lack a value get another default.
  case changedDefault(entity: String, path: String, from: Value, to: Value)
  /// A collection or link is new.
  case addedProperty(entity: String, property: Property)
  /// A collection or link is gone.
  case removedProperty(entity: String, property: Property)
  /// A collection or link goes by another name (`originalName`).
  case renamedProperty(entity: String, from: String, to: String)
  /// A collection or link holds something else, or follows another delete rule.
  case changedProperty(entity: String, from: Property, to: Property)
  /// An index is new.
  case addedIndex(entity: String, index: Index)
  /// An index is gone.
  case removedIndex(entity: String, index: Index)

  /// The change as one sentence without a final stop.
  public var description: String { "" }
}
