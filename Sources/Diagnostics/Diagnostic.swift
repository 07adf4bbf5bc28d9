/// A message for the author of a text, as data that only `DiagnosticRenderer` formats.
///
/// A diagnostic knows neither the grammar it comes from nor how it will be shown.
public struct Diagnostic: Error, Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The text cannot be used.
    case error
    /// The text is valid, but probably does not do what was intended.
    case warning
  }

  /// The kind of problem; its name, such as `unknown-property`, is stable.
  public var code: DiagnosticCode
  /// The severity.
  public var severity: Severity
  /// One sentence without a full stop, with property and type names in single quotes.
  public var message: String
  /// The range in the source; nil when it concerns no particular place.
  public var range: SourceRange?
  /// Further sentences, shown as `note: …`.
  public var notes: [String]
  /// Edits that mend it, the best first.
  public var fixes: [Fix]

  /// A diagnostic of the given code and message.
  public init(
    code: DiagnosticCode, severity: Severity = .error, message: String, range: SourceRange? = nil, notes: [String] = [],
    fixes: [Fix] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.notes = notes
    self.fixes = fixes
  }
}

/// An edit that corrects the problem of a diagnostic; it can be applied automatically.
public struct Fix: Hashable, Sendable {
  /// The edit, as an instruction: `write '== nil'`.
  public var message: String
  /// The part of the source to replace.
  public var range: SourceRange
  /// The replacement text.
  public var replacement: String

  /// An edit of one place.
  public init(message: String, range: SourceRange, replacement: String) {
    self.message = message
    self.range = range
    self.replacement = replacement
  }
}
