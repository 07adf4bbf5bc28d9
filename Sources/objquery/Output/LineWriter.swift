import ObjectStoreCore

/// Writes a property a line, `name = value`, with an empty line between objects.
final class LineWriter: ResultWriter {
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private let labels: [String]
  private var isFirst = true

  init(_ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.shape = shape
    self.style = style
    self.sink = sink
    let widest = shape.leaves.map { Screen.width($0.heading) }.max() ?? 0
    labels = shape.leaves.map { String(repeating: " ", count: widest - Screen.width($0.heading)) + $0.heading }
  }

  func begin() {}

  func row(_ values: [Value]) throws {
    var text = isFirst ? "" : "\n"
    isFirst = false
    for (leaf, label) in zip(shape.leaves, labels) {
      let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
      // A line must stay a line: breaks are written out.
      text += "\(label) = \(Screen.harmless(ValueText.plain(value, null: style.nullText ?? "nil")))\n"
    }
    try sink.write(text)
  }

  func end() {}
}
