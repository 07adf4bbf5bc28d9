/// Times in nanoseconds by the monotonic clock: the median of `repetitions` after one warm-up.
func median(_ repetitions: Int, _ body: () throws -> Void) rethrows -> Double {
  try body()
  let clock = ContinuousClock()
  var times: [Double] = []
  for _ in 0..<max(1, repetitions) {
    let duration = try clock.measure { try body() }
    times.append(
      Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9)
  }
  times.sort()
  return times[times.count / 2]
}

/// One line of the result: what was done, and how long each side took.
struct Row: Codable {
  /// What was done.
  var row: String
  /// `ms`, `us`, `ns` (less is better), `objects/s`, `bytes`.
  var unit: String
  var ours: Double
  var sqlite: Double?
  /// A plain loop over arrays in memory that gives the same answer: as fast as this machine can.
  var limit: Double?
  var goal: Double?
}

/// The result as a Markdown table, ratios included.
func table(_ rows: [Row]) -> String {
  func number(_ value: Double?) -> String {
    guard let value else { return "" }
    if value >= 1000 { return String(Int(value.rounded())) }
    let digits = value >= 100 ? 1.0 : value >= 1 ? 100.0 : 10000.0
    return String((value * digits).rounded() / digits)
  }
  func ratio(_ above: Double?, _ below: Double) -> String {
    guard let above, below > 0 else { return "" }
    return number(above / below) + "×"
  }
  var lines = [
    "| work | unit | ours | SQLite | SQLite ÷ ours | limit | ours ÷ limit | goal |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  ]
  for row in rows {
    let rate = row.unit == "objects/s"
    let against = rate ? row.sqlite.map { ratio(row.ours, $0) } ?? "" : ratio(row.sqlite, row.ours)
    let physical = row.limit.map { ratio(row.ours, $0) } ?? ""
    lines.append(
      "| \(row.row) | \(row.unit) | \(number(row.ours)) | \(number(row.sqlite)) | \(against) "
        + "| \(number(row.limit)) | \(physical) | \(number(row.goal)) |")
  }
  return lines.joined(separator: "\n")
}
