/// A Swift type kept in a single column.
public protocol ScalarValue: ArrayElement, QueryArgument, QueryOperand {
  /// The type of the column.
  static var scalarType: ScalarType { get }
  /// The value as the column has it.
  var columnValue: Value { get }
}

extension ScalarValue {
  /// A scalar that is not optional.
  public static var propertyShape: PropertyShape { PropertyShape(type: .scalar(scalarType)) }
  /// It is not.
  @inlinable public static var isStruct: Bool { false }
  /// One.
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
