internal import FoundationEssentials
internal import Storage

/// A type whose values are read from a column for many objects in one loop, compiled for the type.
protocol ColumnReadable: PropertyValue {
  /// Appends the values of existing objects of one cluster, whose only column is that of the property.
  static func append(_ objects: ArraySlice<ObjectNumber>, of columns: ClusterColumns, to values: inout [Self]) throws
}

/// A type of single values that are read in such a loop.
///
/// Values that the loop can't read, because the column has another form or the value is missing, are left to
/// `RowDecoder`, which also makes the errors.
protocol ColumnValue: ColumnReadable, PresentValue {
  /// The value in a slot that is not nil; nil when the decoder must read it.
  static func value(in column: OpenColumn, at slot: Int) -> Self?
  /// Like `append`, where nil is allowed.
  static func append(_ objects: ArraySlice<ObjectNumber>, of columns: ClusterColumns, to values: inout [Self?]) throws
}

extension Optional: ColumnReadable where Wrapped: ColumnValue {
  static func append(
    _ objects: ArraySlice<ObjectNumber>, of columns: ClusterColumns, to values: inout [Wrapped?]
  ) throws {
    try Wrapped.append(objects, of: columns, to: &values)
  }
}

extension ColumnValue {
  static func append(
    _ objects: ArraySlice<ObjectNumber>, of columns: ClusterColumns, to values: inout [Self]
  ) throws {
    let column = columns.open[0]
    for object in objects {
      if !column.isNull(object.slot), let value = value(in: column, at: object.slot) {
        values.append(value)
      } else {
        var decoder = RowDecoder(columns, object)
        values.append(try decode(from: &decoder))
      }
    }
  }

  static func append(
    _ objects: ArraySlice<ObjectNumber>, of columns: ClusterColumns, to values: inout [Self?]
  ) throws {
    let column = columns.open[0]
    for object in objects {
      if column.isNull(object.slot) {
        values.append(nil)
      } else if let value = value(in: column, at: object.slot) {
        values.append(value)
      } else {
        var decoder = RowDecoder(columns, object)
        values.append(try Self?.decode(from: &decoder))
      }
    }
  }
}

extension Int: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Int? {
    column.integer(slot).flatMap { Int(exactly: $0) }
  }
}

extension Int64: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Int64? { column.integer(slot) }
}

extension Int32: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Int32? {
    column.integer(slot).flatMap { Int32(exactly: $0) }
  }
}

extension Bool: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Bool? { column.bool(slot) }
}

extension Float: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Float? { column.float(slot) }
}

extension Double: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Double? { column.double(slot) }
}

extension Date: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> Date? {
    column.double(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension String: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> String? {
    column.text(slot).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension UUID: ColumnValue {
  @inline(__always) static func value(in column: OpenColumn, at slot: Int) -> UUID? {
    column.uuid(slot).map { UUID($0) }
  }
}
