import SwiftSyntax
import SwiftSyntaxMacros

/// `@Relationship` generates nothing; `@Model` reads it. It only reports an error on other declarations.
struct RelationshipMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !declaration.isStoredProperty {
      context.error("relationship-on-other", "'@Relationship' is for the links of a model", at: node)
    }
    return []
  }
}

/// `@Transient` generates nothing; `@Model` reads it. It only reports an error on other declarations.
struct TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !declaration.isStoredProperty {
      context.error("transient-on-other", "'@Transient' is for properties of a model that have a value", at: node)
    }
    return []
  }
}

/// `@Inverse` generates nothing; `@Model` reads it. It only reports an error on other declarations.
struct InverseMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !declaration.isStoredProperty {
      context.error("inverse-on-other", "'@Inverse' is for the 'LinkingObjects' properties of a model", at: node)
    }
    return []
  }
}

extension DeclSyntaxProtocol {
  /// Whether it declares properties that belong to the values of a type and are stored there.
  var isStoredProperty: Bool {
    guard let variable = self.as(VariableDeclSyntax.self) else { return false }
    return !variable.isStatic && variable.bindings.allSatisfy { !$0.isComputed }
  }
}
