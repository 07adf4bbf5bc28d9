import Foundation
import ObjectStoreCore
import Values

@testable import objquery

/// What the command prints of rows, by the plainest code there is: a String for everything, and no buffer.
struct PlainOutput {
  /// The modes whose output is no more than the values.
  static let modes = OutputMode.allCases.filter { ![.geojson, .html, .insert, .chart].contains($0) }

  var style: OutputStyle
  /// The names of the leaves, which are all there is to a row.
  var headings: [String]

  /// The whole output.
  func text(_ rows: [[Value]]) -> String {
    switch style.mode {
    case .csv, .tsv:
      let header = style.headers ? [headings.map { field($0) }] : []
      let lines = header + rows.map { row in row.map { $0.isNull ? style.nullText ?? "" : field(plain($0)) } }
      return lines.map { $0.joined(separator: style.mode == .csv ? "," : "\t") + "\n" }.joined()
    case .json: return rows.isEmpty ? "[]\n" : "[\n" + rows.map(object).joined(separator: ",\n") + "\n]\n"
    case .jsonl: return rows.map { object($0) + "\n" }.joined()
    case .line:
      let widest = headings.map(\.count).max() ?? 0
      return rows.map { row in
        zip(headings, row).map { heading, value in
          String(repeating: " ", count: widest - heading.count) + "\(heading) = \(cell(value))\n"
        }.joined()
      }.joined(separator: "\n")
    case .table, .box, .markdown: return table(rows)
    case .ids: return rows.map { ($0.first.map { $0.isNull ? "" : plain($0) } ?? "") + "\n" }.joined()
    case .count: return "\(rows.count)\n"
    // Pages, statements, places and charts have tests of their own.
    case .none, .geojson, .html, .insert, .chart: return ""
    }
  }

  // MARK: Lines

  private func field(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if style.mode == .tsv {
      if scalars.isEmpty { return "\"\"" }
      return (scalars.first == "\"" ? "\\" : "")
        + scalars.map { scalar -> String in
          switch scalar {
          case "\t": "\\t"
          case "\n": "\\n"
          case "\r": "\\r"
          case "\\": "\\\\"
          default: String(scalar)
          }
        }.joined()
    }
    let isPlain =
      !scalars.isEmpty && scalars.first != " " && scalars.last != " "
      && !scalars.contains { [",", "\"", "\n", "\r"].contains($0) }
    return isPlain ? text : "\"" + scalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  private func object(_ row: [Value]) -> String {
    "{" + zip(headings, row).map { "\(quoted($0)):\(json($1))" }.joined(separator: ",") + "}"
  }

  // MARK: Tables

  private func table(_ rows: [[Value]]) -> String {
    var lines = rows.map { $0.map(cell) }
    lines.insert(headings, at: 0)
    let widths = headings.indices.map { place in lines.map { Screen.width($0[place]) }.max() ?? 0 }
    let bar = style.mode == .box ? "│" : "|"
    let drawn = lines.map { line in
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - Screen.width($0)) }
      return "\(bar) \(cells.joined(separator: " \(bar) ")) \(bar)\n"
    }
    func rule(_ left: String, _ middle: String, _ right: String, _ dash: String) -> String {
      left + widths.map { String(repeating: dash, count: $0 + 2) }.joined(separator: middle) + right + "\n"
    }
    let body = drawn.dropFirst().joined()
    switch style.mode {
    case .box: return rule("┌", "┬", "┐", "─") + drawn[0] + rule("├", "┼", "┤", "─") + body + rule("└", "┴", "┘", "─")
    case .markdown: return drawn[0] + rule("|", "|", "|", "-") + body
    default: return rule("+", "+", "+", "-") + drawn[0] + rule("+", "+", "+", "-") + body + rule("+", "+", "+", "-")
    }
  }

  private func cell(_ value: Value) -> String {
    let null = style.nullText ?? "nil"
    let isLikeNull = value == .string(null)
    let text = Screen.harmless(value.isNull ? null : isLikeNull ? "\"\(null)\"" : plain(value))
    return style.mode == .markdown ? text.replacingOccurrences(of: "|", with: "\\|") : text
  }

  // MARK: Values

  private func plain(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .bool(let truth): "\(truth)"
    case .int(let number): "\(number)"
    case .float(let number): number.isNaN ? "nan" : "\(number)"
    case .double(let number): number.isNaN ? "nan" : "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .date(let instant): ISO8601.text(instant)
    case .uuid(let uuid): hexadecimal(uuid)
    case .data(let bytes): Data(bytes).base64EncodedString()
    case .list, .embedded, .object: json(value)
    }
  }

  private func json(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool, .int: plain(value)
    case .float(let number): number.isFinite ? plain(value) : quoted(plain(value))
    case .double(let number): number.isFinite ? plain(value) : quoted(plain(value))
    case .decimal(let number): number.isNaN ? quoted(plain(value)) : plain(value)
    case .string, .date, .uuid, .data: quoted(plain(value))
    case .list(let elements): "[" + elements.map(json).joined(separator: ",") + "]"
    case .embedded(let fields):
      "{" + fields.map { "\(quoted($0.name)):\(json($0.value))" }.joined(separator: ",") + "}"
    case .object(let object): "{\"@id\":\(object.number.rawValue)}"
    }
  }

  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> String in
      switch scalar.value {
      case 0x22, 0x5C: "\\" + String(scalar)
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x09: "\\t"
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: "\\u" + String(format: "%04x", scalar.value)
      default: String(scalar)
      }
    }
    return "\"" + scalars.joined() + "\""
  }

  private func hexadecimal(_ uuid: UUIDBytes) -> String {
    let digits = [uuid.high, uuid.low].flatMap { half in (0..<16).map { half >> UInt64(60 - 4 * $0) & 15 } }
    let text = digits.map { String($0, radix: 16, uppercase: true) }
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { text[$0].joined() }.joined(separator: "-")
  }
}
