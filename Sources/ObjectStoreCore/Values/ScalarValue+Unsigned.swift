extension UInt8: ScalarValue, QueryArgument {
  /// `int16`
  public static var scalarType: ScalarType { .int16 }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// A whole number.
  public var queryValue: Value { columnValue }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`: `StoreError.unreadableValue` also for a negative number.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UInt8 { try row.integer(UInt8.self) }
}

extension UInt16: ScalarValue, QueryArgument {
  /// `int32`
  public static var scalarType: ScalarType { .int32 }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// A whole number.
  public var queryValue: Value { columnValue }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`: `StoreError.unreadableValue` also for a negative number.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UInt16 { try row.integer(UInt16.self) }
}

extension UInt32: ScalarValue, QueryArgument {
  /// `int`
  public static var scalarType: ScalarType { .int }
  /// The value as stored in its column.
  @inlinable public var columnValue: Value { .int(Int64(self)) }
  /// A whole number.
  public var queryValue: Value { columnValue }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`: `StoreError.unreadableValue` also for a negative number.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UInt32 { try row.integer(UInt32.self) }
}

extension UInt: ScalarValue, QueryArgument {
  /// `int`
  public static var scalarType: ScalarType { .int }
  /// The value as stored in its column. A value over `Int64.max` can't be stored: writing it throws
  /// `StoreError.wrongType`.
  @inlinable public var columnValue: Value { UInt64(self).columnValue }
  /// A whole number.
  public var queryValue: Value { columnValue }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`: `StoreError.unreadableValue` also for a negative number.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UInt { try row.integer(UInt.self) }
}

extension UInt64: ScalarValue, QueryArgument {
  /// `int`
  public static var scalarType: ScalarType { .int }

  /// The value as stored in its column. A value over `Int64.max` can't be stored: writing it throws
  /// `StoreError.wrongType`.
  @inlinable public var columnValue: Value {
    // No integer column accepts a `Double`; as an argument, it is greater than every integer, like the number itself.
    Int64(exactly: self).map { .int($0) } ?? .double(Double(self))
  }

  /// A whole number.
  public var queryValue: Value { columnValue }
  /// Reads a value from its column.
  ///
  /// - Throws: As `RowDecoder.integer(_:)`: `StoreError.unreadableValue` also for a negative number.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> UInt64 { try row.integer(UInt64.self) }
}

// MARK: Ranges as arguments

extension UInt8: QueryRangeBound {
  /// The value minus one; nil for zero.
  public var predecessor: UInt8? { self == .min ? nil : self - 1 }
}

extension UInt16: QueryRangeBound {
  /// The value minus one; nil for zero.
  public var predecessor: UInt16? { self == .min ? nil : self - 1 }
}

extension UInt32: QueryRangeBound {
  /// The value minus one; nil for zero.
  public var predecessor: UInt32? { self == .min ? nil : self - 1 }
}

extension UInt: QueryRangeBound {
  /// The value minus one; nil for zero.
  public var predecessor: UInt? { self == .min ? nil : self - 1 }
}

extension UInt64: QueryRangeBound {
  /// The value minus one; nil for zero.
  public var predecessor: UInt64? { self == .min ? nil : self - 1 }
}
