public import Schema

/// A part of a file's schema, and what is stored in it.
public struct StoredPart: Hashable, Sendable {
  /// The part.
  public let part: SchemaPart
  /// The type of a property, as schema text spells it; nil for entities and indexes.
  public let type: String?
  /// The number of objects of an entity, or of objects with a value of a property, which an empty collection is not;
  /// nil for indexes and inverses.
  public let count: Int?

  init(_ part: SchemaPart, _ type: String?, _ count: Int?) {
    self.part = part
    self.type = type
    self.count = count
  }
}
