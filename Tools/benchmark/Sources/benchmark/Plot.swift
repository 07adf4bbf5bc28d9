import Foundation

/// Times against numbers of objects, both by powers of ten, as a picture.
struct Plot {
  /// What is measured at several numbers of objects.
  struct Series {
    var name: String
    /// Whether it has to grow with the objects, rather than with their logarithm.
    var isScan: Bool
    /// Objects and microseconds.
    var points: [(objects: Double, time: Double)] = []

    /// By what power of the number of objects the time grows: 1 is in proportion, 0 not at all.
    var exponent: Double {
      let (x, y) = (points.map { log($0.objects) }, points.map { log($0.time) })
      guard x.count > 1 else { return 0 }
      let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
      let covariance = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
      return covariance / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    }
  }

  var title: String
  var series: [Series]

  private let width = 960.0
  private let height = 560.0
  private let left = 70.0
  private let right = 350.0
  private let top = 50.0
  private let bottom = 50.0
  private let colors = [
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf",
  ]

  // MARK: Scales

  private var decadesX: ClosedRange<Int> { Self.decades(series.flatMap { $0.points.map(\.objects) }) }
  private var decadesY: ClosedRange<Int> { Self.decades(series.flatMap { $0.points.map(\.time) }) }

  private static func decades(_ values: [Double]) -> ClosedRange<Int> {
    let logarithms = values.filter { $0 > 0 }.map { log10($0) }
    let least = Int((logarithms.min() ?? 0).rounded(.down))
    return least...max(least + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  private func x(_ objects: Double) -> Double {
    let share = (log10(objects) - Double(decadesX.lowerBound)) / Double(decadesX.count - 1)
    return left + share * (width - left - right)
  }

  private func y(_ time: Double) -> Double {
    let share = (log10(time) - Double(decadesY.lowerBound)) / Double(decadesY.count - 1)
    return height - bottom - share * (height - top - bottom)
  }

  // MARK: Drawing

  /// The picture.
  var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" font-family=\"sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      text(title, left, 28, size: 17),
    ]
    for decade in decadesX {
      let place = x(pow(10, Double(decade)))
      lines.append(line(place, top, place, height - bottom, "#ddd"))
      lines.append(text("10\(Self.superscript(decade))", place, height - bottom + 20, anchor: "middle"))
    }
    for decade in decadesY {
      let place = y(pow(10, Double(decade)))
      lines.append(line(left, place, width - right, place, "#ddd"))
      lines.append(text(Self.time(decade), left - 8, place + 4, anchor: "end"))
    }
    lines.append(text("objects", (left + width - right) / 2, height - 10, anchor: "middle"))
    for (index, one) in series.enumerated() { lines += draw(one, colors[index % colors.count], at: index) }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func draw(_ series: Series, _ color: String, at index: Int) -> [String] {
    let places = series.points.map { "\(Self.short(x($0.objects))),\(Self.short(y($0.time)))" }
    let dashes = series.isScan ? "" : " stroke-dasharray=\"6 4\""
    var lines = [
      "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"\(dashes) points=\"\(places.joined(separator: " "))\"/>"
    ]
    for point in series.points {
      lines.append(
        "<circle cx=\"\(Self.short(x(point.objects)))\" cy=\"\(Self.short(y(point.time)))\" r=\"3\" fill=\"\(color)\"/>"
      )
    }
    let (place, row) = (width - right + 20, top + 12 + Double(index) * 24)
    lines.append("<g\(dashes)>" + line(place, row - 4, place + 24, row - 4, color, width: 2) + "</g>")
    lines.append(text("\(series.name): n^\(String(format: "%.2f", series.exponent))", place + 32, row))
    return lines
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, width: Int = 1
  ) -> String {
    let places = zip(["x1", "y1", "x2", "y2"], [x1, y1, x2, y2]).map { "\($0)=\"\(Self.short($1))\"" }
    return "<line \(places.joined(separator: " ")) stroke=\"\(color)\" stroke-width=\"\(width)\"/>"
  }

  private func text(_ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Int = 13) -> String {
    let safe = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return
      "<text x=\"\(Self.short(x))\" y=\"\(Self.short(y))\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">\(safe)</text>"
  }

  private static func short(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func superscript(_ number: Int) -> String {
    let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
    return String("\(number)".map { $0.wholeNumberValue.map { digits[$0] } ?? "⁻" })
  }

  /// A power of ten of microseconds.
  private static func time(_ decade: Int) -> String {
    switch decade {
    case ..<0: "\(Int(pow(10, Double(decade + 3)))) ns"
    case 0..<3: "\(Int(pow(10, Double(decade)))) µs"
    case 3..<6: "\(Int(pow(10, Double(decade - 3)))) ms"
    default: "\(Int(pow(10, Double(decade - 6)))) s"
    }
  }

  /// The figures as a Markdown table.
  var table: String {
    let sizes = series.first?.points.map { Int($0.objects) } ?? []
    let head = ["time in µs at"] + sizes.map { "\($0)" } + ["grows as"]
    var lines = [
      "| " + head.joined(separator: " | ") + " |", "| --- |" + String(repeating: " ---: |", count: sizes.count + 1),
    ]
    for one in series {
      let cells = [one.name] + one.points.map { "\(Figure($0.time))" } + [String(format: "n^%.2f", one.exponent)]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
