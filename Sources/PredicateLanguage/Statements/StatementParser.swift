public import Diagnostics

/// Reads the statements of the command, and cuts a script into them. It executes nothing and knows no schema.
public enum StatementParser {
  /// The statement that `text` says; one `;` may end it.
  ///
  /// - Parameter defaultEntity: the entity that a bare predicate is about (`.use Quake`). With one, a statement that
  ///   starts with a small letter, or not with a name, is a predicate; its entity in the tree is nil.
  /// - Throws: everything wrong with the text, each with its range.
  public static func statement(
    _ text: String, defaultEntity: String? = nil
  ) throws(DiagnosticError) -> StatementSyntax {
    do {
      return try whole(text, defaultEntity: defaultEntity)
    } catch {
      throw MissingSemicolon.error(in: text, defaultEntity: defaultEntity) ?? error
    }
  }

  /// The same, of a text that is taken for one statement whatever is wrong with it.
  static func whole(_ text: String, defaultEntity: String?) throws(DiagnosticError) -> StatementSyntax {
    try Parser.run(text, isStatement: true) { (parser: inout Parser) throws(ParseFailure) -> StatementSyntax in
      parser.hasDefaultEntity = defaultEntity != nil
      return try parser.wholeStatement()
    }
  }

  /// The statement of one word that is probably meant by `text`, which is nothing but a name; nil where none is near.
  package static func loneStatement(near text: String) -> String? {
    Suggestion.nearest(to: text, among: [Keyword.begin, .commit, .rollback].map(\.rawValue))
  }

  /// The statements and dot commands of a script in order; comments and blank space between them are left out.
  public static func split(_ script: String) -> [ScriptPiece] {
    var script = script
    return script.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return [] }
      var splitter = ScriptSplitter(base, count: utf8.count)
      return splitter.pieces()
    }
  }
}
