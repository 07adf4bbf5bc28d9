/// An object of an entity known by name only: a copy of its values, which pins nothing.
public struct DynamicObject: Hashable, Sendable {
  /// The entity's name.
  public let entity: String
  /// Its number within the entity.
  public let id: ObjectNumber
  /// Its properties in schema order; an embedded struct is one `.embedded` value.
  public let properties: [EmbeddedField]

  /// The value at a dotted path: a leaf, or `.embedded` for a struct. `.null` when it is nil and when there is no
  /// such property.
  public subscript(path: String) -> Value { .null }
}
