/// Something to tell a person about a text they wrote: data, made into words by `DiagnosticRenderer` alone.
///
/// A diagnostic does not know which grammar it comes from, nor how it will be shown.
public struct Diagnostic: Error, Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable {
    /// The text cannot be used.
    case error
    /// It can, but probably does not do what was meant.
    case warning
  }

  /// The kind of problem; its name, such as `unknown-property`, is stable.
  public var code: DiagnosticCode
  /// How much it matters.
  public var severity: Severity
  /// One sentence without a final stop, property and type names in single quotes.
  public var message: String
  /// Where in the source; nil when it concerns no particular place.
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

/// An edit that mends what a diagnostic complains of; applying it to the source is mechanical.
public struct Fix: Hashable, Sendable {
  /// What the edit does, as an instruction: `write '== nil'`.
  public var message: String
  /// The part of the source to replace.
  public var range: SourceRange
  /// What to put there.
  public var replacement: String

  /// An edit of one place.
  public init(message: String, range: SourceRange, replacement: String) {
    self.message = message
    self.range = range
    self.replacement = replacement
  }
}
