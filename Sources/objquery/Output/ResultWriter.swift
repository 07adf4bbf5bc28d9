import ObjectStoreCore

/// Writes the rows of one result in one mode. It receives the shape, then the rows, then the end.
protocol ResultWriter: AnyObject {
  func begin() throws
  func row(_ values: [Value]) throws
  /// Says in words that rows are left out here.
  func gap(_ words: String) throws
  func end() throws
}

extension ResultWriter {
  /// Formats for programs have no place for words; their rows are never left out.
  func gap(_ words: String) {}
}

/// The user's settings for results, in all modes.
struct OutputStyle {
  var mode = OutputMode.jsonl
  /// Whether tables, CSV and TSV name their columns.
  var headers = true
  /// The text for nil; nil uses the mode's own.
  var nullText: String?
  /// The maximum width of a table; nil means the width of the screen, or no limit without a screen.
  var width: Int?
  /// The columns of the screen.
  var screenWidth: Int?
  /// The entity that the rows are objects of; nil for other rows.
  var entity: String?
  /// Whether tables show the types of their columns.
  var showsTypes = false
  /// Whether a terminal shows nil and what is said about the rows dimmed.
  var isColored = false

  /// The most rows that a terminal shows if the user chose no number.
  static let maxRows = 40

  /// A writer of the chosen mode.
  func writer(_ shape: OutputShape, identity: Int?, sink: OutputSink) -> any ResultWriter {
    switch mode {
    case .table: TableWriter(.ascii, shape, self, sink)
    case .box: TableWriter(.box, shape, self, sink)
    case .markdown: TableWriter(.markdown, shape, self, sink)
    case .csv: DelimitedWriter(.csv, shape, self, sink)
    case .tsv: DelimitedWriter(.tsv, shape, self, sink)
    case .json: JSONWriter(.array, shape, sink)
    case .jsonl: JSONWriter(.lines, shape, sink)
    case .geojson: GeoJSONWriter(shape, sink)
    case .html: HTMLWriter(shape, self, sink)
    case .insert: InsertWriter(shape, entity: entity, sink)
    case .chart: ChartWriter(shape, self, sink)
    case .line: LineWriter(shape, self, sink)
    case .count: CountWriter(sink)
    case .ids: IdentityWriter(identity ?? 0, sink)
    case .none: NothingWriter()
    }
  }
}

/// Counts rows, and shows the number at the end.
final class CountWriter: ResultWriter {
  private let sink: OutputSink
  private var count = 0

  init(_ sink: OutputSink) { self.sink = sink }

  func begin() {}
  func row(_ values: [Value]) { count += 1 }
  func end() throws { try sink.write("\(count)\n") }
}

/// Shows one value of each row: the one that identifies the object.
final class IdentityWriter: ResultWriter {
  private let sink: OutputSink
  private let place: Int

  init(_ place: Int, _ sink: OutputSink) {
    self.place = place
    self.sink = sink
  }

  func begin() {}

  func row(_ values: [Value]) throws {
    guard values.indices.contains(place) else { return }
    try sink.write { text in
      let start = text.count
      ValueText.append(values[place], to: &text)
      if sink.isTerminal { Screen.makeHarmless(&text, from: start) }
      text.append(UInt8(ascii: "\n"))
    }
  }

  func end() {}
}

/// Shows nothing: for timing.
final class NothingWriter: ResultWriter {
  func begin() {}
  func row(_ values: [Value]) {}
  func end() {}
}

extension OutputMode {
  /// Whether a result that is too long for a person is shown in part on a terminal: only in formats that no program
  /// reads.
  var isAbridged: Bool {
    switch self {
    case .table, .box, .markdown, .line: true
    case .csv, .tsv, .json, .jsonl, .count, .ids, .none, .chart, .geojson, .html, .insert: false
    }
  }
}
