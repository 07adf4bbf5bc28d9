public import Schema

/// A part of a file's schema, and what is stored in it.
public struct StoredPart: Hashable, Sendable {
  /// The part.
  public let part: SchemaPart
  /// The type of a property, as schema text spells it; nil for entities and indexes.
  public let type: String?
  /// How many objects an entity has, or how many have a value of a property that is not its default; nil for indexes
  /// and inverses.
  public let count: Int?

  init(_ part: SchemaPart, _ type: String?, _ count: Int?) {
    self.part = part
    self.type = type
    self.count = count
  }
}
