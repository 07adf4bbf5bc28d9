import ObjectStoreCore

/// Writes rows as JSON objects: all in an array, or one a line. Structs are objects within.
final class JSONWriter: ResultWriter {
  enum Layout { case array, lines }

  private let layout: Layout
  private let sink: OutputSink
  private let fields: [Field]
  private var isFirst = true

  private struct Field {
    /// What comes before the value: a comma unless it is the first, the key, escaped once, and a colon.
    var key: [UInt8]
    var content: Content
  }

  private indirect enum Content {
    case leaf(Int)
    case structure(presence: Int?, [Field])
  }

  init(_ layout: Layout, _ shape: OutputShape, _ sink: OutputSink) {
    self.layout = layout
    self.sink = sink
    fields = Self.prepare(shape.fields)
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
  func append(_ values: [Value], to text: inout TextBytes) { append(fields, values, to: &text) }

  private func append(_ fields: [Field], _ values: [Value], to text: inout TextBytes) {
    text.append(UInt8(ascii: "{"))
    for field in fields {
      text.append(field.key)
      switch field.content {
      case .leaf(let place):
        ValueText.appendJSON(values.indices.contains(place) ? values[place] : .null, to: &text)
      case .structure(let presence, let inner):
        if let presence, values.indices.contains(presence), values[presence].isNull {
          text.append("null")
        } else {
          append(inner, values, to: &text)
        }
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  private static func prepare(_ fields: [OutputShape.Field]) -> [Field] {
    fields.enumerated().map { index, field in
      let key = Array(((index > 0 ? "," : "") + JSONText.quoted(field.heading) + ":").utf8)
      switch field.content {
      case .leaf(let place): return Field(key: key, content: .leaf(place))
      case .structure(let presence, let inner):
        return Field(key: key, content: .structure(presence: presence, prepare(inner)))
      }
    }
  }
}
