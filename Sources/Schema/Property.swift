public import Values

/// What a property holds, apart from whether it may be nil.
public enum PropertyType: Hashable, Sendable {
  /// A single value.
  case scalar(ScalarType)
  /// A struct without identity, kept as columns with dotted names; by the struct's name.
  case embedded(String)
  /// `[T]` of scalars.
  case array(ScalarType)
  /// `Set<T>` of scalars.
  case set(ScalarType)
  /// `[String: T]` of scalars.
  case dictionary(ScalarType)
  /// `[Struct]`: a list of embedded structs, by the struct's name.
  case embeddedList(String)
  /// `Link<T>?`: to one object of the named entity.
  case link(String)
  /// `List<T>`: to many objects of the named entity, in order.
  case list(String)
  /// `LinkingObjects<T>`: the objects of an entity that link here through the property at that dotted path.
  case linkingObjects(entity: String, property: String)
}

/// What happens to the objects at the other end of a property when the object that has it is deleted.
public enum DeleteRule: String, Hashable, Sendable {
  /// They stay.
  case nullify
  /// They are deleted too.
  case cascade
  /// The delete is refused while there are any.
  case deny
}

/// A declared property of an entity or embedded struct. It does not know its number in a store.
public struct Property: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// What it holds.
  public var type: PropertyType
  /// Whether nil is allowed.
  public var isOptional: Bool
  /// What objects have that were stored before the property existed; nil when none was declared.
  public var defaultValue: Value?
  /// The default that is made anew for each object, those included that were stored before; nil for a literal, or none.
  public var generatedDefault: GeneratedDefault?
  /// The names it had before it was renamed, the latest first.
  public var originalNames: [String]
  /// What deleting the object does to those at the other end; only for links and their inverses.
  public var deleteRule: DeleteRule

  /// How many names it may have had.
  public static let originalNameLimit = 100

  /// A property as declared.
  public init(
    name: String, type: PropertyType, isOptional: Bool = false, defaultValue: Value? = nil,
    generatedDefault: GeneratedDefault? = nil, originalNames: [String] = [], deleteRule: DeleteRule = .nullify
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.generatedDefault = generatedDefault
    self.originalNames = originalNames
    self.deleteRule = deleteRule
  }
}
