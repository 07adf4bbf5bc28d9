/// An enum that is stored by the raw values of its cases: a `String`, or an integer of any width.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, done }
///
/// @Model struct Task { var name = "", status = Status.open, earlier: [Status] = [], previous: Status? }
///
/// let open = try store.objects(Task.self).filter("status == %@ AND name != ''", Status.open)
/// let same = try store.objects(Task.self).filter("status IN {'open'}")
/// ```
///
/// In queries, in the shell and in the file, the property is its raw value, and is compared, sorted and indexed as
/// such. Adding a case changes nothing in a file. Reading an object whose raw value matches no case, because another
/// version of the program wrote it, throws `StoreError.unreadableValue`; queries still find and count it.
public protocol PersistableEnum: RawRepresentable, ScalarValue, QueryArgument
where RawValue: ScalarValue & QueryArgument {}

extension PersistableEnum {
  /// The type of the raw values.
  public static var scalarType: ScalarType { RawValue.scalarType }

  /// A scalar of the raw values' type.
  public static var propertyShape: PropertyShape {
    PropertyShape(type: .scalar(scalarType), isEnumeration: true)
  }

  /// The raw value as stored in its column.
  public var columnValue: Value { rawValue.columnValue }

  /// The raw value, as an argument.
  public var queryValue: Value { rawValue.queryValue }

  /// Reads the case of a raw value.
  ///
  /// - Throws: `StoreError.unreadableValue` for a raw value of no case.
  public static func decode(from row: inout RowDecoder) throws -> Self {
    let raw = try RawValue.decode(from: &row)
    guard let value = Self(rawValue: raw) else { throw row.unreadable(raw.columnValue, as: "\(Self.self)") }
    return value
  }
}
