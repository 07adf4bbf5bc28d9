import SwiftDiagnostics
import SwiftSyntax

/// A property that is not stored: `@Transient var cache = 0`. An object that is read has its initial value.
struct TransientProperty {
  /// The name as it is written, with backticks where it needs them.
  let identifier: TokenSyntax
  /// The declared or evident type.
  let type: TypeSyntax
  /// The initial value; nil of an optional that starts as nil.
  let initialValue: ExprSyntax?

  /// The parameter of the memberwise initialiser.
  var parameter: String {
    "\(identifier.trimmedDescription): \(type.trimmedDescription) = \(initialValue?.trimmedDescription ?? "nil")"
  }

  /// Its role in the memberwise initialiser.
  var assignment: String { "self.\(identifier.trimmedDescription) = \(identifier.trimmedDescription)" }

  /// The properties of a struct that the memberwise initialiser can set: variables whose type is evident.
  static func all(of declaration: StructDeclSyntax) -> [TransientProperty] {
    declaration.memberBlock.members.flatMap { member -> [TransientProperty] in
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.transient != nil,
        variable.bindingSpecifier.tokenKind == .keyword(.var)
      else { return [] }
      return variable.bindings.compactMap { binding in
        guard !binding.isComputed, let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
          let type = binding.typeAnnotation?.type ?? binding.initializer?.value.evidentType
        else { return nil }
        return TransientProperty(identifier: identifier, type: type, initialValue: binding.initializer?.value)
      }
    }
  }

  /// Whether every property of a declaration has a value when its object is read; otherwise an error.
  static func isValid(_ variable: VariableDeclSyntax, _ findings: Findings) -> Bool {
    for element in variable.attributes {
      guard let attribute = element.as(AttributeSyntax.self), let name = attribute.name,
        ["Attribute", "Relationship", "Inverse"].contains(name)
      else { continue }
      findings.error(
        "transient-attribute", "a property that is not stored has no '@\(name)'", at: attribute,
        fixes: [attribute.removal("remove '@\(name)'")])
      return false
    }
    for binding in variable.bindings where !binding.isComputed && binding.initializer == nil {
      if variable.bindingSpecifier.tokenKind == .keyword(.var), binding.typeAnnotation?.type.isOptionalSugar == true {
        continue
      }
      findings.error(
        "transient-value",
        "'\(binding.pattern.trimmedDescription)' is not stored, so it needs the value that objects have when they are "
          + "read: write '= …' after it", at: binding)
      return false
    }
    return true
  }
}

extension VariableDeclSyntax {
  /// `@Transient`, where it is written.
  var transient: AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.name == "Transient" }
  }
}
