import SwiftDiagnostics
import SwiftSyntax

/// The enums declared within a model: the only property types whose declaration a macro can see.
struct DeclaredEnums {
  private let enums: [String: EnumDeclSyntax]

  init(in declaration: StructDeclSyntax) {
    let found = declaration.memberBlock.members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
    enums = Dictionary(found.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Checks that the enums used by stored properties can be stored; otherwise reports an error for each.
  func fit(_ properties: [StoredProperty], _ findings: Findings) -> Bool {
    var isFine = true
    var seen: Set<String> = []
    for property in properties where property.isEncodable {
      guard let name = property.type.valueName, let declared = enums[name], seen.insert(name).inserted,
        !declared.isPersistable
      else { continue }
      findings.error(
        "enum-conformance",
        "'\(property.name)' can't be stored: '\(name)' is an enum without "
          + (declared.inheritanceClause == nil
            ? "raw values; write 'enum \(name): String, PersistableEnum'" : "'PersistableEnum'"),
        at: declared.name, fixes: [declared.persistableFix])
      isFine = false
    }
    return isFine
  }
}

extension StoredProperty {
  /// Whether its type must be one that is stored in columns.
  fileprivate var isEncodable: Bool { !isCodable && inverse == nil }
}

extension EnumDeclSyntax {
  fileprivate var isPersistable: Bool {
    inheritanceClause?.inheritedTypes.contains {
      ["PersistableEnum", "ObjectStore.PersistableEnum"].contains($0.type.trimmedDescription)
    } ?? false
  }

  /// The fix that adds the conformance, and `String` where there are no raw values.
  fileprivate var persistableFix: FixIt {
    let words = inheritanceClause.map { $0.inheritedTypes.map(\.type.trimmedDescription) } ?? ["String"]
    let types = (words + ["PersistableEnum"]).joined(separator: ", ")
    let clause: InheritanceClauseSyntax = InheritanceClauseSyntax(
      colon: .colonToken(trailingTrivia: .space),
      inheritedTypes: [
        InheritedTypeSyntax(type: IdentifierTypeSyntax(name: .identifier(types)), trailingTrivia: .space)
      ])
    var changed = self
    changed.name = name.trimmed
    changed.inheritanceClause = clause
    return FixIt(
      message: MacroFix(name: "persistable-enum", message: "write 'enum \(name.text): \(types)'"),
      changes: [.replace(oldNode: Syntax(self), newNode: Syntax(changed))])
  }
}

extension TypeSyntax {
  /// The name of the type of single values in it: of `Status`, `Status?`, `[Status]`, `Set<Status>`,
  /// `[String: Status]`.
  fileprivate var valueName: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.valueName }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.valueName }
    if let dictionary = self.as(DictionaryTypeSyntax.self) { return dictionary.value.valueName }
    guard let name = self.as(IdentifierTypeSyntax.self) else {
      return self.as(MemberTypeSyntax.self)?.name.text
    }
    if ["Optional", "Array", "Set", "Dictionary"].contains(name.name.text),
      let last = name.genericArgumentClause?.arguments.last?.argument.as(TypeSyntax.self)
    {
      return last.valueName
    }
    return name.name.text
  }
}
