/// A reference to an object: its entity and its number. The object need not exist.
public struct ObjectReference: Hashable, Sendable {
  /// The entity's name.
  public var entity: String
  /// The object's number within the entity.
  public var number: ObjectNumber

  /// The object of an entity with a number.
  public init(entity: String, number: ObjectNumber) {
    self.entity = entity
    self.number = number
  }
}
