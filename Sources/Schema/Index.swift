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
