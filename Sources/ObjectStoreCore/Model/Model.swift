/// A Swift struct whose values are stored as objects, or embedded in other objects. `@Model` generates the conformance.
///
/// A value read from the store is a copy: changing it does not change the store, and it keeps no version alive.
public protocol Model:
  ArrayElement, Identifiable, Linkable, QueryArgument, QueryOperand, QueryReference, CustomDebugStringConvertible,
  CustomReflectable
where LinkedModel == Self, QueryTarget == Self {
  /// The entity: properties, indexes and key paths. Made once.
  static var modelDefinition: ModelDefinition { get }
  /// Reads a value from a row.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`.
  init(from row: inout RowDecoder) throws
  /// The identity in the store that the value was read from or added to; nil for a new value. Ignored by `==`.
  var objectID: ObjectID<Self>? { get set }
  /// The identity, with the moment at which the object was read. `@Model` generates it; without it, `save` cannot
  /// detect changes by others.
  var objectIdentity: ObjectIdentity<Self> { get set }
}

extension Model {
  /// The `objectID`, for a model that declares no `id` of its own.
  public var id: ObjectID<Self>? { objectID }

  /// The `objectID`, without when the object was read.
  public var objectIdentity: ObjectIdentity<Self> {
    get {
      var identity = ObjectIdentity<Self>()
      identity.id = objectID
      return identity
    }
    set { objectID = newValue.id }
  }

  /// An embedded struct of the model's name.
  public static var propertyShape: PropertyShape {
    PropertyShape(type: .embedded(modelDefinition.entity.name), model: Self.self)
  }

  /// True.
  @inlinable public static var isStruct: Bool { true }

  /// The sum of its properties' columns.
  public static var columnCount: Int { modelDefinition.columns.count }

  /// None: the leaves have defaults of their own.
  public var schemaDefault: Value? { nil }

  /// Reads a value from a row.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Self { try Self(from: &row) }

  /// Appends nil for each column.
  public static func encodeAbsence(into row: inout RowEncoder) { row.appendNulls(columnCount) }
}
