public import FoundationEssentials

extension URL: ScalarValue, QueryArgument {
  /// `string`: queries compare, sort and search it as text.
  public static var scalarType: ScalarType { .string }

  /// The whole address as its column has it; a relative one is resolved by its base.
  public var columnValue: Value { .string(absoluteString) }

  /// The whole address, as text.
  public var queryValue: Value { columnValue }

  /// Reads one from its column.
  ///
  /// - Throws: `StoreError.unreadableValue` for text that is no URL, which another program may have written.
  public static func decode(from row: inout RowDecoder) throws -> URL {
    let text = try row.string()
    guard let url = URL(string: text) else { throw row.unreadable(.string(text), as: "URL") }
    return url
  }
}
