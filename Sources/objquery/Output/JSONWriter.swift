import ObjectStoreCore

/// Writes rows as JSON objects: all in an array, or one a line. Structs are objects within.
final class JSONWriter: ResultWriter {
  enum Layout { case array, lines }

  private let layout: Layout
  private let shape: OutputShape
  private let sink: OutputSink
  /// The keys, escaped once.
  private let fields: [Field]
  private var isFirst = true
  private var text = ""

  private struct Field {
    var key: String
    var content: Content
  }

  private indirect enum Content {
    case leaf(Int)
    case structure(presence: Int?, [Field])
  }

  init(_ layout: Layout, _ shape: OutputShape, _ sink: OutputSink) {
    self.layout = layout
    self.shape = shape
    self.sink = sink
    fields = Self.prepare(shape.fields)
  }

  func begin() throws { if layout == .array { try sink.write("[") } }

  func row(_ values: [Value]) throws {
    text.removeAll(keepingCapacity: true)
    if layout == .array { text += isFirst ? "\n" : ",\n" }
    isFirst = false
    append(fields, values)
    if layout == .lines { text += "\n" }
    try sink.write(text)
  }

  func end() throws { if layout == .array { try sink.write(isFirst ? "]\n" : "\n]\n") } }

  /// A row as one object, without a line break.
  func object(_ values: [Value]) -> String {
    text.removeAll(keepingCapacity: true)
    append(fields, values)
    return text
  }

  private func append(_ fields: [Field], _ values: [Value]) {
    text += "{"
    for (index, field) in fields.enumerated() {
      if index > 0 { text += "," }
      text += field.key
      switch field.content {
      case .leaf(let place): ValueText.appendJSON(values.indices.contains(place) ? values[place] : .null, to: &text)
      case .structure(let presence, let inner):
        if let presence, values.indices.contains(presence), values[presence].isNull {
          text += "null"
        } else {
          append(inner, values)
        }
      }
    }
    text += "}"
  }

  private static func prepare(_ fields: [OutputShape.Field]) -> [Field] {
    fields.map { field in
      var key = ""
      JSONText.append(field.heading, to: &key)
      switch field.content {
      case .leaf(let place): return Field(key: key + ":", content: .leaf(place))
      case .structure(let presence, let inner):
        return Field(key: key + ":", content: .structure(presence: presence, prepare(inner)))
      }
    }
  }
}
