import ObjectStoreCore

/// Shows the statistics of a store to a person, a figure a line.
enum StatisticsText {
  /// What `.stats` and `objquery stats` show.
  static let help = """
    Bytes are those of whole pages, so used and free together are the file. Of each entity they are shown by property:
    the chunks of its values in the clusters of 256 objects, how many of them have which encoding, and the values that
    are stored outside because they are long. The rest is headers, links from elsewhere and unused ends of pages. Of
    more than 4,096 clusters some are visited, evenly spread, and the figures marked by ~. Pages that were freed since the
    version of the oldest reader can't be reused yet. The ten oldest readers are shown, each with its label: what its
    program said about itself, or the program's name.
    With the mode json or jsonl, if it was chosen, all figures are one object, in bytes and seconds.
    """

  private static let column = 16

  static func text(_ statistics: StoreStatistics) -> String {
    let pages = grouped(statistics.fileBytes / max(statistics.pageBytes, 1))
    var lines = [
      line("file", "\(byteCount(statistics.fileBytes)), \(pages) pages of \(grouped(statistics.pageBytes)) bytes"),
      line("used", byteCount(statistics.usedBytes)),
      line("free", "\(byteCount(statistics.freeBytes)), for later changes"),
      line("map", "\(byteCount(statistics.mapBytes)) of addresses"),
      line("version", grouped(statistics.version)),
      line("readers", statistics.readers == 0 ? "none" : grouped(statistics.readers)),
    ]
    lines += statistics.oldestReaders.map { line("", reader($0, statistics)) }
    lines += [
      line("writer", statistics.writer.map { Screen.harmless($0.description) } ?? "none"),
      line("waits to write", waits(statistics.writerWaits)),
    ]
    for entity in statistics.entities { lines += self.entity(entity, statistics) }
    lines += ["", line("system", "\(byteCount(statistics.systemBytes)): schema, latest changes, free pages")]
    lines += statistics.problems.map { "damaged: \(Screen.harmless($0))" }
    return lines.joined(separator: "\n")
  }

  private static func line(_ name: String, _ text: String) -> String { name.padded(to: column) + " " + text }

  private static func reader(_ reader: StoreReader, _ statistics: StoreStatistics) -> String {
    let label = reader.label.map { Screen.harmless($0) + ": " } ?? ""
    let program = (reader.command ?? reader.program).map { " (\(Screen.harmless($0)))" } ?? ""
    let age = reader.age.map { ", for \(time($0))\(reader.isAgeExact ? "" : " at most")" } ?? ""
    return "\(label)version \(grouped(reader.version)), \(grouped(statistics.version - reader.version)) behind, "
      + "process \(reader.processID)\(program)\(age)"
  }

  private static func waits(_ waits: StoreWriterWaits) -> String {
    guard waits.count > 0 else { return "none of this process" }
    return "\(grouped(waits.count)) of this process, \(time(waits.total)) in all, the longest \(time(waits.longest))"
  }

  private static func entity(_ entity: StoreStatistics.EntityUse, _ statistics: StoreStatistics) -> [String] {
    let mark = entity.isEstimated ? "~" : ""
    let width = max(column, (entity.columns.map { Screen.width($0.path) + 3 }.max() ?? 0))
    var lines = [
      "",
      line(
        entity.name,
        "\(byteCount(entity.bytes)), \(counted(entity.objects, "object")), \(counted(entity.clusters, "cluster"))"),
    ]
    func part(_ name: String, _ bytes: Int, _ note: String) {
      let size = (mark + byteCount(max(bytes, 0))).padded(to: note.isEmpty ? 0 : 12)
      lines.append("  \(name)".padded(to: width) + " \(size)\(note)")
    }
    for column in entity.columns {
      var notes = column.encodings.map { "\($0.name) \(mark)\(grouped($0.chunks))" }
      if column.overflowValues > 0 {
        notes.append(
          "outside \(mark)\(counted(column.overflowValues, "value")) of \(mark)\(byteCount(column.overflowBytes))")
      }
      part(column.path, column.bytes + column.overflowBytes, notes.joined(separator: ", "))
    }
    if entity.removedBytes > 0 { part("(removed)", entity.removedBytes, "until the clusters are written again") }
    part("(rest)", entity.restBytes, "headers, links from elsewhere, ends of pages")
    for index in statistics.indexes where index.entity == entity.name {
      let estimate = index.isEstimated ? "~" : ""
      lines.append(
        "  index \(index.index.name): \(estimate)\(byteCount(index.bytes)), "
          + "\(counted(index.entries, "entry", "entries")), \(index.index.kind.rawValue)")
    }
    return lines
  }

  private static func time(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    return seconds < 1 ? "\((seconds * 1000).rounded() / 1000) s" : Progress.time(seconds)
  }
}

extension StoreStatistics.EntityUse {
  /// The bytes that belong to no column.
  fileprivate var restBytes: Int {
    bytes - removedBytes - columns.reduce(0) { $0 + $1.bytes + $1.overflowBytes }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Session {
  /// Shows the statistics of the store: as JSON if a mode of JSON was chosen, also into a pipe.
  func showStatistics() throws {
    let statistics = try store.statistics()
    let isJSON = explicitMode && (style.mode == .json || style.mode == .jsonl)
    try print(isJSON ? StatisticsJSON.text(statistics) : StatisticsText.text(statistics))
  }
}
