/// What an array in a model may be of: scalars, kept as one column, or models, kept as a column for each of their leaves.
///
/// It is `Array`'s one way to be a property; nothing else should conform.
public protocol ArrayElement: PresentValue {
  /// What a property that is an array of it is in a schema.
  static var arrayShape: PropertyShape { get }
  /// How many columns such an array takes.
  static var arrayColumnCount: Int { get }
  /// An array of it as a schema's default, where it can be one.
  static func arrayDefault(_ elements: [Self]) -> Value?
  /// Appends the columns of an array.
  static func encode(_ elements: [Self], into row: inout RowEncoder)
  /// Reads the columns of an array.
  static func decodeArray(from row: inout RowDecoder) throws -> [Self]
}

extension ScalarValue {
  /// An array of scalars.
  public static var arrayShape: PropertyShape { PropertyShape(type: .array(scalarType)) }
  /// One.
  @inlinable public static var arrayColumnCount: Int { 1 }
  /// The array itself.
  public static func arrayDefault(_ elements: [Self]) -> Value? { .list(elements.map(\.columnValue)) }
  /// Appends the elements as one value.
  public static func encode(_ elements: [Self], into row: inout RowEncoder) {
    row.append(.list(elements.map(\.columnValue)))
  }
  /// Reads the elements in order.
  public static func decodeArray(from row: inout RowDecoder) throws -> [Self] { try row.elements() }
}

extension Model {
  /// A list of embedded structs. Only the model's name is asked for: it may hold arrays of itself, which is refused later.
  public static var arrayShape: PropertyShape {
    PropertyShape(type: .embeddedList(entityName), model: Self.self)
  }
  /// One that says how many there are, and those of the model.
  public static var arrayColumnCount: Int { 1 + columnCount }
  /// Nothing but the empty array.
  public static func arrayDefault(_ elements: [Self]) -> Value? { elements.isEmpty ? .list([]) : nil }
  /// Appends how many there are, then each leaf of all of them.
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
  /// Reads how many there are, then each leaf of all of them.
  public static func decodeArray(from row: inout RowDecoder) throws -> [Self] { try row.structs() }
}
