import ObjectStoreCore

/// Writes a property a line, `name = value`, with an empty line between objects.
final class LineWriter: ResultWriter {
  private let shape: OutputShape
  private let null: String
  private let isColored: Bool
  private let sink: OutputSink
  /// The text before each value.
  private let labels: [String]
  private var isFirst = true

  init(_ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.shape = shape
    self.sink = sink
    null = style.nullText ?? "nil"
    isColored = style.isColored && sink.isTerminal
    let widest = shape.leaves.map { Screen.width($0.heading) }.max() ?? 0
    labels = shape.leaves.map {
      String(repeating: " ", count: widest - Screen.width($0.heading)) + $0.heading + " = "
    }
  }

  func begin() {}

  func row(_ values: [Value]) throws {
    try sink.write { text in
      if !isFirst { text.append(UInt8(ascii: "\n")) }
      for (leaf, label) in zip(shape.leaves, labels) {
        text.append(label)
        let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
        let isDimmed = isColored && value.isNull
        if isDimmed { text.append(Screen.dim) }
        let start = text.count
        ValueText.appendCell(value, null: null, to: &text)
        // A line must stay a line: breaks are written out.
        Screen.makeHarmless(&text, from: start)
        if isDimmed { text.append(Screen.plain) }
        text.append(UInt8(ascii: "\n"))
      }
    }
    isFirst = false
  }

  func gap(_ words: String) throws {
    try sink.write { text in
      if !isFirst { text.append(UInt8(ascii: "\n")) }
      text.append(isColored ? Screen.dimmed(words) : words)
      text.append(UInt8(ascii: "\n"))
    }
    isFirst = false
  }

  func end() {}
}
