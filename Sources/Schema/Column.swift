public import Values

/// A leaf of an entity: a single value, a collection of them or a link, kept in a column of its own, named by its
/// dotted path.
///
/// Embedded structs are flattened to their leaves (`location.longitude`). An *optional* embedded struct also has a
/// column for itself (`location`, of type `presence`) which says whether it is there; its leaves are then optional.
/// A *list* of embedded structs has a column for itself (`stops`), which says how many there are, and one for each leaf
/// (`stops.name`), which has as many values in the same order.
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
    /// How many structs of that name a list has. Their leaves are the `parts` and `presences` below its path.
    case structs(String)
    /// A leaf of every struct of a list, in their order; some may be nil where it is optional.
    case parts(ScalarType, isOptional: Bool)
    /// For every struct of a list whether an optional struct within it is there: TRUE, or nil.
    case presences

    /// The entity that links lead to; nil for values.
    public var target: String? {
      switch self {
      case .link(let entity), .links(let entity): entity
      case .scalar, .presence, .collection, .structs, .parts, .presences: nil
      }
    }

    /// Whether it belongs to a list of structs: has a value for each of them.
    public var isPart: Bool {
      switch self {
      case .parts, .presences: true
      default: false
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
  /// What happens to the targets when an object is deleted; only for links.
  public var deleteRule: DeleteRule
  /// What was declared of a leaf of the structs of a list; nil for other columns.
  public var part: Part?

  /// What the declaration of a leaf says, apart from what is around it.
  public struct Part: Hashable, Sendable {
    /// The default, where one is declared.
    public var defaultValue: Value?
    /// The default that is made anew for each struct, where one is declared.
    public var generatedDefault: GeneratedDefault?
    /// Whether a struct that is there must have a value.
    public var isRequired: Bool

    /// A leaf as declared.
    public init(defaultValue: Value?, generatedDefault: GeneratedDefault? = nil, isRequired: Bool) {
      self.defaultValue = defaultValue
      self.generatedDefault = generatedDefault
      self.isRequired = isRequired
    }

    /// What a struct has where nothing is given; nil where no default is declared.
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
