public import Diagnostics

/// Reads the statements of the command, and cuts a script into them. It executes nothing and knows no schema.
public enum StatementParser {
  /// The statement that `text` says; one `;` may end it.
  ///
  /// - Parameter defaultEntity: the entity that a bare predicate is about (`.use Quake`).
  /// - Throws: everything wrong with the text, each with its range.
  public static func statement(
    _ text: String, defaultEntity: String? = nil
  ) throws(DiagnosticError) -> StatementSyntax {
    throw DiagnosticError(source: text, Diagnostic(code: "unsupported", message: "the parser is not there yet"))
  }

  /// The statements and dot commands of a script in order; comments and blank space between them are left out.
  public static func split(_ script: String) -> [ScriptPiece] { [] }
}
