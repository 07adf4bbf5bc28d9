import Schema
import SwiftDiagnostics
import SwiftSyntax

/// The structs declared within a model. Like enums declared there, a macro can see what they are: an index over one is
/// an error with a fix. For other types the compiler checks the members that `@Model` writes.
struct DeclaredStructs {
  private let model: StructDeclSyntax
  private let structs: [String: StructDeclSyntax]

  init(in model: StructDeclSyntax) {
    self.model = model
    let found = model.memberBlock.members.compactMap { $0.decl.as(StructDeclSyntax.self) }
    structs = Dictionary(found.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Checks that no property is a struct with an index over itself; otherwise reports an error for each option.
  func fit(_ properties: [StoredProperty], _ findings: Findings) -> Bool {
    var isFine = true
    for property in properties {
      guard let declared = property.type.wrappedName.flatMap({ structs[$0] }) else { continue }
      for option in property.indexOptions where !option.kind.isOverPoint {
        let path = "\\.\(property.name).\(declared.firstProperty ?? "…")"
        findings.error(
          "index-of-struct",
          "'\(property.name)' can't be '.\(option.name)': '\(declared.name.text)' is a struct, and an index is over its "
            + "properties: write '#\(option.kind == .unique ? "Unique" : "Index")<\(model.name.text)>([\(path)])'",
          at: option.argument.expression, fixes: [option.removal])
        isFine = false
      }
    }
    return isFine
  }
}

extension StructDeclSyntax {
  /// The name of the first stored property.
  fileprivate var firstProperty: String? {
    memberBlock.members.lazy.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .filter { !$0.isStatic }.flatMap(\.bindings).filter { !$0.isComputed }
      .compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.trimmingBackticks }.first
  }
}

extension TypeSyntax {
  /// The name of `Place` and of `Place?`.
  fileprivate var wrappedName: String? {
    let type = self.as(OptionalTypeSyntax.self)?.wrappedType ?? self
    return type.as(IdentifierTypeSyntax.self)?.name.text
  }
}
