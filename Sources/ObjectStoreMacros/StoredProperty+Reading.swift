import SwiftDiagnostics
import SwiftSyntax

extension StoredProperty {
  /// The stored properties of a struct in declaration order; nil, with errors at their places, when one can't be
  /// stored.
  static func all(
    of declaration: StructDeclSyntax, _ findings: Findings
  ) -> [StoredProperty]? {
    var properties: [StoredProperty] = []
    var isValid = true
    for member in declaration.memberBlock.members {
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        guard conditional.containsVariable else { continue }
        findings.error("conditional-property", "a property of a model can't be within '#if'", at: conditional)
        isValid = false
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic else { continue }
      if variable.transient != nil {
        if !TransientProperty.isValid(variable, findings) { isValid = false }
        continue
      }
      guard let found = stored(of: variable, findings) else {
        isValid = false
        continue
      }
      properties += found
    }
    return isValid ? properties : nil
  }

  private static func stored(
    of variable: VariableDeclSyntax, _ findings: Findings
  ) -> [StoredProperty]? {
    if let modifier = variable.modifiers.first(where: { ["lazy", "weak", "unowned"].contains($0.name.text) }) {
      findings.error(
        "modifier", "a property of a model can't be '\(modifier.name.text)': it is kept as a plain value", at: modifier,
        fixes: modifier.name.text == "lazy" ? [modifier.removal] : [])
      return nil
    }
    var properties: [StoredProperty] = []
    var isValid = true
    // As in Swift, `var a, b: Int` gives both the type.
    var following: TypeSyntax?
    for binding in variable.bindings.reversed() {
      if binding.typeAnnotation != nil || binding.initializer != nil { following = binding.typeAnnotation?.type }
      guard !binding.isComputed else { continue }
      guard let property = stored(binding, of: variable, type: following, findings) else {
        isValid = false
        continue
      }
      properties.append(property)
    }
    return isValid ? properties.reversed() : nil
  }

  private static func stored(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax, type: TypeSyntax?,
    _ findings: Findings
  ) -> StoredProperty? {
    guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
      findings.error("pattern", "the properties of a model are declared one name at a time", at: binding.pattern)
      return nil
    }
    let name = identifier.text.trimmingBackticks
    guard let attribute = AttributeArguments(of: variable, findings) else { return nil }
    let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
    guard name != "objectID", name != "_objectID" else {
      findings.error("reserved-name", "'\(name)' is what '@Model' adds: name the property otherwise", at: identifier)
      return nil
    }
    guard name.lowercased() != "self" else {
      findings.error(
        "reserved-name", "in a query '\(name)' is the object itself: name the property otherwise", at: identifier)
      return nil
    }
    if !isVariable, let initializer = binding.initializer {
      findings.error(
        "constant",
        "'\(name)' always has the same value, so nothing could be read back into it: "
          + "make it a 'var' or a 'static let'", at: initializer, fixes: [variable.asVariable])
      return nil
    }
    guard let type = type ?? binding.initializer?.value.evidentType else {
      findings.error(
        "missing-type", "'\(name)' needs a type that '@Model' can see: write 'var \(identifier.text): Type = …'",
        at: binding)
      return nil
    }
    if !attribute.isCodable, let reason = type.unstorable {
      findings.error(
        "unsupported-type", "'\(name)': \(reason)", at: type.isDetached ? Syntax(binding) : Syntax(type),
        fixes: type.isDetached ? [] : type.storableFix)
      return nil
    }
    guard attribute.fits(type, name, findings),
      let link = LinkArguments(of: variable, findings),
      link.fits(type, name, binding, attribute, findings)
    else { return nil }
    return StoredProperty(
      name: name, identifier: identifier, type: type, initialValue: binding.initializer?.value,
      isCodable: attribute.isCodable, indexOptions: attribute.indexOptions,
      originalNames: attribute.originalNames, isVariable: isVariable,
      deleteRule: link.deleteRule, inverse: link.inverse)
  }
}

extension String {
  /// Without the backticks around it.
  var trimmingBackticks: String {
    hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
  }
}

extension DeclModifierSyntax {
  /// The fix that removes it.
  fileprivate var removal: FixIt {
    // What follows moves to its place.
    let nothing = TokenSyntax(.identifier(""), leadingTrivia: leadingTrivia, presence: .present)
    return FixIt(
      message: MacroFix(name: "remove-modifier", message: "remove '\(name.text)'"),
      changes: [.replace(oldNode: Syntax(self), newNode: Syntax(nothing))])
  }
}

extension VariableDeclSyntax {
  /// The fix that makes a constant a variable.
  fileprivate var asVariable: FixIt {
    let keyword = TokenSyntax(
      .keyword(.var), leadingTrivia: bindingSpecifier.leadingTrivia, trailingTrivia: bindingSpecifier.trailingTrivia,
      presence: .present)
    return FixIt(
      message: MacroFix(name: "make-variable", message: "make it a 'var'"),
      changes: [.replace(oldNode: Syntax(bindingSpecifier), newNode: Syntax(keyword))])
  }
}

extension TypeSyntax {
  /// Whether it was made here and stands nowhere in the source.
  fileprivate var isDetached: Bool { root.id == id }
}

extension IfConfigDeclSyntax {
  /// Whether some branch declares a variable.
  fileprivate var containsVariable: Bool {
    clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { $0.decl.is(VariableDeclSyntax.self) }
    }
  }
}
