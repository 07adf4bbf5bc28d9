internal import PredicateLanguage
internal import Values

/// Reads the text of an argument as the type of what it is compared with: arguments from a command line are all text.
enum TextAdaptation {
  /// Whether a text may be of a type: JSON writes numbers and Bools without quotes.
  static func mayBe(_ text: AdaptableText, _ type: ExpressionType) -> Bool {
    switch type {
    case .date, .uuid, .data: true
    case .null, .bool, .int, .float, .double, .number, .string, .structure, .list, .object: !text.isFromJSON
    }
  }

  /// The value that `text` spells, or nil when it is none of that type.
  static func value(_ text: String, as type: ExpressionType) -> Value? {
    switch type {
    case .string, .null, .structure, .list, .object: return .string(text)
    case .int, .float, .double, .number:
      if let whole = Int64(text) { return .int(whole) }
      return Double(text).map(Value.double)
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
