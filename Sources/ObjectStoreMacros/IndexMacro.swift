import SwiftSyntax
import SwiftSyntaxMacros

/// `#Index` and `#Unique` generate nothing; `@Model` reads them. They only report an error elsewhere.
struct IndexMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let enclosing = context.lexicalContext.first
    guard enclosing?.is(StructDeclSyntax.self) == true || enclosing?.is(ClassDeclSyntax.self) == true else {
      context.error(
        "index-outside-model", "'#\(node.macroName.text)' stands inside the struct that '@Model' is on", at: node)
      return []
    }
    return []
  }
}
