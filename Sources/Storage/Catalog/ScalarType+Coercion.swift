package import Schema
package import Values

extension ScalarType {
  /// Whether a row may have the value in a column of this type. nil always passes here.
  @inline(__always)
  package func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.decimal, .decimal),
      (.string, .string),
      (.date, .date), (.uuid, .uuid), (.data, .data):
      true
    case (.int8, .int(let number)): Int8(exactly: number) != nil
    case (.int16, .int(let number)): Int16(exactly: number) != nil
    case (.int32, .int(let number)): Int32(exactly: number) != nil
    default: false
    }
  }

  /// Converts a value to the stored form of this type: integers become floating-point or decimal numbers if the type is
  /// one, floating-point numbers the Decimal with their shortest decimal text.
  /// Returns nil (not `.null`) for a value of another type.
  package func kept(_ value: Value) -> Value? {
    switch (self, value) {
    case (.double, .int(let number)): Double(exactly: number).map { .double($0) }
    case (.double, .float(let number)): .double(Double(number))
    case (.float, .int(let number)): Float(exactly: number).map { .float($0) }
    case (.float, .double(let number)): .float(Float(number))
    case (.decimal, .int(let number)): .decimal(DecimalValue(number))
    case (.decimal, .float(let number)): DecimalValue(shortest: number).map { .decimal($0) }
    case (.decimal, .double(let number)): DecimalValue(shortest: number).map { .decimal($0) }
    default: accepts(value) ? value : nil
    }
  }
}
