import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: writes nothing; `@Model` reads it. It only says so when it is on something else.
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
