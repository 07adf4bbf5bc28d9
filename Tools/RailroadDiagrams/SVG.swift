import GrammarNotation

/// Draws diagrams as SVG: text that can be selected, colours that follow a light or dark page.
struct SVG {
  private var output = ""

  /// The picture of a rule.
  static func picture(of rule: Rule, style: String) -> String {
    var svg = SVG()
    let diagram = Diagram(rule.pattern)
    let width = Int((diagram.width + 64).rounded(.up))
    let height = Int((diagram.up + diagram.down + 8).rounded(.up))
    let y = diagram.up + 4
    svg.path("M 6 \(y - 7) v 14 M 11 \(y - 7) v 14 M 6 \(y) H 32")
    svg.draw(diagram, 32, y)
    svg.path("M \(32 + diagram.width) \(y) H \(58 + diagram.width) m -5 -7 v 14 m 5 -14 v 14")
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\">"
    return "\(head)\n<title>\(escaped(rule.name))</title>\n\(style)\(svg.output)</svg>\n"
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  private mutating func path(_ data: String) { output += "<path d=\"\(data)\"/>\n" }

  private mutating func draw(_ diagram: Diagram, _ x: Double, _ y: Double) {
    switch diagram {
    case .terminal, .rule, .note: box(diagram, x, y)
    case .sequence(let parts):
      var x = x
      if parts.isEmpty { path("M \(x) \(y) h \(diagram.width)") }
      for (number, part) in parts.enumerated() {
        if number > 0 {
          path("M \(x) \(y) h \(Diagram.gap)")
          x += Diagram.gap
        }
        draw(part, x, y)
        x += part.width
      }
    case .choice(let parts): choice(parts, diagram, x, y)
    case .loop(let part): loop(part, diagram, x, y)
    case .chain(let part, let separator): chain(part, separator, diagram, x, y)
    }
  }

  private mutating func box(_ diagram: Diagram, _ x: Double, _ y: Double) {
    let (kind, radius): (String, Double)
    switch diagram {
    case .terminal: (kind, radius) = ("terminal", Diagram.half)
    case .rule: (kind, radius) = ("rule", 3)
    default: (kind, radius) = ("note", 3)
    }
    let top = y - Diagram.half
    var text =
      "<rect class=\"\(kind)\" x=\"\(x)\" y=\"\(top)\" width=\"\(diagram.width)\" height=\"\(2 * Diagram.half)\" rx=\"\(radius)\"/>"
    text +=
      "<text class=\"\(kind)\" x=\"\(x + diagram.width / 2)\" y=\"\(y + 4.5)\">\(Self.escaped(diagram.label))</text>"
    output += text + "\n"
  }

  /// The first alternative on the track, the others below it, joined by curves.
  private mutating func choice(_ parts: [Diagram], _ whole: Diagram, _ x: Double, _ y: Double) {
    let r = Diagram.track
    let inner = whole.width - 4 * r
    var below = y
    for (number, part) in parts.enumerated() {
      if number == 0 {
        path("M \(x) \(y) h \(2 * r)")
        draw(part, x + 2 * r, y)
        path("M \(x + 2 * r + part.width) \(y) H \(x + whole.width)")
        below = y + part.down
        continue
      }
      below += Diagram.gap + part.up
      path("M \(x) \(y) a \(r) \(r) 0 0 1 \(r) \(r) V \(below - r) a \(r) \(r) 0 0 0 \(r) \(r)")
      draw(part, x + 2 * r, below)
      path(
        "M \(x + 2 * r + part.width) \(below) H \(x + 2 * r + inner) a \(r) \(r) 0 0 0 \(r) \(-r) V \(y + r) a \(r) \(r) 0 0 1 \(r) \(-r)"
      )
      below += part.down
    }
  }

  /// The track goes straight on; the content hangs below it, on the way back to the start.
  private mutating func loop(_ part: Diagram, _ whole: Diagram, _ x: Double, _ y: Double) {
    path("M \(x) \(y) h \(whole.width)")
    wayBack(part, whole, x, y, y + Diagram.gap + part.up + 2)
  }

  /// The content on the track, the separator on the way back to its start.
  private mutating func chain(_ part: Diagram, _ separator: Diagram, _ whole: Diagram, _ x: Double, _ y: Double) {
    let start = x + (whole.width - part.width) / 2
    path("M \(x) \(y) H \(start) M \(start + part.width) \(y) H \(x + whole.width)")
    draw(part, start, y)
    wayBack(separator, whole, x, y, y + part.down + Diagram.gap + separator.up)
  }

  private mutating func wayBack(_ part: Diagram, _ whole: Diagram, _ x: Double, _ y: Double, _ below: Double) {
    let turn = min(Diagram.track, (below - y) / 2)
    let (left, right) = (x + Diagram.track - turn / 2, x + whole.width - Diagram.track + turn / 2)
    let start = x + (whole.width - part.width) / 2
    path(
      "M \(start) \(below) H \(left + turn) a \(turn) \(turn) 0 0 1 \(-turn) \(-turn) V \(y + turn) a \(turn) \(turn) 0 0 1 \(turn) \(-turn)"
    )
    draw(part, start, below)
    path(
      "M \(start + part.width) \(below) H \(right - turn) a \(turn) \(turn) 0 0 0 \(turn) \(-turn) V \(y + turn) a \(turn) \(turn) 0 0 0 \(-turn) \(-turn)"
    )
    // An arrow says which way.
    path("M \(start - 3) \(below - 4) l -5 4 l 5 4")
  }
}
