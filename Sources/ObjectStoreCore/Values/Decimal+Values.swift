public import FoundationEssentials

extension Decimal: ScalarValue, QueryArgument {
  /// `decimal`: compared and added up exactly.
  public static var scalarType: ScalarType { .decimal }

  /// The number as its column has it, without zeros at its end.
  public var columnValue: Value { .decimal(DecimalValue(self)) }

  /// The number, exactly.
  public var queryValue: Value { columnValue }

  /// Reads one from its column.
  ///
  /// - Throws: As `RowDecoder.decimal()`.
  public static func decode(from row: inout RowDecoder) throws -> Decimal { Decimal(try row.decimal()) }
}

extension Decimal: QueryNumber {}

extension DecimalValue {
  /// A number of Foundation.
  init(_ number: Decimal) { self = DecimalValue("\(number)") ?? .nan }
}

extension Decimal {
  /// A decimal number, each of which is one of Foundation's.
  init(_ number: DecimalValue) { self = Decimal(string: number.description) ?? .nan }
}
