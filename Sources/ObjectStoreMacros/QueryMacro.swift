import Diagnostics
import PredicateLanguage
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#query<Quake>("…")` parses the text like the store, and reports errors at their place in the source.
struct QueryMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    let object = node.genericArgumentClause?.trimmedDescription ?? ""
    // The program may have a type of that name.
    let none: ExprSyntax = "ObjectStore.Query\(raw: object).none"
    guard let first = node.arguments.first?.expression else { return none }
    guard let literal = first.as(StringLiteralExprSyntax.self), let text = literal.representedLiteralValue else {
      context.error(
        "query-not-literal",
        "'#query' reads its text while the program is compiled, so it is one literal without interpolations; values are "
          + "arguments: '#query(\"magnitude > %@\", minimum)'", at: first)
      return none
    }
    let arguments = node.arguments.dropFirst().map { $0.expression.trimmedDescription }
    do {
      let predicate = try PredicateParser.predicate(text)
      if let complaint = complaint(about: arguments.count, in: predicate) {
        if let quoted = quotedPlaceholder(in: predicate), arguments.count > 0 {
          report(quoted, of: text, literal, context)
          return none
        }
        context.error("query-arguments", complaint, at: first)
        return none
      }
    } catch {
      for diagnostic in error.diagnostics { report(diagnostic, of: error.source, literal, context) }
      return none
    }
    return "ObjectStore.Query\(raw: object)(checked: \(literal.trimmed), [\(raw: arguments.joined(separator: ", "))])"
  }

  /// The error for a wrong number of arguments; nil when it is right.
  private static func complaint(about given: Int, in predicate: PredicateSyntax) -> String? {
    var wanted = 0
    for reference in predicate.placeholders() {
      switch reference.placeholder {
      case .sequential(let number, _), .positional(let number): wanted = max(wanted, number + 1)
      case .named: break
      }
    }
    if wanted == given { return nil }
    return "the text takes \(wanted) argument\(wanted == 1 ? "" : "s"), and \(given) \(given == 1 ? "is" : "are") given"
  }

  /// The error for a placeholder in quotes, which takes no argument; nil when there is none.
  private static func quotedPlaceholder(in predicate: PredicateSyntax) -> Diagnostics.Diagnostic? {
    var found: Diagnostics.Diagnostic?
    predicate.walk { node in
      if case .expression(let expression) = node, let text = expression.quotedPlaceholder, found == nil {
        found = Diagnostics.Diagnostic(
          code: .extraArgument, message: "'\(text)' in quotes is plain text and takes no argument",
          range: expression.range,
          fixes: [Fix(message: "write \(text) without quotes", range: expression.range, replacement: text)])
      }
      return found == nil
    }
    return found
  }

  private static func report(
    _ diagnostic: Diagnostics.Diagnostic, of text: String, _ literal: StringLiteralExprSyntax,
    _ context: some MacroExpansionContext
  ) {
    // The compiler writes 'error:' itself.
    let picture = DiagnosticRenderer().text(diagnostic, source: text)
    let lines = picture.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let message = MacroMessage(
      name: diagnostic.code.name, message: ([Substring(diagnostic.message)] + lines.dropFirst()).joined(separator: "\n")
    )
    // The compiler places a macro's diagnostics at whole nodes; the excerpt shows the place in the text.
    context.diagnose(
      SwiftDiagnostics.Diagnostic(
        node: line(at: diagnostic.range?.lowerBound ?? 0, of: text, literal), message: message,
        fixIts: fixes(diagnostic, of: text, literal)))
  }

  /// The line of a literal of several lines that has a position of its text; else the literal.
  private static func line(at position: Int, of text: String, _ literal: StringLiteralExprSyntax) -> Syntax {
    let line = text.utf8.prefix(max(0, position)).count { $0 == UInt8(ascii: "\n") }
    // Each line is a segment, but where the source has a line break that the text has not, or the other way round.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    guard lines > 1, lines == literal.segments.count else { return Syntax(literal) }
    return Syntax(literal.segments[literal.segments.index(literal.segments.startIndex, offsetBy: line)])
  }

  /// The fixes, each replacing the whole literal.
  private static func fixes(
    _ diagnostic: Diagnostics.Diagnostic, of text: String, _ literal: StringLiteralExprSyntax
  ) -> [FixIt] {
    diagnostic.fixes.compactMap { fix in
      let bytes = Array(text.utf8)
      guard fix.range.lowerBound >= 0, fix.range.upperBound <= bytes.count,
        fix.range.lowerBound <= fix.range.upperBound
      else { return nil }
      let mended = String(
        decoding: bytes[..<fix.range.lowerBound] + Array(fix.replacement.utf8) + bytes[fix.range.upperBound...],
        as: UTF8.self)
      return FixIt(
        message: MacroFix(name: diagnostic.code.name, message: fix.message),
        changes: [.replace(oldNode: Syntax(literal), newNode: Syntax(StringLiteralExprSyntax(content: mended)))])
    }
  }
}
