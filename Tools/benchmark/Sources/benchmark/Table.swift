import Foundation

/// The rows as a Markdown table, with ratios and what they come to.
struct Table {
  var rows: [Row]

  /// The table.
  var text: String {
    // What was not asked at all takes no room.
    let hasRealm = rows.contains { $0.realm != nil }
    var lines = [
      "| work | unit | ours | SQLite | SQLite ÷ ours |\(hasRealm ? " realm-core | realm-core ÷ ours |" : "")"
        + " limit | ours ÷ limit | ours ÷ neighbour | goal | |",
      "| --- | --- | ---: | ---: | ---: |\(hasRealm ? " ---: | ---: |" : "") ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows {
      let realm = hasRealm ? [figure(row.realm), times(row.realmRatio)] : []
      let names = [row.row.replacing("|", with: "\\|"), row.unit]
      let cells =
        names + ["\(Figure(row.ours))", figure(row.sqlite), times(row.ratio)] + realm + [
          figure(row.limit), times(row.overLimit), times(row.overNeighbour), figure(row.goal),
          row.reachesGoal.map { $0 ? "reached" : "not reached" } ?? "",
        ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  /// What the ratios come to, a sentence a line.
  var summary: String {
    var lines: [String] = []
    let compared = rows.filter { $0.isQuery && $0.ratio != nil }
    for (name, ratios) in [
      ("SQLite", compared.compactMap(\.ratio)), ("realm-core", rows.filter(\.isQuery).compactMap(\.realmRatio)),
    ] where !ratios.isEmpty {
      let mean = exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
      lines.append("Geometric mean over \(ratios.count) queries: \(Figure(mean)) times \(name)'s speed.")
    }
    if let worst = compared.min(by: { ($0.ratio ?? 0) < ($1.ratio ?? 0) }), let ratio = worst.ratio {
      lines.append("Slowest against SQLite: \(worst.row), \(Figure(ratio)) times its speed.")
    }
    let slower = rows.filter { ($0.ratio ?? 1) < 1 }
    lines.append(Self.listing(slower, "Slower than SQLite", none: "No row is slower than SQLite.") { $0.ratio })
    if rows.contains(where: { $0.realm != nil }) {
      let slower = rows.filter { ($0.realmRatio ?? 1) < 1 }
      lines.append(
        Self.listing(slower, "Slower than realm-core", none: "No row is slower than realm-core.") { $0.realmRatio })
    }
    let scans = rows.filter { $0.isQuery && $0.limit != nil }
    if !scans.isEmpty {
      let far = scans.filter { ($0.overLimit ?? 0) > 4 }
      lines.append(
        Self.listing(far, "Over four times the limit", none: "No scan takes over four times the limit.") {
          $0.overLimit
        })
    }
    if let worst = scans.max(by: { ($0.overLimit ?? 0) < ($1.overLimit ?? 0) }), let times = worst.overLimit {
      lines.append("Farthest from the limit: \(worst.row), \(Figure(times)) times as long as the loop.")
    }
    let neighbours = rows.filter { $0.overNeighbour != nil }
    if !neighbours.isEmpty {
      let far = neighbours.filter { ($0.overNeighbour ?? 0) > 5 }
      lines.append(
        Self.listing(far, "Over five times its neighbour", none: "No query takes over five times its neighbour.") {
          $0.overNeighbour
        })
    }
    let judged = rows.filter { $0.goal != nil }
    let missed = judged.filter { $0.reachesGoal == false }
    if !judged.isEmpty {
      lines.append("Goals reached: \(judged.count - missed.count) of \(judged.count).")
    }
    return lines.joined(separator: "\n")
  }

  /// The rows of a kind that there should be none of, each with its ratio.
  private static func listing(_ rows: [Row], _ what: String, none: String, _ ratio: (Row) -> Double?) -> String {
    if rows.isEmpty { return none }
    let listed = rows.map { row in "\(row.row) (\(ratio(row).map { "\(Figure($0))×" } ?? ""))" }
    return "\(what): \(listed.joined(separator: "; "))."
  }

  private func figure(_ value: Double?) -> String { value.map { "\(Figure($0))" } ?? "" }
  private func times(_ value: Double?) -> String { value.map { "\(Figure($0))×" } ?? "" }
}

/// A number with three digits that mean something.
struct Figure: CustomStringConvertible {
  private let value: Double

  init(_ value: Double) { self.value = value }

  var description: String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    if abs(value) >= 1000 {
      return value.formatted(.number.precision(.fractionLength(0)).locale(Locale(identifier: "en_US")))
    }
    let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
    return String(format: "%.\(min(digits, 9))f", value)
  }
}
