/// A declared struct: the properties of an entity's objects, or of an embedded value.
public struct Entity: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its properties in declaration order.
  public var properties: [Property]
  /// Its indexes, unique ones included, in declaration order.
  public var indexes: [Index]
  /// The earlier names of the entity, latest first. Only a declaration has them: a file stores only current names.
  public var originalNames: [String]

  /// An entity as declared.
  public init(name: String, properties: [Property], indexes: [Index] = [], originalNames: [String] = []) {
    self.name = name
    self.properties = properties
    self.indexes = indexes
    self.originalNames = originalNames
  }

  /// The property of that name.
  public func property(named name: String) -> Property? { properties.first { $0.name == name } }
}
