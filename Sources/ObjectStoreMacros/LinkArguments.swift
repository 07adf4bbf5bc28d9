import SwiftDiagnostics
import SwiftSyntax

/// The contents of the `@Relationship` and `@Inverse` of a property.
struct LinkArguments {
  /// The delete rule, as spelt in `DeleteRule`.
  private(set) var deleteRule: String?
  /// The property at the other end, of an inverse.
  private(set) var inverse: Inverse?
  /// The syntax of `@Relationship`, if present.
  private(set) var relationship: AttributeSyntax?

  /// A property at the other end of a link.
  struct Inverse {
    /// The key path as written: `\Project.tasks`.
    let keyPath: ExprSyntax
    /// The dotted path, without the model.
    let path: String
    /// The syntax of `@Inverse`, if present.
    let attribute: AttributeSyntax
  }

  /// The contents; nil, with an error, when they can't be read from the source.
  init?(of variable: VariableDeclSyntax, _ findings: Findings) {
    for element in variable.attributes {
      guard let attribute = element.as(AttributeSyntax.self) else { continue }
      switch attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text {
      case "Relationship":
        guard let rule = Self.deleteRule(of: attribute, findings) else { return nil }
        (relationship, deleteRule) = (attribute, rule)
        guard attribute.argument("inverse") != nil else { continue }
        guard let found = Self.inverse(of: attribute, findings) else { return nil }
        inverse = found
      case "Inverse":
        guard let found = Self.inverse(of: attribute, findings) else { return nil }
        inverse = found
      default: continue
      }
    }
  }

  /// Checks that they are valid for a property of a type; otherwise reports an error.
  func fits(
    _ type: TypeSyntax, _ name: String, _ binding: PatternBindingSyntax, _ attribute: AttributeArguments,
    _ findings: Findings
  ) -> Bool {
    let kind = LinkType(type)
    switch kind {
    case .requiredLink?:
      let optional = TypeSyntax(OptionalTypeSyntax(wrappedType: type.trimmed))
      findings.error(
        "required-link",
        "'\(name)' is a link, which becomes nil when its object is deleted: write "
          + "'\(optional.trimmedDescription)'", at: type,
        fixes: [
          FixIt(
            message: MacroFix(name: "optional-link", message: "make it optional"),
            changes: [.replace(oldNode: Syntax(type), newNode: Syntax(optional))])
        ])
      return false
    case .linkingObjects? where inverse == nil:
      findings.error(
        "missing-inverse",
        #"'\#(name)' needs to know which links it is the other end of: write '@Inverse(\Model.property)' before it"#,
        at: type)
      return false
    case .linkingObjects? where binding.initializer != nil:
      findings.error(
        "inverse-value", "'\(name)' follows from the links of others, so it has no value of its own", at: binding)
      return false
    case .link?, .list?, nil:
      if let inverse {
        let isLink = kind != nil && inverse.attribute.name == "Relationship"
        findings.error(
          "inverse-type",
          isLink
            ? "'\(name)' is the link itself; the inverse is a property of the other model: "
              + "'@Inverse(\\….\(name)) var …: LinkingObjects<…>'"
            : "'\(name)' is no 'LinkingObjects', which '@Inverse' is for", at: inverse.attribute)
        return false
      }
    default: break
    }
    if kind == nil, let relationship {
      findings.error("relationship-on-value", "'\(name)' links to nothing, so it has no delete rule", at: relationship)
      return false
    }
    if kind != nil, !attribute.indexOptions.isEmpty {
      findings.error("indexed-link", "'\(name)' is a link, which the store has an index of already", at: binding)
      return false
    }
    return true
  }

  private static func deleteRule(of attribute: AttributeSyntax, _ findings: Findings) -> String? {
    let rules = ["nullify", "cascade", "deny"]
    guard case .argumentList(let arguments) = attribute.arguments,
      let argument = arguments.first(where: { $0.label?.text == "deleteRule" })
    else { return rules[0] }
    guard let rule = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text, rules.contains(rule)
    else {
      findings.error("delete-rule", "a delete rule is .nullify, .cascade or .deny", at: argument.expression)
      return nil
    }
    return rule
  }

  private static func inverse(of attribute: AttributeSyntax, _ findings: Findings) -> Inverse? {
    guard let argument = attribute.argument("inverse") ?? attribute.argument(nil),
      let keyPath = argument.expression.as(KeyPathExprSyntax.self), keyPath.root != nil,
      let names = keyPath.names, !names.isEmpty
    else {
      findings.error(
        "inverse-argument", #"an inverse names the link it is the other end of: @Inverse(\Project.tasks)"#,
        at: attribute)
      return nil
    }
    return Inverse(keyPath: argument.expression.trimmed, path: names.joined(separator: "."), attribute: attribute)
  }
}

extension KeyPathExprSyntax {
  /// The names on the path, including optional structs; nil when it contains anything else.
  fileprivate var names: [String]? {
    var names: [String] = []
    for component in components {
      switch component.component {
      case .property(let property): names.append(property.declName.baseName.text.trimmingBackticks)
      case .optional: continue
      default: return nil
      }
    }
    return names
  }
}

extension AttributeSyntax {
  /// The argument with a label, or the first without one.
  fileprivate func argument(_ label: String?) -> LabeledExprSyntax? {
    guard case .argumentList(let arguments) = arguments else { return nil }
    return arguments.first { $0.label?.text == label }
  }
}
