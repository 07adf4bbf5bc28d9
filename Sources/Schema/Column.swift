public import Values

/// A leaf of an entity: a single value, a collection of them or a link, kept in a column of its own, named by its
/// dotted path.
///
/// Embedded structs are flattened to their leaves (`location.longitude`). An *optional* embedded struct also has a
/// column for itself (`location`, of type `presence`) which says whether it is there; its leaves are then optional.
public struct Column: Hashable, Sendable {
  /// What a column holds.
  public enum Kind: Hashable, Sendable {
    /// A single value.
    case scalar(ScalarType)
    /// Whether an optional embedded struct is there: TRUE, or nil.
    case presence
    /// A collection of single values, none of them nil.
    case collection(CollectionKind, ScalarType)
    /// A link to one object of the named entity, or nil: its number.
    case link(String)
    /// Links to many objects of the named entity, in order: their numbers.
    case links(String)

    /// The entity that links lead to; nil for values.
    public var target: String? {
      switch self {
      case .link(let entity), .links(let entity): entity
      case .scalar, .presence, .collection: nil
      }
    }
  }

  /// The dotted path from the entity.
  public var path: String
  /// What it holds.
  public var kind: Kind
  /// Whether nil is allowed: declared so, or within an optional embedded struct.
  public var isOptional: Bool
  /// What objects have that were stored before the column existed: the declared default, else nil where nil is
  /// allowed, else `0`, `false`, `""`, 2001-01-01, the zero UUID, no bytes or no elements.
  public var defaultValue: Value
  /// The dotted path it had before it was renamed.
  public var originalPath: String?
  /// What happens to the targets when an object is deleted; only for links.
  public var deleteRule: DeleteRule

  /// The entity that its links lead to; nil for values.
  public var target: String? { kind.target }

  /// A leaf column.
  public init(
    path: String, kind: Kind, isOptional: Bool, defaultValue: Value, originalPath: String? = nil,
    deleteRule: DeleteRule = .nullify
  ) {
    self.path = path
    self.kind = kind
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.originalPath = originalPath
    self.deleteRule = deleteRule
  }
}
