import ObjectStoreCore

/// Writes rows as CSV or TSV, a line each. nil is nothing; an empty text in CSV is `""`.
final class DelimitedWriter: ResultWriter {
  enum Form { case csv, tsv }

  private let form: Form
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink

  init(_ form: Form, _ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.form = form
    self.shape = shape
    self.style = style
    self.sink = sink
  }

  func begin() throws {
    guard style.headers else { return }
    try write(shape.leaves.map { field($0.heading) })
  }

  func row(_ values: [Value]) throws {
    let null = style.nullText ?? ""
    try write(
      shape.leaves.map { leaf in
        let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
        if case .null = value { return null }
        return field(ValueText.plain(value, null: null))
      })
  }

  func end() {}

  private func write(_ fields: [String]) throws {
    try sink.write(fields.joined(separator: form == .csv ? "," : "\t") + "\n")
  }

  private func field(_ text: String) -> String {
    let text = sink.isTerminal ? Screen.harmless(text, keepsLines: true) : text
    switch form {
    case .csv:
      // By bytes: to Swift's characters a carriage return and a line feed are one.
      let needsQuotes =
        text.isEmpty
        || text.utf8.contains {
          [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0)
        }
        || text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ")
      guard needsQuotes else { return text }
      var quoted = "\""
      for scalar in text.unicodeScalars {
        if scalar == "\"" { quoted += "\"" }
        quoted.unicodeScalars.append(scalar)
      }
      return quoted + "\""
    case .tsv:
      guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") }) else { return text }
      var escaped = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\t": escaped += "\\t"
        case "\n": escaped += "\\n"
        case "\r": escaped += "\\r"
        case "\\": escaped += "\\\\"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }
  }
}
