import Glibc
import ObjectStoreCore
internal import Values

/// Shows the states of a watched result: on a terminal the whole of it anew, with marks; elsewhere each change, in JSON a
/// line a row.
final class WatchScreen {
  private let shape: OutputShape
  private let marked: OutputShape
  private let text: String
  private let style: OutputStyle
  private let console: Console

  init(_ shape: OutputShape, _ text: String, _ style: OutputStyle, _ console: Console) {
    self.shape = shape
    self.text = text
    self.style = style
    self.console = console
    var marked = shape
    marked.lead(with: "")
    self.marked = marked
  }

  /// Shows the first state.
  func begin(_ state: WatchedRows, commit: Int, _ sink: OutputSink) throws {
    if isJSON {
      try lines(state.rows, commit: commit, sink)
      try sink.write("{\"op\":\"ready\",\"commit\":\(commit)}\n")
    } else {
      try whole(state, commit: commit, marks: false, sink)
    }
  }

  /// Shows the state after a commit that changed something.
  func show(_ state: WatchedRows, commit: Int, _ sink: OutputSink) throws {
    if isJSON {
      try lines(state.changed, commit: commit, sink)
    } else if sink.isTerminal {
      try whole(state, commit: commit, marks: true, sink)
    } else {
      try sink.write("\(heading(state, commit))\n")
      try table(state.changed, sink)
    }
  }

  private var isJSON: Bool { style.mode == .json || style.mode == .jsonl }

  private func heading(_ state: WatchedRows, _ commit: Int) -> String {
    let now = CivilDate(secondsSince1970: time(nil)).map { date in
      [date.hour, date.minute, date.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
    return "commit \(commit), \(now ?? "") UTC, \(counted(state.rows.count, "row"))"
  }

  private func lines(_ rows: [WatchedRow], commit: Int, _ sink: OutputSink) throws {
    let writer = JSONWriter(.lines, shape, sink)
    for row in rows {
      guard let event = row.event else { continue }
      try sink.write { text in
        text.append("{\"op\":\"\(event.rawValue)\",\"row\":")
        writer.append(row.values, to: &text)
        text.append(",\"commit\":\(commit)}\n")
      }
    }
  }

  /// The state; on a terminal as much of it as the screen has room for, with those rows that have just gone below.
  private func whole(_ state: WatchedRows, commit: Int, marks: Bool, _ sink: OutputSink) throws {
    var rows = state.rows
    var left = 0
    if sink.isTerminal {
      // The frame of the table, its heading, and what stands above and below.
      let room = max((Screen.size?.rows ?? 24) - 8, 4)
      let deleted = marks ? Array(state.deleted.prefix(room / 4)) : []
      left = max(0, rows.count + deleted.count - room)
      rows = Array(rows.dropLast(left)) + deleted
      try sink.write("\u{1B}[H\u{1B}[2J\(Screen.harmless(text))\n")
    }
    try sink.write("\(heading(state, commit))\n")
    try table(marks ? rows : rows.map { WatchedRow(event: nil, values: $0.values) }, sink)
    if left > 0 { try sink.write("… \(counted(left, "more row"))\n") }
    if sink.isTerminal { try sink.write("Ctrl-C ends it\n") }
  }

  private func table(_ rows: [WatchedRow], _ sink: OutputSink) throws {
    var fitted = style
    fitted.screenWidth = Screen.size?.columns
    let writer = fitted.writer(marked, identity: nil, sink: sink)
    try writer.begin()
    for row in rows { try writer.row(row.values + [.string(row.event?.mark ?? "")]) }
    try writer.end()
  }
}
