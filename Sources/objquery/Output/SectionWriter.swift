import ObjectStoreCore

/// Writes rows in sections, in any mode: tables with a heading each, JSON with an object for each section, and line or
/// record formats with a first column `section`.
final class SectionWriter {
  private let style: OutputStyle
  private let columns: [ResultColumn]
  private let sink: OutputSink
  /// The rows with the section's key as their first value, for modes in which each row names its section.
  private let flat: (any ResultWriter)?
  private let json: JSONWriter?
  private var isFirst = true

  init(_ style: OutputStyle, _ columns: [ResultColumn], _ sink: OutputSink) {
    self.style = style
    self.columns = columns
    self.sink = sink
    switch style.mode {
    case .csv, .tsv, .line, .geojson, .html, .chart:
      let key = ResultColumn(heading: "section", content: .text)
      flat = style.writer(OutputShape(columns: [key] + columns), identity: nil, sink: sink)
      json = nil
    case .insert:
      // A statement has no place for the section.
      flat = style.writer(OutputShape(columns: columns), identity: nil, sink: sink)
      json = nil
    case .json, .jsonl:
      flat = nil
      json = JSONWriter(.lines, OutputShape(columns: columns), sink)
    case .table, .box, .markdown, .count, .ids, .none:
      flat = nil
      json = nil
    }
  }

  func begin() throws {
    try flat?.begin()
    if style.mode == .json { try sink.write("[") }
  }

  /// Writes a section, whose rows have a value for each leaf.
  func section(_ section: ResultSection) throws {
    defer { isFirst = false }
    if let flat {
      for row in section.rows { try flat.row(style.mode == .insert ? row : [section.key] + row) }
    } else if let json {
      try write(section, json)
    } else if drawsTables {
      let key = Screen.harmless(ValueText.plain(section.key, null: style.nullText ?? "nil"))
      let mark = style.mode == .markdown ? "### " : ""
      try sink.write("\(isFirst ? "" : "\n")\(mark)\(key) (\(grouped(section.count)))\n")
      if style.mode == .markdown { try sink.write("\n") }
      try writeTable(section.rows)
    }
  }

  /// Says in words that rows are left out.
  func gap(_ words: String) throws {
    if let flat { return try flat.gap(words) }
    if drawsTables { try sink.write((style.isColored && sink.isTerminal ? Screen.dimmed(words) : words) + "\n") }
  }

  func end() throws {
    try flat?.end()
    if style.mode == .json { try sink.write(isFirst ? "]\n" : "\n]\n") }
    if isFirst, drawsTables { try writeTable([]) }
  }

  private var drawsTables: Bool { style.mode == .table || style.mode == .box || style.mode == .markdown }

  /// The table of a section; without sections, an empty table.
  private func writeTable(_ rows: [[Value]]) throws {
    let writer = style.writer(OutputShape(columns: columns), identity: nil, sink: sink)
    try writer.begin()
    for row in rows { try writer.row(row) }
    try writer.end()
  }

  /// `{"section": key, "count": n, "rows": […]}`
  private func write(_ section: ResultSection, _ json: JSONWriter) throws {
    try sink.write { text in
      if style.mode == .json { text.append(isFirst ? "\n" : ",\n") }
      text.append("{\"section\":")
      ValueText.appendJSON(section.key, to: &text)
      text.append(",\"count\":\(section.count),\"rows\":[")
    }
    for (place, row) in section.rows.enumerated() {
      try sink.write { text in
        if place > 0 { text.append(UInt8(ascii: ",")) }
        json.append(row, to: &text)
      }
    }
    try sink.write(style.mode == .json ? "]}" : "]}\n")
  }
}
