/// A Swift type stored in a single column.
public protocol ScalarValue: ArrayElement, QueryArgument, ScalarOperand, IndexableValue {
  /// The type of the column.
  static var scalarType: ScalarType { get }
  /// The value as stored in its column.
  var columnValue: Value { get }
}

extension ScalarValue {
  /// A scalar, without nil.
  public static var propertyShape: PropertyShape { PropertyShape(type: .scalar(scalarType)) }
  /// False.
  @inlinable public static var isStruct: Bool { false }
  /// One column.
  @inlinable public static var columnCount: Int { 1 }
  /// The value itself.
  public var schemaDefault: Value? { columnValue }
  /// The value as queries have it.
  public var queryValue: Value { columnValue }
  /// Appends the value.
  @inlinable public func encode(into row: inout RowEncoder) { row.append(columnValue) }
  /// Appends nil.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) { row.append(.null) }
}
