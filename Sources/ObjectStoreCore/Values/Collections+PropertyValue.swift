public import Values

// Collections of single values are stored in one column; arrays of models in one for each leaf. Swift considers strings
// equal that spell the same text with different Unicode scalars, but the store compares bytes. So a set or dictionary
// may have fewer elements when it is read back.

/// A value as stored, under a name that is not hidden in a type with its own `Value`.
public typealias StoredValue = Value

extension Array: PropertyValue, PresentValue where Element: ArrayElement {
  /// An array, without nil.
  public static var propertyShape: PropertyShape { Element.arrayShape }
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// One for scalars; for models one for each leaf, and one more.
  public static var columnCount: Int { Element.arrayColumnCount }
  /// The array itself; for models only when empty.
  public var schemaDefault: Value? { Element.arrayDefault(self) }
  /// Appends the elements.
  public func encode(into row: inout RowEncoder) { Element.encode(self, into: &row) }
  /// Appends nil.
  public static func encodeAbsence(into row: inout RowEncoder) { row.appendNulls(columnCount) }
  /// Reads the elements in order.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, for each element.
  public static func decode(from row: inout RowDecoder) throws -> [Element] { try Element.decodeArray(from: &row) }
}

extension Set: PropertyValue, PresentValue where Element: ScalarValue {
  /// A set, without nil.
  public static var propertyShape: PropertyShape { PropertyShape(type: .set(Element.scalarType)) }
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// One column.
  @inlinable public static var columnCount: Int { 1 }
  /// The elements, ascending.
  var columnValue: Value { CollectionKind.set.canonical(.list(map(\.columnValue))) }
  /// The set itself.
  public var schemaDefault: Value? { columnValue }
  /// Appends the elements as one value.
  public func encode(into row: inout RowEncoder) { row.append(columnValue) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
  /// Reads the elements.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, for each element.
  public static func decode(from row: inout RowDecoder) throws -> Set<Element> { Set(try row.elements()) }
}

extension Dictionary: PropertyValue, PresentValue where Key == String, Value: ScalarValue {
  /// A dictionary, without nil.
  public static var propertyShape: PropertyShape { PropertyShape(type: .dictionary(Value.scalarType)) }
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// One column.
  @inlinable public static var columnCount: Int { 1 }
  /// The entries, ascending by key.
  var columnValue: StoredValue {
    CollectionKind.dictionary.canonical(.embedded(map { EmbeddedField(name: $0.key, value: $0.value.columnValue) }))
  }
  /// The dictionary itself.
  public var schemaDefault: StoredValue? { columnValue }
  /// Appends the entries as one value.
  public func encode(into row: inout RowEncoder) { row.append(columnValue) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
  /// Reads the entries.
  ///
  /// - Throws: `StoreError.unreadableValue` for keys that differ in their normal form only (`é` as one scalar and as
  ///   two): a dictionary of Swift takes them as one, so that one of the values would be lost.
  public static func decode(from row: inout RowDecoder) throws -> [String: Value] {
    let (keys, values): ([String], [Value]) = try row.entries()
    let dictionary = Dictionary(zip(keys, values), uniquingKeysWith: { _, last in last })
    guard dictionary.count == keys.count else {
      throw row.unreadable(.list(keys.map { .string($0) }), as: "[String: \(Value.self)]")
    }
    return dictionary
  }
}
