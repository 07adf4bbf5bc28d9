import ObjectStoreCore

/// The text of one value, for people and for programs. It knows nothing of rows.
enum ValueText {
  /// As a cell of a table, a CSV field or a line: without quotes.
  static func plain(_ value: Value, null: String) -> String {
    switch value {
    case .null: null
    case .bool(let truth): truth ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): NumberText.text(number)
    case .double(let number): NumberText.text(number)
    case .string(let text): text
    case .date(let instant): ISO8601.text(instant)
    case .uuid(let uuid): uuid.description
    case .data(let bytes): Base64.text(bytes)
    case .list, .embedded, .object: json(value)
    }
  }

  /// As JSON. Dates are ISO 8601 in UTC, data base64, and `nan` and `inf` strings, which import reads back.
  static func json(_ value: Value) -> String {
    var text = ""
    appendJSON(value, to: &text)
    return text
  }

  /// Appends a value as JSON.
  static func appendJSON(_ value: Value, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let truth): text += truth ? "true" : "false"
    case .int(let number): text += String(number)
    case .float(let number): text += number.isFinite ? NumberText.text(number) : "\"\(NumberText.text(number))\""
    case .double(let number): text += number.isFinite ? NumberText.text(number) : "\"\(NumberText.text(number))\""
    case .string(let string): JSONText.append(string, to: &text)
    case .date(let instant): text += "\"\(ISO8601.text(instant))\""
    case .uuid(let uuid): text += "\"\(uuid)\""
    case .data(let bytes): text += "\"\(Base64.text(bytes))\""
    case .object(let object): text += "{\"@id\":\(object.number.rawValue)}"
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        appendJSON(element, to: &text)
      }
      text += "]"
    case .embedded(let fields):
      text += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { text += "," }
        JSONText.append(field.name, to: &text)
        text += ":"
        appendJSON(field.value, to: &text)
      }
      text += "}"
    }
  }
}
