internal import Diagnostics
internal import PredicateLanguage
internal import Storage

/// An object of an entity that is known only by name: a copy of its values, which keeps no version of the store alive.
///
/// ```swift
/// if let strongest = try store.objects("Quake").sorted(by: "magnitude DESC").first {
///   print(strongest.id, strongest["code"], strongest["location.name"])
/// }
/// ```
public struct DynamicObject: Hashable, Sendable {
  /// Its number within the entity.
  public let id: ObjectNumber
  /// The values of its leaf columns, in the order of `DynamicResults.columns`.
  public let values: [Value]
  private let layout: DynamicLayout
  private let store: StoreReference

  init(id: ObjectNumber, values: [Value], layout: DynamicLayout, store: StoreReference) {
    self.id = id
    self.values = values
    self.layout = layout
    self.store = store
  }

  /// The entity's name.
  public var entity: String { layout.entity.name }

  /// The properties in schema order. An embedded struct is a single `.embedded` value, a list of structs a list of
  /// these; a link is an `.object`, a to-many link a list of these. Inverses, which have no value of their own, are
  /// left out.
  public var properties: [EmbeddedField] {
    layout.properties.map { EmbeddedField(name: $0.name, value: layout.value(of: $0.node, in: values)) }
  }

  /// The value at a dotted path: that of a property, `.embedded` for a struct, a list of these for a list of structs.
  /// `.null` if it is nil and also if there is no such property; `value(at:)` distinguishes these cases.
  public subscript(path: String) -> Value { layout.node(at: path).map { layout.value(of: $0, in: values) } ?? .null }

  /// The value at a dotted path: that of a property, or `.embedded` for a struct.
  ///
  /// ```swift
  /// let depth = try old.value(at: "depth")
  /// ```
  ///
  /// - Throws: `StoreError.unknownProperty` if there is no such property.
  public func value(at path: String) throws -> Value {
    guard let node = layout.node(at: path) else {
      throw StoreError.unknownProperty(
        entity: entity, path: path,
        suggestion: Suggestion.nearest(to: path, among: layout.columns.map(\.path)))
    }
    return layout.value(of: node, in: values)
  }

  /// The columns at a dotted path: the names of their types, and their stored values.
  func columns(at path: String) -> [(typeName: String, value: Value)] {
    (layout.node(at: path)?.columns ?? []).map { column in
      (layout.columns[column].typeName, column < values.count ? values[column].unlinked : .null)
    }
  }

  /// The objects that a link leads to, or that link here if the property is an inverse, as results in the order of the
  /// links.
  ///
  /// ```swift
  /// let urgent = try project.objects(at: "tasks").filter("priority > 5")
  /// ```
  ///
  /// They are read in the thread's current read or write (`forEach`, `write`, `snapshot`), or in the newest version if
  /// there is none.
  ///
  /// - Throws: `StoreError`: `unknownProperty` if there is no such link or inverse, `closed` if the store has been
  ///   released.
  public func objects(at path: String) throws -> DynamicResults {
    let source = try QuerySource.following(linkFrom: store)
    if let column = layout.columns.first(where: { $0.path == path }), let target = column.target {
      let numbers = self[path].objectNumbers
      return try DynamicResults(Selection(target, linked: .these(numbers), in: source))
    }
    if case .linkingObjects(let entity, let link)? = layout.entity.property(named: path)?.type {
      return try DynamicResults(Selection(entity, linked: .linking(to: id, through: link), in: source))
    }
    throw StoreError.unknownProperty(
      entity: entity, path: path, suggestion: Suggestion.nearest(to: path, among: layout.linkPaths))
  }

  /// Whether both are the same object of the same entity with the same values.
  public static func == (left: DynamicObject, right: DynamicObject) -> Bool {
    left.id == right.id && left.entity == right.entity && left.values == right.values
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(entity)
  }
}

extension DynamicLayout {
  /// The dotted paths of links and inverses.
  fileprivate var linkPaths: [String] {
    columns.filter { $0.target != nil }.map(\.path)
      + entity.properties.compactMap { if case .linkingObjects = $0.type { $0.name } else { nil } }
  }
}

extension Value {
  /// The value as a column stores it: links as object IDs.
  fileprivate var unlinked: Value {
    switch self {
    case .object(let object): .int(Int64(bitPattern: object.number.rawValue))
    case .list(let values): .list(values.map(\.unlinked))
    case .null, .bool, .int, .float, .double, .decimal, .string, .date, .uuid, .data, .embedded: self
    }
  }

  /// The IDs of the objects in the value.
  fileprivate var objectNumbers: [ObjectNumber] {
    switch self {
    case .object(let object): [object.number]
    case .list(let values): values.flatMap(\.objectNumbers)
    default: []
    }
  }
}

extension DynamicObject: CustomStringConvertible {
  /// `Quake@7(code: "x5", magnitude: 9.5)`, for logs and debugging: the columns that are not nil.
  public var description: String {
    let shown = zip(layout.columns, values).filter { $1 != .null && $0.kind != .presence && $0.kind != .presences }
    let fields = shown.map { "\($0.path): \(ExpressionSyntax(.literal($1)).predicateFormat)" }
    return "\(entity)@\(id.rawValue)(\(fields.joined(separator: ", ")))"
  }
}
