internal import Values

/// Formats diagnostics, for people and for programs. It knows no grammar and prints nothing itself.
///
/// ```
/// error[unknown-property]: Quake has no property 'magnitud'
///   magnitud > 5 AND place CONTAINS[c] 'chile'
///   ^^^^^^^^
/// note: did you mean 'magnitude'? Quake has code, magnitude, time, place, depth
/// ```
public struct DiagnosticRenderer: Hashable, Sendable {
  /// Whether to colour with ANSI escapes.
  public var color: Bool
  /// Source lines longer than this many columns are cut around the range.
  public var width: Int
  /// Whether ranges in JSON also have `startUTF16` and `endUTF16`, offsets in UTF-16 code units.
  public var countsUTF16 = false

  /// A renderer; without colour unless asked.
  public init(color: Bool = false, width: Int = 100) {
    self.color = color
    self.width = max(width, 20)
  }

  /// All diagnostics of an error, one below the other, without a final line break.
  public func text(_ error: DiagnosticError) -> String {
    let source = SourceText(error.source)
    return error.diagnostics.map { text($0, source, error.sourceName) }.joined(separator: "\n")
  }

  /// One diagnostic about `source`, without a final line break.
  public func text(_ diagnostic: Diagnostic, source: String, sourceName: String? = nil) -> String {
    text(diagnostic, SourceText(source), sourceName)
  }

  private func text(_ diagnostic: Diagnostic, _ source: SourceText, _ sourceName: String?) -> String {
    let hue: Style = diagnostic.severity == .error ? .error : .warning
    var lines = [
      styled("\(diagnostic.severity.rawValue)[\(diagnostic.code.name)]", hue)
        + styled(": \(diagnostic.message)", .message)
    ]
    if let range = diagnostic.range {
      let place = source.position(of: range.lowerBound)
      if let sourceName {
        lines.append(styled("  \(sourceName):\(place.line):\(place.column)", .place))
      } else if source.lineCount > 1 {
        lines.append(styled("  line \(place.line), column \(place.column)", .place))
      }
      let excerpt = SourceExcerpt(source, line: place.line, range: range, width: width)
      if !excerpt.line.isEmpty || range.lowerBound > 0 {
        lines.append("  " + excerpt.line)
        lines.append("  " + excerpt.indent + styled(excerpt.carets, hue))
      }
    }
    lines += diagnostic.notes.map { styled("note", .note) + ": \($0)" }
    lines += diagnostic.fixes.map { styled("fix", .fix) + ": \($0.message)" }
    return lines.joined(separator: "\n")
  }

  // MARK: JSON

  /// All diagnostics of an error, each a JSON object on a line of its own, without a final line break.
  public func json(_ error: DiagnosticError) -> String {
    let source = SourceText(error.source)
    return error.diagnostics.map { json($0, source, error.sourceName) }.joined(separator: "\n")
  }

  /// One diagnostic as a JSON object on one line; `start` and `end` are bytes of UTF-8; lines and columns count
  /// from 1, columns in characters, and `endColumn` is the one after the last.
  public func json(_ diagnostic: Diagnostic, source: String, sourceName: String? = nil) -> String {
    json(diagnostic, SourceText(source), sourceName)
  }

  private func json(_ diagnostic: Diagnostic, _ source: SourceText, _ sourceName: String?) -> String {
    var members = [
      "\"severity\":\(JSONText.quoted(diagnostic.severity.rawValue))",
      "\"code\":\(JSONText.quoted(diagnostic.code.name))",
      "\"message\":\(JSONText.quoted(diagnostic.message))",
    ]
    if let sourceName { members.append("\"source\":\(JSONText.quoted(sourceName))") }
    members.append("\"range\":" + (diagnostic.range.map { json($0, source) } ?? "null"))
    members.append("\"notes\":[\(diagnostic.notes.map(JSONText.quoted).joined(separator: ","))]")
    let fixes = diagnostic.fixes.map {
      "{\"message\":\(JSONText.quoted($0.message)),\"range\":\(json($0.range, source)),"
        + "\"replacement\":\(JSONText.quoted($0.replacement))}"
    }
    members.append("\"fixes\":[\(fixes.joined(separator: ","))]")
    return "{" + members.joined(separator: ",") + "}"
  }

  /// A failure that is not a diagnostic of a text, in the same format: its code is not in the catalogue.
  public func json(failure code: String, message: String, severity: Diagnostic.Severity = .error) -> String {
    "{\"severity\":\(JSONText.quoted(severity.rawValue)),\"code\":\(JSONText.quoted(code)),\"message\":\(JSONText.quoted(message)),"
      + "\"range\":null,\"notes\":[],\"fixes\":[]}"
  }

  private func json(_ range: SourceRange, _ source: SourceText) -> String {
    let start = source.position(of: range.lowerBound)
    let end = source.position(of: range.upperBound)
    let utf16 =
      countsUTF16
      ? "\"startUTF16\":\(source.utf16Offset(of: range.lowerBound)),"
        + "\"endUTF16\":\(source.utf16Offset(of: range.upperBound))," : ""
    return "{\"start\":\(range.lowerBound),\"end\":\(range.upperBound),\(utf16)\"line\":\(start.line),"
      + "\"column\":\(start.column),\"endLine\":\(end.line),\"endColumn\":\(end.column)}"
  }

  // MARK: Colour

  private enum Style: String {
    case error = "1;31"
    case warning = "1;33"
    case message = "1"
    case place = "2"
    case note = "36"
    case fix = "32"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    color ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension DiagnosticError: CustomStringConvertible {
  /// The text of its diagnostics, with source lines and carets.
  public var description: String { DiagnosticRenderer().text(self) }
}
