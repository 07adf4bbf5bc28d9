/// The error thrown for a text that cannot be used: the text and everything wrong with it.
///
/// There is always at least one diagnostic, and the first is the one to read first.
public struct DiagnosticError: Error, Sendable {
  /// The text the ranges refer to.
  public var source: String
  /// A name for the text, such as a file's; nil for text typed or passed in.
  public var sourceName: String?
  /// What is wrong, in the order of the text.
  public var diagnostics: [Diagnostic]

  /// An error about `source`.
  public init(source: String, sourceName: String? = nil, diagnostics: [Diagnostic]) {
    self.source = source
    self.sourceName = sourceName
    self.diagnostics = diagnostics
  }

  /// An error with a single diagnostic.
  public init(source: String, sourceName: String? = nil, _ diagnostic: Diagnostic) {
    self.init(source: source, sourceName: sourceName, diagnostics: [diagnostic])
  }
}
