import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute` generates nothing; `@Model` reads it. It only reports an error on other declarations.
struct AttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !declaration.isStoredProperty {
      context.error("attribute-on-other", "'@Attribute' is for the stored properties of a model", at: node)
    }
    return []
  }
}
