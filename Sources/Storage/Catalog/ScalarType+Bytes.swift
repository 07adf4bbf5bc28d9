package import Schema
package import Values

// Values that are kept as bytes of any length: strings as UTF-8, data as it is, decimal numbers in the form whose order is
// theirs.

extension ScalarType {
  /// Whether values of the type are kept so.
  package var isKeptAsBytes: Bool {
    switch self {
    case .string, .data, .decimal: true
    case .bool, .int8, .int16, .int32, .int, .float, .double, .date, .uuid: false
    }
  }

  /// The value that is kept as some bytes, which were checked; nil itself where it is kept otherwise.
  @inline(__always) package func value(keptAs bytes: UnsafeRawBufferPointer) -> Value {
    switch self {
    case .string: .string(String(decoding: bytes, as: UTF8.self))
    case .data: .data(Array(bytes))
    case .decimal: DecimalValue(bytes: bytes).map(Value.decimal) ?? .null
    case .bool, .int8, .int16, .int32, .int, .float, .double, .date, .uuid: .null
    }
  }
}
