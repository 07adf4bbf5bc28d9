public import Values

/// The type of a property, without optionality.
public enum PropertyType: Hashable, Sendable {
  /// A single value.
  case scalar(ScalarType)
  /// A struct without identity, stored as columns with dotted names; given by the struct's name.
  case embedded(String)
  /// `[T]` of scalars.
  case array(ScalarType)
  /// `Set<T>` of scalars.
  case set(ScalarType)
  /// `[String: T]` of scalars.
  case dictionary(ScalarType)
  /// `[Struct]`: a list of embedded structs, by the struct's name.
  case embeddedList(String)
  /// `Link<T>?`: a link to one object of the named entity.
  case link(String)
  /// `List<T>`: to many objects of the named entity, in order.
  case list(String)
  /// `LinkingObjects<T>`: the objects of an entity that link here through the property at that dotted path.
  case linkingObjects(entity: String, property: String)
}

/// The delete rule for the objects at the other end of a property when its object is deleted.
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
  /// The type of the property.
  public var type: PropertyType
  /// Whether nil is allowed.
  public var isOptional: Bool
  /// The value for objects that were stored before the property existed; nil without a declared default.
  public var defaultValue: Value?
  /// The default generated for each object, including objects stored before; nil for a literal, or without a default.
  public var generatedDefault: GeneratedDefault?
  /// The earlier names of the property, latest first.
  public var originalNames: [String]
  /// The delete rule for the other end; only for links and their inverses.
  public var deleteRule: DeleteRule

  /// The maximum number of earlier names.
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
