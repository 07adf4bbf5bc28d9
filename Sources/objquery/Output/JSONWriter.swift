import ObjectStoreCore
internal import Values

/// Writes rows as JSON objects: all in one array, or one on each line. Structs are nested objects.
final class JSONWriter: ResultWriter {
  enum Layout { case array, lines }

  private let layout: Layout
  private let sink: OutputSink
  private var isFirst = true
  private let encoder: JSONObjectEncoder

  init(_ layout: Layout, _ shape: OutputShape, _ sink: OutputSink) {
    self.layout = layout
    self.sink = sink
    encoder = JSONObjectEncoder(shape)
  }

  func begin() throws { if layout == .array { try sink.write("[") } }

  func row(_ values: [Value]) throws {
    try sink.write { text in
      if layout == .array { text.append(isFirst ? "\n" : ",\n") }
      append(values, to: &text)
      if layout == .lines { text.append(UInt8(ascii: "\n")) }
    }
    isFirst = false
  }

  func end() throws { if layout == .array { try sink.write(isFirst ? "]\n" : "\n]\n") } }

  /// Appends a row as one object, without a line break.
  func append(_ values: [Value], to text: inout TextBytes) { encoder.append(values, to: &text) }
}
