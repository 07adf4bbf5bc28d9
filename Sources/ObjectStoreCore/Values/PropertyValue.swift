/// A type for properties of a model: scalars, collections of them, embedded models, and optionals of these.
///
/// A value writes one value for each of its columns into a row, and is read back in the same order. It knows neither
/// the property's name nor the columns of the file.
public protocol PropertyValue: Hashable, Sendable {
  /// The schema type of a property of this type.
  static var propertyShape: PropertyShape { get }
  /// The number of columns, including the presence column of an optional struct.
  static var columnCount: Int { get }
  /// The value as a default in the schema; nil where it can't be one.
  var schemaDefault: Value? { get }
  /// Appends one value for each column.
  func encode(into row: inout RowEncoder)
  /// Appends nil for each column.
  static func encodeAbsence(into row: inout RowEncoder)
  /// Reads one value for each column.
  ///
  /// - Throws: `StoreError`: `missingValue` for nil in a property that is not optional, `wrongType` for a value of
  ///   another type, `unreadableValue` for one that the Swift type can't represent, `corrupted` for damaged bytes.
  static func decode(from row: inout RowDecoder) throws -> Self
}

/// A property type that is not optional, so that it can be wrapped in an optional.
public protocol PresentValue: PropertyValue {
  /// Whether it is a struct: an optional struct has an additional column for its presence.
  static var isStruct: Bool { get }
}

/// The schema type of a Swift property type: its type, whether nil is allowed, and the embedded model.
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

  /// The shape of an enum stored by its raw values.
  init(type: PropertyType, isEnumeration: Bool) {
    self.init(type: type)
    self.isEnumeration = isEnumeration
  }
}
