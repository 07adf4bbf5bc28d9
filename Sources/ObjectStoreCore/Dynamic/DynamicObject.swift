/// An object of an entity known by name only: a copy of its values, which pins nothing.
public struct DynamicObject: Hashable, Sendable {
  /// Its number within the entity.
  public let id: ObjectNumber
  /// The values of its leaf columns, in the order of `DynamicResults.columns`.
  public let values: [Value]
  private let layout: DynamicLayout

  init(id: ObjectNumber, values: [Value], layout: DynamicLayout) {
    self.id = id
    self.values = values
    self.layout = layout
  }

  /// The entity's name.
  public var entity: String { layout.entity.name }

  /// Its properties in schema order; an embedded struct is one `.embedded` value.
  public var properties: [EmbeddedField] {
    layout.properties.map { EmbeddedField(name: $0.name, value: layout.value(of: $0.node, in: values)) }
  }

  /// The value at a dotted path: a leaf, or `.embedded` for a struct. `.null` when it is nil and when there is no
  /// such property; `value(at:)` tells these apart.
  public subscript(path: String) -> Value { layout.node(at: path).map { layout.value(of: $0, in: values) } ?? .null }

  /// The value at a dotted path: a leaf, or `.embedded` for a struct.
  ///
  /// - Throws: `StoreError.unknownProperty` when there is no such property.
  public func value(at path: String) throws -> Value {
    guard let node = layout.node(at: path) else {
      throw StoreError.unknownProperty(
        entity: entity, path: path,
        suggestion: Suggestion.nearest(to: path, among: layout.columns.map(\.path)))
    }
    return layout.value(of: node, in: values)
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

extension DynamicObject: CustomStringConvertible {
  /// `Quake@7(code: "x5", magnitude: 9.5)`, for logs and debugging: the leaf columns, those that are nil left out.
  public var description: String {
    let shown = zip(layout.columns, values).filter { $1 != .null && $0.kind != .presence }
    let fields = shown.map { "\($0.path): \(ExpressionSyntax(.literal($1)).predicateFormat)" }
    return "\(entity)@\(id.rawValue)(\(fields.joined(separator: ", ")))"
  }
}
