import Glibc
import ObjectStoreCore
internal import Values

/// Draws rows as a chart of text: a bar for each row with a label and a number, as GROUP BY makes them; a histogram of a
/// single column of numbers or dates; the most frequent of other values. With too many rows for bars, numbers are one
/// sparkline. It holds all rows until the end.
final class ChartWriter: ResultWriter {
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private var rows: [[Value]] = []

  /// With more rows than this, a sparkline is drawn.
  private static let mostBars = 100
  /// The bars of a histogram, and of frequent values.
  private static let bins = 20

  init(_ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.shape = shape
    self.style = style
    self.sink = sink
  }

  func begin() {}

  func row(_ values: [Value]) {
    rows.append(shape.leaves.map { values.indices.contains($0.place) ? values[$0.place] : .null })
  }

  func end() throws {
    guard !rows.isEmpty, !shape.leaves.isEmpty else { return try sink.write("no rows, nothing to draw\n") }
    // The number is in the last column of numbers; what stands before it is the label.
    guard let number = shape.leaves.lastIndex(where: \.isNumeric), shape.leaves.count > 1 else {
      return try drawValues(rows.map { $0[0] })
    }
    let heading = shape.leaves[number].heading
    let numbers = rows.map { Self.number($0[number]) }
    let labels = rows.map { row in
      row.indices.filter { $0 != number && (number == 0 || $0 < number) }
        .map { Screen.harmless(ValueText.plain(row[$0], null: style.nullText ?? "nil")) }.joined(separator: ", ")
    }
    if rows.count > Self.mostBars { return try drawSparkline(labels, numbers, heading) }
    try drawBars(zip(labels, numbers).map { ($0, $1) })
  }

  // MARK: Bars

  /// A line for each number: its label, the bar and the number.
  private func drawBars(_ bars: [(label: String, number: Double?)]) throws {
    let texts = bars.map { $0.number.map(Self.text) ?? style.nullText ?? "nil" }
    let most = bars.compactMap { $0.number?.magnitude }.filter(\.isFinite).max() ?? 0
    let width = style.width ?? style.screenWidth ?? 80
    let numberWidth = texts.map(\.count).max() ?? 0
    let labelWidth = min(bars.map { Screen.width($0.label) }.max() ?? 0, max(10, width / 2))
    let room = max(8, width - labelWidth - numberWidth - 3)
    for (bar, text) in zip(bars, texts) {
      let label = Screen.width(bar.label) > labelWidth ? Screen.clipped(bar.label, to: labelWidth) : bar.label
      let magnitude = bar.number?.magnitude ?? 0
      let share = magnitude.isInfinite ? 1 : most > 0 ? magnitude / most : 0
      let isNegative = (bar.number ?? 0) < 0
      let pad = String(repeating: " ", count: numberWidth - text.count)
      let drawn = Self.bar(share, room, isNegative: isNegative)
      try sink.write("\(label.padded(to: labelWidth))  \(pad)\(text)\(drawn.isEmpty ? "" : " \(drawn)")\n")
    }
  }

  /// A bar in eighths of a character; negative numbers have a lighter one.
  private static func bar(_ share: Double, _ room: Int, isNegative: Bool) -> String {
    let eighths = Int((share * Double(room) * 8).rounded())
    if isNegative { return String(repeating: "░", count: max(1, eighths / 8)) }
    return String(repeating: "█", count: eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
  }

  // MARK: Sparkline

  /// All numbers in one line as wide as the screen: of several that share a place, the mean.
  private func drawSparkline(_ labels: [String], _ numbers: [Double?], _ heading: String) throws {
    let width = max(10, min((style.width ?? style.screenWidth ?? 80) - 1, numbers.count))
    let places = (0..<width).map { place -> Double? in
      let first = place * numbers.count / width
      let part = numbers[first..<max(first + 1, (place + 1) * numbers.count / width)].compactMap(\.self)
      return part.isEmpty ? nil : part.reduce(0) { $0 + $1 / Double(part.count) }
    }
    let known = numbers.compactMap(\.self)
    guard let least = known.min(), let most = known.max() else {
      return try sink.write("no numbers, nothing to draw\n")
    }
    let finite = known.filter(\.isFinite)
    let (low, high) = (min(0, finite.min() ?? 0), finite.max() ?? 0)
    // Halves, whose difference is finite.
    let span = high / 2 - low / 2
    let line = places.map { place -> String in
      guard let place, !place.isNaN else { return " " }
      let share = place.isInfinite ? (place > 0 ? 1 : 0) : span > 0 ? min(1, (place / 2 - low / 2) / span) : 1
      return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][min(7, max(0, Int(share * 8)))]
    }.joined()
    let ends = "\(labels.first ?? "") … \(labels.last ?? "")"
    try sink.write("\(line)\n\(ends)   \(heading) \(Self.text(least)) … \(Self.text(most))\n")
  }

  // MARK: Histograms

  /// The distribution of a single column.
  private func drawValues(_ values: [Value]) throws {
    let there = values.filter { !$0.isNull }
    let numbers = there.compactMap(Self.number).filter(\.isFinite)
    guard !numbers.isEmpty, numbers.count == there.compactMap(Self.number).count, numbers.count == there.count,
      let least = numbers.min(), let most = numbers.max()
    else { return try drawFrequent(values) }
    let isDate = if case .date? = there.first { true } else { false }
    func label(_ number: Double) -> String {
      isDate ? ISO8601.text(Instant(seconds: number.rounded())) : Self.text(number)
    }
    let bins = least == most ? 1 : Self.bins
    let step = most / Double(bins) - least / Double(bins)
    var counts = [Int](repeating: 0, count: bins)
    for number in numbers {
      // Halves, whose difference is finite.
      let share = step > 0 ? (number / 2 - least / 2) / (step / 2) : 0
      counts[share.isFinite ? min(bins - 1, max(0, Int(min(share, Double(bins))))) : 0] += 1
    }
    var bars: [(label: String, number: Double?)] = counts.indices.map { place in
      let part = Double(place) / Double(bins)
      return (label(least * (1 - part) + most * part), Double(counts[place]))
    }
    if there.count < values.count { bars.append((style.nullText ?? "nil", Double(values.count - there.count))) }
    try drawBars(bars)
  }

  /// The most frequent values of a column that is none of numbers or dates.
  private func drawFrequent(_ values: [Value]) throws {
    var counts: [String: Int] = [:]
    for value in values {
      counts[Screen.harmless(ValueText.plain(value, null: style.nullText ?? "nil")), default: 0] += 1
    }
    let sorted = counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    var bars: [(label: String, number: Double?)] = sorted.prefix(Self.bins).map { ($0.key, Double($0.value)) }
    let rest = sorted.dropFirst(Self.bins)
    if !rest.isEmpty {
      bars.append(("\(grouped(rest.count)) others", Double(rest.reduce(0) { $0 + $1.value })))
    }
    try drawBars(bars)
  }

  // MARK: Numbers

  /// A number, or the seconds of a date.
  private static func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): number.isNaN ? nil : Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .decimal(let number): number.isNaN ? nil : number.double
    case .date(let instant): instant.seconds.isNaN ? nil : instant.seconds
    case .null, .bool, .string, .uuid, .data, .list, .embedded, .object: nil
    }
  }

  /// A number with as many digits as a chart needs.
  private static func text(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return NumberText.text(number) }
    if number == number.rounded() { return grouped(Int(number)) }
    let scale = number.magnitude >= 100 ? 10.0 : 1_000
    return NumberText.text((number * scale).rounded() / scale)
  }
}
