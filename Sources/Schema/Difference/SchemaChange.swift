public import Values

/// One step from one schema to another.
public enum SchemaChange: Hashable, Sendable, CustomStringConvertible {
  /// An entity is new.
  case addedEntity(String)
  /// An entity is removed, with its objects.
  case removedEntity(String)
  /// An entity is renamed (`originalName`).
  case renamedEntity(from: String, to: String)
  /// A column is new; older objects have its default.
  case addedColumn(entity: String, column: Column)
  /// A column is removed.
  case removedColumn(entity: String, column: Column)
  /// A column is renamed (`originalName`).
  case renamedColumn(entity: String, from: String, to: String)
  /// A column holds something else.
  case changedKind(entity: String, path: String, from: Column.Kind, to: Column.Kind)
  /// A column allows nil, or no longer does.
  case changedOptionality(entity: String, path: String, isOptional: Bool)
  /// Objects that lack a value get another default.
  case changedDefault(entity: String, path: String, from: Value, to: Value)
  /// The delete rule of a link or an inverse.
  case changedDeleteRule(entity: String, path: String, from: DeleteRule, to: DeleteRule)
  /// An inverse is new.
  case addedProperty(entity: String, property: Property)
  /// An inverse is removed.
  case removedProperty(entity: String, property: Property)
  /// An inverse is renamed (`originalName`).
  case renamedProperty(entity: String, from: String, to: String)
  /// An inverse holds something else.
  case changedProperty(entity: String, from: Property, to: Property)
  /// An index is new.
  case addedIndex(entity: String, index: Index)
  /// An index is removed.
  case removedIndex(entity: String, index: Index)

  /// The change as one sentence without a full stop.
  public var description: String {
    switch self {
    case .addedEntity(let name):
      "'\(name)' is new"
    case .removedEntity(let name):
      "'\(name)' is removed, with its objects"
    case .renamedEntity(let from, let to):
      "'\(from)' is renamed to '\(to)'"
    case .addedColumn(let entity, let column):
      "'\(entity).\(column.path)' is new, \(column.kind.name); \(column.olderHave)"
    case .removedColumn(let entity, let column):
      "'\(entity).\(column.path)' is removed, with its values"
    case .renamedColumn(let entity, let from, let to), .renamedProperty(let entity, let from, let to):
      "'\(entity).\(from)' is renamed to '\(to)'"
    case .changedKind(let entity, let path, let from, let to):
      "'\(entity).\(path)' was \(from.name) and is now \(to.name)"
    case .changedOptionality(let entity, let path, let isOptional):
      isOptional ? "'\(entity).\(path)' may now be nil" : "'\(entity).\(path)' may no longer be nil"
    case .changedDefault(let entity, let path, let from, let to):
      "the default of '\(entity).\(path)' was \(SwiftLiteral.text(from)) and is now \(SwiftLiteral.text(to))"
    case .addedProperty(let entity, let property):
      "'\(entity).\(property.name)' is new"
    case .removedProperty(let entity, let property):
      "'\(entity).\(property.name)' is removed, with its contents"
    case .changedProperty(let entity, _, let to):
      "'\(entity).\(to.name)' holds something else"
    case .changedDeleteRule(let entity, let path, _, let rule):
      "deleting the source of '\(entity).\(path)' now follows the rule '\(rule.rawValue)'"
    case .addedIndex(let entity, let index):
      "'\(entity)' gets \(index.title)"
    case .removedIndex(let entity, let index):
      "'\(entity)' loses \(index.title)"
    }
  }
}

extension SchemaChange {
  /// The change as a line of a difference: `- Quake.place: String`, `+ Quake.felt: Int?`, `~ Quake.mag is now magnitude`.
  public var line: String {
    switch self {
    case .addedEntity(let name): "+ \(name)"
    case .removedEntity(let name): "- \(name)"
    case .renamedEntity(let from, let to): "~ \(from) is now \(to)"
    case .addedColumn(let entity, let column): "+ \(entity).\(column.path): \(column.typeText)"
    case .removedColumn(let entity, let column): "- \(entity).\(column.path): \(column.typeText)"
    case .renamedColumn(let entity, let from, let to), .renamedProperty(let entity, let from, let to):
      "~ \(entity).\(from) is now \(to)"
    case .changedKind(let entity, let path, let from, let to):
      "~ \(entity).\(path): \(from.name) is now \(to.name)"
    case .changedOptionality(let entity, let path, let isOptional):
      isOptional ? "~ \(entity).\(path) may now be nil" : "~ \(entity).\(path) may no longer be nil"
    case .changedDefault(let entity, let path, let from, let to):
      "~ \(entity).\(path): the default \(SwiftLiteral.text(from)) is now \(SwiftLiteral.text(to))"
    case .addedProperty(let entity, let property): "+ \(entity).\(property.name): \(property.typeText)"
    case .removedProperty(let entity, let property): "- \(entity).\(property.name): \(property.typeText)"
    case .changedProperty(let entity, let from, let to):
      "~ \(entity).\(to.name): \(from.typeText) is now \(to.typeText)"
    case .changedDeleteRule(let entity, let path, let from, let to):
      "~ \(entity).\(path): the delete rule \(from.rawValue) is now \(to.rawValue)"
    case .addedIndex(let entity, let index): "+ \(index.title(of: entity))"
    case .removedIndex(let entity, let index): "- \(index.title(of: entity))"
    }
  }
}

extension Column.Kind {
  fileprivate var name: String {
    switch self {
    case .scalar(let type): type.rawValue
    case .presence: "the presence of a struct"
    case .collection(let kind, let type): kind.name(of: type)
    case .link(let target): "Link<\(target)>"
    case .links(let target): "List<\(target)>"
    case .structs(let name): "[\(name)]"
    case .parts(let type, let isOptional): "\(type.rawValue)\(isOptional ? "?" : "") of each struct"
    case .presences: "the presence of a struct in each"
    }
  }
}

extension Column {
  /// Its type, as in schema text where there is one.
  fileprivate var typeText: String {
    switch kind {
    case .scalar, .collection, .link: kind.name + (isOptional ? "?" : "")
    case .presence, .links, .structs, .parts, .presences: kind.name
    }
  }

  /// The value for objects stored before the change.
  fileprivate var olderHave: String {
    switch kind {
    case .structs: "older objects have \(isOptional ? "nil" : "[]")"
    case .parts, .presences: "older structs have \(SwiftLiteral.text(olderPart))"
    default: "older objects have \(SwiftLiteral.text(defaultValue))"
    }
  }
}

extension Index {
  fileprivate var title: String { "\(kind.title) '\(name)'" }

  /// `the index on Quake (net, time)`
  fileprivate func title(of entity: String) -> String {
    "\(kind.title) on \(entity) (\(paths.joined(separator: ", ")))"
  }
}
