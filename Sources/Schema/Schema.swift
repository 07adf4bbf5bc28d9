/// The declared structure of a store: its entities and the structs embedded in them. It does not know the contents of a
/// file.
public struct Schema: Hashable, Sendable {
  /// The entities, whose objects have identity, in declaration order.
  public var entities: [Entity]
  /// The structs that are only embedded. An entity may also be embedded.
  public var embedded: [Entity]

  /// Creates a schema of the given entities and embedded structs.
  public init(entities: [Entity] = [], embedded: [Entity] = []) {
    self.entities = entities
    self.embedded = embedded
  }

  /// The entity of that name.
  public func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

  /// The struct of that name, embedded or an entity.
  public func structure(named name: String) -> Entity? {
    embedded.first { $0.name == name } ?? entity(named: name)
  }
}
