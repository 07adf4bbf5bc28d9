public import FoundationEssentials

extension Bool: ScalarValue {
  /// `bool`
  public static var scalarType: ScalarType { .bool }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .bool(self) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.bool()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Bool { try row.bool() }
}

extension Int8: ScalarValue {
  /// `int8`
  public static var scalarType: ScalarType { .int8 }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Int8 { try row.integer(Int8.self) }
}

extension Int16: ScalarValue {
  /// `int16`
  public static var scalarType: ScalarType { .int16 }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Int16 { try row.integer(Int16.self) }
}

extension Int32: ScalarValue {
  /// `int32`
  public static var scalarType: ScalarType { .int32 }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Int32 { try row.integer(Int32.self) }
}

extension Int: ScalarValue {
  /// `int`
  public static var scalarType: ScalarType { .int }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Int { try row.integer(Int.self) }
}

extension Int64: ScalarValue {
  /// `int`
  public static var scalarType: ScalarType { .int }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(self) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Int64 { try row.integer(Int64.self) }
}

extension Float: ScalarValue {
  /// `float`
  public static var scalarType: ScalarType { .float }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .float(self) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.float()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Float { try row.float() }
}

extension Double: ScalarValue {
  /// `double`
  public static var scalarType: ScalarType { .double }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .double(self) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.double()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Double { try row.double() }
}

extension String: ScalarValue {
  /// `string`
  public static var scalarType: ScalarType { .string }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .string(self) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.string()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> String { try row.string() }
}

extension Date: ScalarValue {
  /// `date`
  public static var scalarType: ScalarType { .date }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .date(Instant(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.double()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try row.double())
  }
}

extension UUID: ScalarValue {
  /// `uuid`
  public static var scalarType: ScalarType { .uuid }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .uuid(UUIDBytes(self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.uuid()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UUID { UUID(try row.uuid()) }
}

extension Data: ScalarValue {
  /// `data`
  public static var scalarType: ScalarType { .data }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .data([UInt8](self)) }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.data()`.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Data { Data(try row.data()) }
}
