public import FoundationEssentials

extension URL: ScalarValue, QueryArgument {
  /// `string`: queries compare, sort and search it as text.
  public static var scalarType: ScalarType { .string }

  /// The absolute URL as stored in its column; a relative URL is resolved against its base.
  public var columnValue: Value { .string(absoluteString) }

  /// The absolute URL, as text.
  public var queryValue: Value { columnValue }

  /// Reads a value from its column.
  ///
  /// - Throws: `StoreError.unreadableValue` for text that is not a URL, which another program may have written.
  public static func decode(from row: inout RowDecoder) throws -> URL {
    let text = try row.string()
    guard let url = URL(string: text) else { throw row.unreadable(.string(text), as: "URL") }
    return url
  }
}
