/// The error of a query's text: all errors in it, each with a stable code, a range, a message and, if possible, a fix.
/// `DiagnosticRenderer` shows it with the text.
public typealias QueryError = DiagnosticError

extension DiagnosticError {
  /// The code of the first diagnostic, such as `unknown-property`.
  public var code: String { diagnostics.first?.code.name ?? "" }
  /// The message of the first diagnostic.
  public var message: String { diagnostics.first?.message ?? "" }
  /// The range of the first diagnostic in `source`.
  public var range: SourceRange? { diagnostics.first?.range }
  /// The best edit that mends the first diagnostic.
  public var fix: Fix? { diagnostics.first?.fixes.first }
}
