import ObjectStoreCore
internal import Values

/// Writes rows as CSV or TSV, one line for each. nil is an empty field; an empty text is `""`.
final class DelimitedWriter: ResultWriter {
  private let form: DelimitedForm
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private let null: [UInt8]
  /// The positions of the fields in a row of values.
  private let places: [Int]

  init(_ form: DelimitedForm, _ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.form = form
    self.shape = shape
    self.style = style
    self.sink = sink
    null = Array((style.nullText ?? "").utf8)
    places = shape.leaves.map(\.place)
  }

  func begin() throws {
    guard style.headers else { return }
    let headings = shape.leaves.map { Value.string($0.heading) }
    try sink.write { append(headings, Array(headings.indices), to: &$0) }
  }

  func row(_ values: [Value]) throws { try sink.write { append(values, places, to: &$0) } }

  func end() {}

  private func append(_ values: [Value], _ places: [Int], to text: inout TextBytes) {
    var isFirst = true
    for place in places {
      if !isFirst { text.append(form.delimiter) }
      isFirst = false
      if values.indices.contains(place) { append(values[place], to: &text) } else { text.append(null) }
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func append(_ value: Value, to text: inout TextBytes) {
    switch value {
    case .null: text.append(null)
    // None of these has anything in it that a field must not have.
    case .bool, .int, .float, .double, .decimal, .date, .uuid: ValueText.append(value, to: &text)
    case .string, .data, .list, .embedded, .object:
      let start = text.count
      ValueText.append(value, to: &text)
      if sink.isTerminal { Screen.makeHarmless(&text, from: start, keepsLines: true) }
      form.protect(&text, from: start)
    }
  }
}
