import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model` generates the members that store a struct's values, and the conformance to `Model`.
struct ModelMacro {}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // Errors are reported once, here: the compiler always requests this expansion, but not always the other one.
    let findings = Findings()
    defer { findings.diagnose(context) }
    // A conformance that can't hold would only add noise.
    let members = members(of: declaration, node, findings)
    guard !members.isEmpty, !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): ObjectStore.Model {}")]
  }
}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    members(of: declaration, node, Findings())
  }

  /// The members to write, with findings when the declaration can be no model; none when it can't even stand in for one.
  private static func members(
    of declaration: some DeclGroupSyntax, _ node: AttributeSyntax, _ findings: Findings
  ) -> [DeclSyntax] {
    guard let model = structure(declaration, findings) else { return [] }
    return members(of: model, node, findings)?.declarations ?? StandInMembers(of: model)?.declarations ?? []
  }

  private static func members(
    of model: StructDeclSyntax, _ node: AttributeSyntax, _ findings: Findings
  ) -> ModelMembers? {
    guard let properties = StoredProperty.all(of: model, findings),
      let indexes = DeclaredIndexes(of: model, properties, findings),
      DeclaredEnums(in: model).fit(properties, findings),
      DeclaredStructs(in: model).fit(properties, findings)
    else { return nil }
    guard properties.contains(where: { $0.inverse == nil }) else {
      findings.error("no-properties", "a model has at least one stored property", at: model.name)
      return nil
    }
    if node.saysEmbedded, !indexes.isAllowedInEmbedded(model, properties, findings) { return nil }
    return ModelMembers(
      model: model, properties: properties, transient: TransientProperty.all(of: model), indexes: indexes,
      isEmbedded: node.saysEmbedded, originalNames: node.originalNames)
  }

  /// The struct with the macro; nil, with an error, on other declarations.
  private static func structure(_ declaration: some DeclGroupSyntax, _ findings: Findings) -> StructDeclSyntax? {
    guard let model = declaration.as(StructDeclSyntax.self) else {
      var fixes: [FixIt] = []
      if let other = declaration.as(ClassDeclSyntax.self) {
        let keyword = other.classKeyword
        fixes = [
          FixIt(
            message: MacroFix(name: "use-struct", message: "make it a struct"),
            changes: [
              .replace(oldNode: Syntax(keyword), newNode: Syntax(keyword.with(\.tokenKind, .keyword(.struct))))
            ])
        ]
      }
      findings.error(
        "not-a-struct", "'@Model' is for structs: an object read from a store is a value of its own",
        at: declaration.introducer, fixes: fixes)
      return nil
    }
    if let generic = model.genericParameterClause {
      findings.error("generic", "a model can't be generic: each of its properties has one type", at: generic)
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

  /// The texts from its `originalName:` on.
  fileprivate var originalNames: [ExprSyntax] {
    guard case .argumentList(let arguments) = arguments else { return [] }
    return arguments.drop { $0.label?.text != "originalName" }.map(\.expression)
  }
}
