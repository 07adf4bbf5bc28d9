import ObjectStoreCore
internal import Values

/// Writes rows as a table in a page of HTML, which all results of a file share. Every value is text: nothing in the store can become markup.
final class HTMLWriter: ResultWriter {
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink

  init(_ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.shape = shape
    self.style = style
    self.sink = sink
  }

  func begin() throws {
    if sink.pageEnd == nil { try beginPage() }
    try sink.write("<table>\n")
    if style.headers {
      try sink.write { text in
        text.append("<thead><tr>")
        for leaf in shape.leaves {
          text.append(leaf.isNumeric ? "<th class=\"number\">" : "<th>")
          Self.append(leaf.heading, to: &text)
          text.append("</th>")
        }
        text.append("</tr></thead>\n")
      }
    }
    try sink.write("<tbody>\n")
  }

  private func beginPage() throws {
    sink.pageEnd = "</body>\n</html>\n"
    try sink.write(
      """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <title>objquery</title>
      <style>
      body { font-family: system-ui, sans-serif; margin: 2em }
      table { border-collapse: collapse }
      th, td { border-bottom: 1px solid #ccc; padding: 0.3em 0.8em; text-align: left; vertical-align: top }
      .number { text-align: right; font-variant-numeric: tabular-nums }
      .nil { color: #999 }
      </style>
      </head>
      <body>

      """)
  }

  func row(_ values: [Value]) throws {
    try sink.write { text in
      text.append("<tr>")
      for leaf in shape.leaves {
        let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
        if value.isNull {
          text.append("<td class=\"nil\">")
          Self.append(style.nullText ?? "nil", to: &text)
        } else {
          text.append(leaf.isNumeric ? "<td class=\"number\">" : "<td>")
          Self.append(ValueText.plain(value, null: ""), to: &text)
        }
        text.append("</td>")
      }
      text.append("</tr>\n")
    }
  }

  func end() throws { try sink.write("</tbody>\n</table>\n") }

  /// A text with the signs of HTML written out, and with no control characters but line breaks and tabs.
  private static func append(_ string: String, to text: inout TextBytes) {
    var escaped = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // A page has no carriage returns of its own: readers drop them.
      case "\r": escaped += "&#13;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    text.append(escaped)
  }
}
