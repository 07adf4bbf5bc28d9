extension Optional: PropertyValue where Wrapped: PresentValue {
  /// The shape of the wrapped type, with nil allowed.
  public static var propertyShape: PropertyShape {
    var shape = Wrapped.propertyShape
    shape.isOptional = true
    return shape
  }

  /// The columns of the wrapped type, and one more for a struct.
  @inlinable public static var columnCount: Int { Wrapped.columnCount + (Wrapped.isStruct ? 1 : 0) }

  /// The default of the wrapped value; nil is also a default.
  public var schemaDefault: Value? {
    switch self {
    case .none: .null
    case .some(let value): value.schemaDefault
    }
  }

  /// Appends whether there is a value, if that has its own column, then the value or nils.
  @inlinable public func encode(into row: inout RowEncoder) {
    switch self {
    case .none: Self.encodeAbsence(into: &row)
    case .some(let value):
      if Wrapped.isStruct { row.append(.bool(true)) }
      value.encode(into: &row)
    }
  }

  /// Appends nil for each column.
  @inlinable public static func encodeAbsence(into row: inout RowEncoder) {
    if Wrapped.isStruct { row.append(.null) }
    Wrapped.encodeAbsence(into: &row)
  }

  /// Reads a value, or nil.
  ///
  /// - Throws: As `PropertyValue.decode(from:)`, but not `missingValue` for nil.
  @inlinable public static func decode(from row: inout RowDecoder) throws -> Wrapped? {
    guard !row.isNextNull else {
      row.skip(columnCount)
      return nil
    }
    if Wrapped.isStruct { row.skip(1) }
    return try Wrapped.decode(from: &row)
  }
}
