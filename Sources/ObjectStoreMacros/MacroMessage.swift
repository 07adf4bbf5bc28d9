import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The message for an invalid use of a macro: a sentence with a stable identifier.
struct MacroMessage: DiagnosticMessage {
  let name: String
  let message: String
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "ObjectStore", id: name) }
}

/// The words of a fix.
struct MacroFix: FixItMessage {
  let name: String
  let message: String

  var fixItID: MessageID { MessageID(domain: "ObjectStore", id: name) }
}

extension MacroExpansionContext {
  /// Reports an error at `node`.
  func error(_ name: String, _ message: String, at node: some SyntaxProtocol, fixes: [FixIt] = []) {
    diagnose(Diagnostic(node: Syntax(node), message: MacroMessage(name: name, message: message), fixIts: fixes))
  }
}
