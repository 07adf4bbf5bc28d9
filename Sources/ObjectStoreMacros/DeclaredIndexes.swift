import SwiftDiagnostics
import SwiftSyntax

import enum Diagnostics.Suggestion

/// The `#Index` and `#Unique` of a model, as arguments for `ModelDefinition`.
struct DeclaredIndexes {
  /// Each as the arguments of `ModelBuilder.index`.
  private(set) var texts: [String] = []

  /// The indexes of a struct; nil, with errors, when one is invalid.
  init?(of declaration: StructDeclSyntax, _ properties: [StoredProperty], _ findings: Findings) {
    let model = declaration.name.text
    for member in declaration.memberBlock.members {
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
        let kind = ["Index": "ordered", "Unique": "unique"][macro.macroName.text]
      else { continue }
      if let argument = macro.genericArgumentClause?.arguments.first?.argument,
        argument.trimmedDescription != model, argument.trimmedDescription != "Self"
      {
        findings.error(
          "index-of-other",
          "'#\(macro.macroName.text)' in '\(model)' is about '\(model)', not "
            + "'\(argument.trimmedDescription)'", at: argument)
        return nil
      }
      for argument in macro.arguments {
        guard let list = argument.expression.as(ArrayExprSyntax.self), !list.elements.isEmpty else {
          findings.error("index-argument", #"an index is a list of key paths: [\.a, \.b]"#, at: argument.expression)
          return nil
        }
        for element in list.elements {
          guard let keyPath = element.expression.as(KeyPathExprSyntax.self) else {
            findings.error("index-argument", #"an index is a list of key paths: [\.a, \.b]"#, at: argument.expression)
            return nil
          }
          guard Self.isStored(keyPath, model, properties, findings) else { return nil }
        }
        let keyPaths = list.elements.map(\.expression.trimmedDescription).joined(separator: ", ")
        texts.append(".\(kind), \(keyPaths)")
      }
    }
  }

  /// Whether a key path begins with a stored property of the model; otherwise an error.
  private static func isStored(
    _ keyPath: KeyPathExprSyntax, _ model: String, _ properties: [StoredProperty], _ findings: Findings
  ) -> Bool {
    guard case .property(let component)? = keyPath.components.first?.component else { return true }
    let token = component.declName.baseName
    let name = token.text.trimmingBackticks
    guard let property = properties.first(where: { $0.name == name }) else {
      let near = Suggestion.nearest(to: name, among: properties.map(\.name))
      var fixes: [FixIt] = []
      if let near, let property = properties.first(where: { $0.name == near }) {
        let written = token.with(\.tokenKind, property.identifier.tokenKind)
        fixes = [
          FixIt(
            message: MacroFix(name: "nearest-property", message: "write '\(near)'"),
            changes: [.replace(oldNode: Syntax(token), newNode: Syntax(written))])
        ]
      }
      findings.error(
        "index-key-path",
        "'\(name)' is not a stored property of '\(model)'" + (near.map { ": did you mean '\($0)'?" } ?? ""),
        at: component, fixes: fixes)
      return false
    }
    if property.isCodable {
      findings.error(
        "index-key-path", "'\(name)' can't be indexed: its value is kept encoded", at: component)
      return false
    }
    return true
  }

  /// Checks that a struct that is only embedded declares no indexes; otherwise reports an error for each.
  func isAllowedInEmbedded(
    _ model: StructDeclSyntax, _ properties: [StoredProperty], _ findings: Findings
  ) -> Bool {
    let name = model.name.text
    for property in properties {
      guard let option = property.indexOptions.first else { continue }
      findings.error(
        "embedded-index",
        "'\(name)' is embedded, so it has no index of its own: the model that has it can say "
          + "'#\(option.name == "unique" ? "Unique" : "Index")<…>([\\.….\(property.name)])'",
        at: option.argument.expression, fixes: [option.removal])
    }
    for member in model.memberBlock.members {
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
        ["Index", "Unique"].contains(macro.macroName.text)
      else { continue }
      findings.error(
        "embedded-index",
        "'\(name)' is embedded, so it has no index of its own: write '#\(macro.macroName.text)' in the model that has it",
        at: macro)
    }
    return texts.isEmpty && properties.allSatisfy(\.indexOptions.isEmpty)
  }
}
