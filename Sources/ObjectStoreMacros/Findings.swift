import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The errors found in a use of a macro. One of the two expansions of `@Model` reports them; the other only checks
/// whether there are any.
final class Findings {
  private(set) var diagnostics: [Diagnostic] = []

  /// Notes an error at `node`.
  func error(_ name: String, _ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
    diagnostics.append(
      Diagnostic(node: Syntax(node), message: MacroMessage(name: name, message: message), fixIts: fixes))
  }

  /// Notes a warning at `node`.
  func warning(_ name: String, _ message: String, at node: some SyntaxProtocol) {
    let message = MacroMessage(name: name, message: message, severity: .warning)
    diagnostics.append(Diagnostic(node: Syntax(node), message: message))
  }

  /// Reports all of them.
  func diagnose(_ context: some MacroExpansionContext) {
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
  }
}
