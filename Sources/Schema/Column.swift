public import Values

/// A leaf of an entity: a single value, a collection of values or a link, stored in its own column and named by its
/// dotted path.
///
/// Embedded structs are flattened to their leaves (`location.longitude`). An *optional* embedded struct also has its
/// own column (`location`, of type `presence`), which says whether it is present; its leaves are then optional. A
/// *list* of embedded structs has its own column (`stops`) with the number of structs, and one for each leaf
/// (`stops.name`), with that many values in the same order.
public struct Column: Hashable, Sendable {
  /// The contents of a column.
  public enum Kind: Hashable, Sendable {
    /// A single value.
    case scalar(ScalarType)
    /// Whether an optional embedded struct is there: TRUE, or nil.
    case presence
    /// A collection of single values, none of them nil.
    case collection(CollectionKind, ScalarType)
    /// A link to one object of the named entity, or nil: its object number.
    case link(String)
    /// Links to many objects of the named entity, in order: their numbers.
    case links(String)
    /// The number of structs of that name in a list. Their leaves are the `parts` and `presences` below its path.
    case structs(String)
    /// A leaf of every struct of a list, in order; values may be nil if it is optional.
    case parts(ScalarType, isOptional: Bool)
    /// For every struct of a list, whether an optional struct within it is present: TRUE, or nil.
    case presences

    /// The entity that links lead to; nil for values.
    public var target: String? {
      switch self {
      case .link(let entity), .links(let entity): entity
      case .scalar, .presence, .collection, .structs, .parts, .presences: nil
      }
    }

    /// Whether it belongs to a list of structs and has a value for each of them.
    public var isPart: Bool {
      switch self {
      case .parts, .presences: true
      default: false
      }
    }
  }

  /// The dotted path from the entity.
  public var path: String
  /// The contents of the column.
  public var kind: Kind
  /// Whether nil is allowed: declared so, or within an optional embedded struct.
  public var isOptional: Bool
  /// The value for objects that were stored before the column existed: the declared default, otherwise nil if allowed,
  /// otherwise `0`, `false`, `""`, 2001-01-01, the zero UUID, no bytes or no elements.
  public var defaultValue: Value
  /// The delete rule for the targets when an object is deleted; only for links.
  public var deleteRule: DeleteRule
  /// The declaration of a leaf in a list of structs; nil for other columns.
  public var part: Part?

  /// The declaration of a leaf, independent of the structs around it.
  public struct Part: Hashable, Sendable {
    /// The declared default, if any.
    public var defaultValue: Value?
    /// The declared default that is generated for each struct, if any.
    public var generatedDefault: GeneratedDefault?
    /// Whether a struct that is present must have a value.
    public var isRequired: Bool

    /// A leaf as declared.
    public init(defaultValue: Value?, generatedDefault: GeneratedDefault? = nil, isRequired: Bool) {
      self.defaultValue = defaultValue
      self.generatedDefault = generatedDefault
      self.isRequired = isRequired
    }

    /// The value for a struct when none is given; nil without a declared default.
    public func makeDefault() -> Value? { generatedDefault?.make() ?? defaultValue }
  }

  /// The entity that its links lead to; nil for values.
  public var target: String? { kind.target }

  /// A leaf column.
  public init(
    path: String, kind: Kind, isOptional: Bool, defaultValue: Value,
    deleteRule: DeleteRule = .nullify, part: Part? = nil
  ) {
    self.path = path
    self.kind = kind
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.deleteRule = deleteRule
    self.part = part
  }
}
