/// A type that a property of a model may have: scalars, collections of them, embedded models, and optionals of these.
///
/// A value writes itself into a row as one value for each of its columns, and reads itself back in the same order.
/// It does not know its property's name nor the file's columns.
public protocol PropertyValue: Hashable, Sendable {
  /// What a property of this type is in a schema.
  static var propertyShape: PropertyShape { get }
  /// How many columns it takes, that of an optional struct's presence included.
  static var columnCount: Int { get }
  /// The value as a schema's default, where it can be one.
  var schemaDefault: Value? { get }
  /// Appends one value for each column.
  func encode(into row: inout RowEncoder)
  /// Appends nil for each column.
  static func encodeAbsence(into row: inout RowEncoder)
  /// Reads one value for each column.
  static func decode(from row: inout RowDecoder) throws -> Self
}

/// A property value that is not an optional, so that it can be wrapped in one.
public protocol PresentValue: PropertyValue {
  /// Whether it is a struct: an optional one has a column more, which says whether it is there.
  static var isStruct: Bool { get }
}

/// What a property of some Swift type is in a schema: its type, whether nil is allowed, and the embedded model.
public struct PropertyShape: Sendable {
  /// The type.
  public var type: PropertyType
  /// Whether nil is allowed.
  public var isOptional: Bool
  /// The model, for an embedded struct.
  public var model: (any Model.Type)?
  /// The model of the objects it links to. Only its name is part of the shape: models may link to each other.
  public var linked: (any Model.Type)?
  /// Whether it is an enum, so that a default such as `Status.open` always means the same value.
  var isEnumeration = false

  /// The shape of a property.
  public init(
    type: PropertyType, isOptional: Bool = false, model: (any Model.Type)? = nil, linked: (any Model.Type)? = nil
  ) {
    self.type = type
    self.isOptional = isOptional
    self.model = model
    self.linked = linked
  }

  /// The shape of an enum kept by its raw values.
  init(type: PropertyType, isEnumeration: Bool) {
    self.init(type: type)
    self.isEnumeration = isEnumeration
  }
}
