/// An element type for arrays in models: scalars, stored as one column, or models, stored as a column for each leaf.
///
/// It exists only to make `Array` a property type; no other type should conform.
public protocol ArrayElement: PresentValue {
  /// The schema type of an array property with these elements.
  static var arrayShape: PropertyShape { get }
  /// The number of columns of such an array.
  static var arrayColumnCount: Int { get }
  /// The array as a default value in the schema; nil where it can't be one.
  static func arrayDefault(_ elements: [Self]) -> Value?
  /// Appends the columns of an array.
  static func encode(_ elements: [Self], into row: inout RowEncoder)
  /// Reads the columns of an array.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, for each element.
  static func decodeArray(from row: inout RowDecoder) throws -> [Self]
}

extension ScalarValue {
  /// An array of scalars.
  public static var arrayShape: PropertyShape { PropertyShape(type: .array(scalarType)) }
  /// One column.
  @inlinable public static var arrayColumnCount: Int { 1 }
  /// The array itself.
  public static func arrayDefault(_ elements: [Self]) -> Value? { .list(elements.map(\.columnValue)) }
  /// Appends the elements as one value.
  public static func encode(_ elements: [Self], into row: inout RowEncoder) {
    row.append(.list(elements.map(\.columnValue)))
  }
  /// Reads the elements in order.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, for each element.
  public static func decodeArray(from row: inout RowDecoder) throws -> [Self] { try row.elements() }
}

extension Model {
  /// A list of embedded structs. Only the model's name is read here: a model that contains arrays of itself is refused
  /// later.
  public static var arrayShape: PropertyShape {
    PropertyShape(type: .embeddedList(entityName), model: Self.self)
  }
  /// One column for the number of elements, and the columns of the model.
  public static var arrayColumnCount: Int { 1 + columnCount }
  /// Only the empty array can be a default.
  public static func arrayDefault(_ elements: [Self]) -> Value? { elements.isEmpty ? .list([]) : nil }
  /// Appends the number of elements, then each leaf for all elements.
  public static func encode(_ elements: [Self], into row: inout RowEncoder) {
    let count = columnCount
    var columns = Array(repeating: [Value](), count: count)
    var inner = RowEncoder()
    for element in elements {
      inner.reset()
      element.encode(into: &inner)
      if let refusal = inner.refusal { row.refuse(refusal, after: 1) }
      for (column, value) in inner.row.prefix(count).enumerated() { columns[column].append(value) }
    }
    row.append(.int(Int64(elements.count)))
    for column in columns { row.append(.list(column)) }
  }
  /// Reads the number of elements, then each leaf for all elements.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, for each element.
  public static func decodeArray(from row: inout RowDecoder) throws -> [Self] { try row.structs() }
}
