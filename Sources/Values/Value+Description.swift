extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  /// The value for people: `nil`, `true`, `5.0`, a string as it is, a date as ISO 8601 in UTC, data as base64, lists in
  /// brackets, structs as `(name: "Alaska", depth: 3.0)`, objects as `Quake@3`.
  public var description: String { if case .string(let text) = self { text } else { debugDescription } }

  /// As the description, with strings in quotes.
  public var debugDescription: String {
    switch self {
    case .null: "nil"
    case .bool(let truth): truth ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): NumberText.text(number)
    case .double(let number): NumberText.text(number)
    case .decimal(let number): number.description
    case .string(let text): JSONText.quoted(text)
    case .date(let instant): ISO8601.text(instant)
    case .uuid(let uuid): uuid.description
    case .data(let bytes): Base64.text(bytes)
    case .list(let elements): "[" + elements.map(\.debugDescription).joined(separator: ", ") + "]"
    case .embedded(let fields):
      "(" + fields.map { "\($0.name): \($0.value.debugDescription)" }.joined(separator: ", ") + ")"
    case .object(let object): "\(object.entity)@\(object.number.rawValue)"
    }
  }
}
