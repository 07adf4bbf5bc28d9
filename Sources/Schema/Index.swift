/// The kind of queries that an index supports.
public enum IndexKind: String, Hashable, Sendable {
  /// Equality, ranges and order, over one or several columns.
  case ordered
  /// As `ordered`, and no two objects share a value other than nil.
  case unique
  /// Equality and prefixes without regard to case and diacritics.
  case folded
  /// Words.
  case fullText
  /// Substrings, with or without regard to case and diacritics.
  case trigram
  /// Locations on the earth.
  case geo
  /// The objects that link to an object. The store creates one for every link; it can't be declared.
  case inverse
}

/// An index as declared: its columns, their order, and its kind. It does not know where it is stored.
public struct Index: Hashable, Sendable {
  /// The kind of queries it supports.
  public var kind: IndexKind
  /// The columns by dotted path, the most significant first; never empty.
  public var paths: [String]

  /// An index over the given columns.
  public init(kind: IndexKind = .ordered, paths: [String]) {
    self.kind = kind
    self.paths = paths
  }

  /// The paths joined by `+`, as indexes are named in plans and commands: `magnitude+time`.
  public var name: String { paths.joined(separator: "+") }
}
