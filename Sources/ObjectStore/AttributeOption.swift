/// What `@Attribute` says of a property: an index over it alone, or how it is kept.
public enum AttributeOption: Hashable, Sendable {
  /// No two objects share a value other than nil. Also an index.
  case unique
  /// Equality, ranges and order by index.
  case indexed
  /// Equality and prefixes without regard to case and diacritics by index.
  case folded
  /// Words by index, for TEXT.
  case fullText
  /// Parts of text by index, for CONTAINS, LIKE and MATCHES, with `[c]` and `[d]` or without.
  case trigram
  /// Places by index, for geoWithin.
  case geo
  /// Kept encoded, whatever `Codable` type it is; no query leads into it.
  case codable
}
