/// An object named from outside: its entity and its number in it. It does not know whether there is such an object.
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
