import SwiftSyntax

/// The `#Index` and `#Unique` of a model, as arguments for `ModelDefinition`.
struct DeclaredIndexes {
  /// Each as the arguments of `ModelBuilder.index`.
  var texts: [String] = []

  /// Those of a struct; nil, and errors, when one makes no sense.
  init?(of declaration: StructDeclSyntax, _ findings: Findings) {
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
        guard let list = argument.expression.as(ArrayExprSyntax.self), !list.elements.isEmpty,
          list.elements.allSatisfy({ $0.expression.is(KeyPathExprSyntax.self) })
        else {
          findings.error("index-argument", #"an index is a list of key paths: [\.a, \.b]"#, at: argument.expression)
          return nil
        }
        texts.append(".\(kind), \(list.trimmedDescription)")
      }
    }
  }
}
