/// What an index can answer.
public enum IndexKind: String, Hashable, Sendable {
  /// Equality, ranges and order, over one or several columns.
  case ordered
  /// As `ordered`, and no two objects share a value other than nil.
  case unique
  /// Equality and prefixes without regard to case and diacritics.
  case folded
  /// Words.
  case fullText
  /// Parts of texts, with regard to case and diacritics or without.
  case trigram
  /// Places on the earth.
  case geo
  /// The objects that link to an object. The store makes one for every link; none is declared.
  case inverse
}

/// An index as declared: which columns, in which order, for what. It does not know where it is stored.
public struct Index: Hashable, Sendable {
  /// What it can answer.
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
