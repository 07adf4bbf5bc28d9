public import Diagnostics

/// Parses the statements of the command, and splits scripts. It executes nothing and does not depend on a schema.
public enum StatementParser {
  /// Parses a statement, which may end in `;`.
  ///
  /// - Parameters:
  ///   - text: One statement.
  ///   - defaultEntity: The entity of a bare predicate (`.use Quake`). With a default entity, a text that
  ///     starts with a small letter, or not with a name, is a predicate; its entity in the tree is nil.
  ///   - example: The names in the examples of messages; nil for those of the documentation.
  /// - Throws: A `DiagnosticError` with all errors in the text and their ranges.
  public static func statement(
    _ text: String, defaultEntity: String? = nil, example: StatementExample? = nil
  ) throws(DiagnosticError) -> StatementSyntax {
    try statement(text, defaultEntity: defaultEntity, example: example, interruption: nil)
  }

  /// Parses a statement. If it is interrupted, it throws an error without diagnostics.
  package static func statement(
    _ text: String, defaultEntity: String? = nil, example: StatementExample? = nil, interruption: ParseInterruption?
  ) throws(DiagnosticError) -> StatementSyntax {
    do {
      return try whole(text, defaultEntity: defaultEntity, example: example, interruption)
    } catch {
      if let interruption, interruption.isInterrupted { throw error }
      let better = MissingSemicolon.error(in: text, defaultEntity: defaultEntity, interruption)
      if let interruption, interruption.isInterrupted { throw DiagnosticError(source: "", diagnostics: []) }
      throw better ?? error
    }
  }

  /// Parses a text as a single statement, without looking for a missing semicolon.
  static func whole(
    _ text: String, defaultEntity: String?, example: StatementExample? = nil, _ interruption: ParseInterruption? = nil
  ) throws(DiagnosticError) -> StatementSyntax {
    try Parser.run(text, isStatement: true, interruption) {
      (parser: inout Parser) throws(ParseFailure) -> StatementSyntax in
      parser.hasDefaultEntity = defaultEntity != nil
      parser.storeExample = example
      return try parser.wholeStatement()
    }
  }

  /// The single-word statement that was probably meant by a name; nil if none is similar.
  package static func loneStatement(near text: String) -> String? {
    Suggestion.nearest(to: text, among: [Keyword.begin, .commit, .rollback].map(\.rawValue))
  }

  /// The statements and dot commands of a script in order, without the comments and white space between them.
  public static func split(_ script: String) -> [ScriptPiece] {
    var script = script
    return script.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return [] }
      var splitter = ScriptSplitter(base, count: utf8.count)
      return splitter.pieces()
    }
  }
}
