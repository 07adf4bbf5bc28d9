public import Diagnostics

/// Parses predicates: text to a syntax tree or diagnostics. It does not depend on a schema and fills no placeholders.
public enum PredicateParser {
  /// Parses a predicate.
  ///
  /// - Throws: A `DiagnosticError` with all errors in the text and their ranges. Tails such as `SORT(…)` are errors
  ///   here.
  public static func predicate(_ text: String) throws(DiagnosticError) -> PredicateSyntax {
    let filter = try filter(text)
    guard let predicate = filter.predicate, filter.tails.isEmpty else {
      throw DiagnosticError(
        source: text,
        Diagnostic(
          code: .unexpectedClause,
          message: "only a predicate is wanted, without FILTER, SORT, DISTINCT, LIMIT or OFFSET",
          range: SourceRange(filter.predicate?.range.upperBound ?? 0, text.utf8.count)))
    }
    return predicate
  }

  /// Parses a predicate with the tails after it; either may be absent, but not both.
  ///
  /// - Throws: A `DiagnosticError` with all errors in the text and their ranges.
  public static func filter(_ text: String) throws(DiagnosticError) -> FilterSyntax {
    try filter(text, interruption: nil)
  }

  /// Parses a predicate with the tails after it. If it is interrupted, it throws an error without diagnostics.
  package static func filter(
    _ text: String, interruption: ParseInterruption?
  ) throws(DiagnosticError) -> FilterSyntax {
    try Parser.run(text, isStatement: false, interruption) {
      (parser: inout Parser) throws(ParseFailure) -> FilterSyntax in try parser.filter()
    }
  }

  /// The key of sections: a value, and its options as in `place[cd]`.
  ///
  /// - Throws: everything wrong with the text, each with its range; if it is interrupted, an error without diagnostics.
  package static func sectionKey(
    _ text: String, interruption: ParseInterruption? = nil
  ) throws(DiagnosticError) -> SortKeySyntax {
    try Parser.run(text, isStatement: false, interruption) {
      (parser: inout Parser) throws(ParseFailure) -> SortKeySyntax in
      let key = try parser.keyWithOptions()
      try parser.expectEnd()
      return key
    }
  }
}

extension Parser {
  /// Parses a whole text by one production. Recorded diagnostics are thrown even if the production succeeds, so a
  /// returned tree has no errors, and is that of the whole text: an interruption throws an error without diagnostics.
  @inline(__always)
  static func run<Tree>(
    _ text: String, isStatement: Bool, _ interruption: ParseInterruption? = nil,
    _ production: (inout Parser) throws(ParseFailure) -> Tree
  ) throws(DiagnosticError) -> Tree {
    var text = text
    var diagnostics: [Diagnostic] = []
    let tree = text.withUTF8 { (utf8: UnsafeBufferPointer<UInt8>) -> Tree? in
      guard utf8.count <= SyntaxLimits.textBytes else {
        diagnostics = [
          Diagnostic(
            code: .textTooLong, message: "the text is longer than 1 MiB",
            range: SourceRange(SyntaxLimits.textBytes, SyntaxLimits.textBytes),
            notes: ["pass long values as arguments: 'x IN %@'"])
        ]
        return nil
      }
      var nothing: UInt8 = 0
      return withUnsafePointer(to: &nothing) { empty in
        var parser = Parser(
          utf8.baseAddress ?? empty, count: utf8.count, isStatement: isStatement, interruption: interruption)
        let tree = try? production(&parser)
        diagnostics = parser.diagnostics
        return tree
      }
    }
    if let interruption, interruption.isInterrupted { throw DiagnosticError(source: "", diagnostics: []) }
    if let tree, diagnostics.isEmpty { return tree }
    diagnostics.sort { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
    throw DiagnosticError(source: text, diagnostics: diagnostics)
  }
}
