/// An option of `@Attribute`: an index on the property, or its encoding.
public enum AttributeOption: Hashable, Sendable {
  /// No two objects share a value other than nil. Also an index.
  case unique
  /// Equality, ranges and order by index.
  case indexed
  /// Equality and prefixes without regard to case and diacritics by index.
  case folded
  /// A full-text index, for TEXT.
  case fullText
  /// An index of substrings, for CONTAINS, LIKE and MATCHES, with or without `[c]` and `[d]`.
  case trigram
  /// An index of locations, for geoWithin.
  case geo
  /// Stored encoded, for any `Codable` type; queries can't use its contents.
  case codable
}
