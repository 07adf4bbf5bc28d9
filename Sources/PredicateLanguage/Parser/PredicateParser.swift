public import Diagnostics

/// Reads predicates: text in, syntax tree or diagnostics out. It knows no schema and fills no placeholders.
public enum PredicateParser {
  /// The predicate that `text` says.
  ///
  /// - Throws: everything wrong with the text, each with its range. Tails such as `SORT(…)` are errors here.
  public static func predicate(_ text: String) throws(DiagnosticError) -> PredicateSyntax {
    throw DiagnosticError(source: text, Diagnostic(code: "unsupported", message: "the parser is not there yet"))
  }

  /// The predicate that `text` says with the tails after it; either may be absent, but not both.
  ///
  /// - Throws: everything wrong with the text, each with its range.
  public static func filter(_ text: String) throws(DiagnosticError) -> FilterSyntax {
    throw DiagnosticError(source: text, Diagnostic(code: "unsupported", message: "the parser is not there yet"))
  }
}
