import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: writes the members by which a struct's values are kept in a store, and the conformance to `Model`.
struct ModelMacro {}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The member macro reports what is wrong; a conformance that can't hold would only add noise.
    guard !protocols.isEmpty, let declaration = declaration.as(StructDeclSyntax.self),
      declaration.genericParameterClause == nil
    else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): ObjectStore.Model {}")]
  }
}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let model = structure(declaration, node: node, in: context),
      let properties = StoredProperty.all(of: model, in: context),
      let indexes = DeclaredIndexes(of: model, in: context)
    else { return [] }
    guard !properties.isEmpty else {
      context.error("no-properties", "a model has at least one stored property", at: model.name)
      return []
    }
    return ModelMembers(model: model, properties: properties, indexes: indexes, isEmbedded: node.saysEmbedded)
      .declarations
  }

  /// The struct the macro is on; nil, and an error, when it is on something else.
  private static func structure(
    _ declaration: some DeclGroupSyntax, node: AttributeSyntax, in context: some MacroExpansionContext
  ) -> StructDeclSyntax? {
    guard let model = declaration.as(StructDeclSyntax.self) else {
      var fixes: [FixIt] = []
      if let other = declaration.as(ClassDeclSyntax.self) {
        fixes = [
          FixIt(
            message: MacroFix(name: "use-struct", message: "make it a struct"),
            changes: [
              .replace(
                oldNode: Syntax(other.classKeyword),
                newNode: Syntax(other.classKeyword.with(\.tokenKind, .keyword(.struct))))
            ])
        ]
      }
      context.error(
        "not-a-struct", "'@Model' is for structs: an object read from a store is a value of its own",
        at: declaration.introducer, fixes: fixes)
      return nil
    }
    if let generic = model.genericParameterClause {
      context.error("generic", "a model can't be generic: each of its properties has one type", at: generic)
      return nil
    }
    return model
  }
}

extension AttributeSyntax {
  /// Whether its argument is `.embedded`.
  fileprivate var saysEmbedded: Bool {
    guard case .argumentList(let arguments) = arguments, let first = arguments.first else { return false }
    return first.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "embedded"
  }
}
