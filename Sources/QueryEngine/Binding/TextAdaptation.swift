internal import PredicateLanguage
internal import Values

/// Parses a string argument as the type of the value it is compared with: command line arguments are all strings.
enum TextAdaptation {
  /// Whether a string may be converted to a type. JSON has its own numbers and Bools, so its strings are not converted
  /// to them.
  static func mayBe(_ text: AdaptableText, _ type: ExpressionType) -> Bool {
    switch type {
    case .date, .uuid, .data: true
    case .null, .bool, .int, .float, .double, .decimal, .number, .string, .structure, .list, .object: !text.isFromJSON
    }
  }

  /// The value that `text` spells in a type; nil if it spells none.
  static func value(_ text: String, as type: ExpressionType) -> Value? {
    switch type {
    case .string, .null, .structure, .list, .object: return .string(text)
    case .int, .float, .double, .number:
      if let whole = Int64(text) { return .int(whole) }
      return Double(text).map(Value.double)
    case .decimal: return DecimalValue(text).map(Value.decimal)
    case .bool:
      switch text.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: return nil
      }
    case .date: return ISO8601.instant(text).map(Value.date)
    case .uuid: return UUIDBytes(text).map(Value.uuid)
    case .data: return Base64.bytes(text).map(Value.data)
    }
  }
}
