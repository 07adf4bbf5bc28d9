import ObjectStoreCore
internal import Values

/// The text of one value, for people and for programs. It does not know rows.
enum ValueText {
  /// As a cell of a table, a CSV field or a line: without quotes.
  static func plain(_ value: Value, null: String) -> String {
    var text = TextBytes()
    append(value, null: null, to: &text)
    return text.string(0..<text.count)
  }

  /// Appends a value in the form of `plain`.
  static func append(_ value: Value, null: String, to text: inout TextBytes) {
    if case .null = value { text.append(null) } else { append(value, to: &text) }
  }

  /// Appends a value in the form of `plain`, in quotes if it is a string that looks like nil.
  static func appendCell(_ value: Value, null: String, to text: inout TextBytes) {
    guard case .string(let string) = value, string == null else { return append(value, null: null, to: &text) }
    text.append(UInt8(ascii: "\""))
    text.append(string)
    text.append(UInt8(ascii: "\""))
  }

  /// Appends a value as a cell of a table, a CSV field or a line; nil is empty.
  static func append(_ value: Value, to text: inout TextBytes) {
    switch value {
    case .null: break
    case .bool(let truth): text.append(truth ? "true" : "false")
    case .int(let number): NumberText.append(number, to: &text)
    case .float(let number): text.append(NumberText.text(number))
    case .double(let number): NumberText.append(number, to: &text)
    case .decimal(let number): number.append(to: &text)
    case .string(let string): text.append(string)
    case .date(let instant): ISO8601.append(instant, to: &text)
    case .uuid(let uuid): uuid.append(to: &text)
    case .data(let bytes): text.append(Base64.text(bytes))
    case .list, .embedded, .object: appendJSON(value, to: &text)
    }
  }

  /// As JSON. Dates are ISO 8601 in UTC, data base64, and `nan` and `inf` strings, which import reads back.
  static func json(_ value: Value) -> String {
    var text = TextBytes()
    appendJSON(value, to: &text)
    return text.string(0..<text.count)
  }

  /// Appends a value as JSON.
  static func appendJSON(_ value: Value, to text: inout TextBytes) {
    switch value {
    case .null: text.append("null")
    case .string(let string): JSONText.append(string, to: &text)
    case .bool, .int: append(value, to: &text)
    case .float(let number) where number.isFinite: append(value, to: &text)
    case .double(let number) where number.isFinite: append(value, to: &text)
    case .decimal(let number) where !number.isNaN: append(value, to: &text)
    case .float, .double, .decimal, .date, .uuid, .data:
      text.append(UInt8(ascii: "\""))
      append(value, to: &text)
      text.append(UInt8(ascii: "\""))
    case .object(let object):
      text.append("{\"@id\":")
      NumberText.append(object.number.rawValue, to: &text)
      text.append(UInt8(ascii: "}"))
    case .list(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        appendJSON(element, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .embedded(let fields):
      text.append(UInt8(ascii: "{"))
      for (index, field) in fields.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        JSONText.append(field.name, to: &text)
        text.append(UInt8(ascii: ":"))
        appendJSON(field.value, to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
