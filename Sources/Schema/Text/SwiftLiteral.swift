import Values

/// Formats values as Swift literals that give the same value for the declared type.
enum SwiftLiteral {
  /// The literal for `value`.
  static func text(_ value: Value) -> String {
    switch value {
    // Objects have no literal and can't be defaults.
    case .null, .object: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let value): floating(value.description, value)
    case .double(let value): floating(value.description, value)
    case .decimal(let value): decimal(value)
    case .string(let value): string(value)
    case .date(let value): "Date(timeIntervalSinceReferenceDate: \(floating(value.seconds.description, value.seconds)))"
    case .uuid(let value): "UUID(uuidString: \"\(value.schemaText)\")!"
    case .data(let bytes): bytes.isEmpty ? "Data()" : "Data([\(bytes.map(String.init).joined(separator: ", "))])"
    case .list(let values): "[\(values.map(text).joined(separator: ", "))]"
    // Structs have no defaults, so the fields belong to a dictionary.
    case .embedded(let fields):
      fields.isEmpty ? "[:]" : "[\(fields.map { "\(string($0.name)): \(text($0.value))" }.joined(separator: ", "))]"
    }
  }

  private static func floating(_ text: String, _ value: some BinaryFloatingPoint) -> String {
    if value.isNaN { return ".nan" }
    if value.isInfinite { return value < 0 ? "-.infinity" : ".infinity" }
    return text
  }

  /// A literal with a point would be read as a Double first, in Swift.
  private static func decimal(_ value: DecimalValue) -> String {
    if value.isNaN { return ".nan" }
    return value.integer.map { String($0) } ?? "Decimal(string: \"\(value)\")!"
  }

  /// A string literal in one line.
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\0": literal += "\\0"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028 || scalar.value == 0x2029:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
