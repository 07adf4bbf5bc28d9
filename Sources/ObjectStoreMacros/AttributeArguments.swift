import Schema
import SwiftDiagnostics
import SwiftSyntax

/// The contents of the `@Attribute` of a property.
struct AttributeArguments {
  /// The options that are indexes.
  private(set) var indexOptions: [Option] = []
  /// Whether it has the option `.codable`.
  private(set) var isCodable = false
  /// The earlier names, latest first.
  private(set) var originalNames: [ExprSyntax] = []

  /// An option of `@Attribute` that is an index.
  struct Option {
    let kind: IndexKind
    /// The syntax of the option.
    let argument: LabeledExprSyntax
    /// The attribute that contains it.
    let attribute: AttributeSyntax
    /// Its name.
    var name: String { kind.attribute }
  }

  /// The contents; nil, with an error, when they can't be read from the source.
  init?(of variable: VariableDeclSyntax, _ findings: Findings) {
    for element in variable.attributes {
      guard let attribute = element.as(AttributeSyntax.self), attribute.name == "Attribute" else { continue }
      guard read(attribute, findings) else { return nil }
    }
  }

  private mutating func read(_ attribute: AttributeSyntax, _ findings: Findings) -> Bool {
    guard case .argumentList(let arguments) = attribute.arguments else { return true }
    for argument in arguments {
      // Unlabelled arguments after the label belong to it: `originalName: "mag", "m"`.
      if argument.label?.text == "originalName" || !originalNames.isEmpty {
        guard argument.expression.is(StringLiteralExprSyntax.self), argument.expression.isLiteral else {
          findings.error("original-name", "an original name is a string literal", at: argument.expression)
          return false
        }
        originalNames.append(argument.expression)
        continue
      }
      let name = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
      if name == "codable" {
        isCodable = true
        continue
      }
      guard let kind = IndexKind(attribute: name) else {
        let names = IndexKind.declarable.map { ".\($0.attribute)" }.joined(separator: ", ")
        findings.error(
          "attribute-option", "an option of '@Attribute' is \(names) or .codable", at: argument.expression)
        return false
      }
      if let instead = kind.unbuilt {
        findings.warning(
          "unbuilt-index", "there are no '.\(name)' indexes yet, so this one has no effect: \(instead)",
          at: argument.expression)
      }
      indexOptions.append(Option(kind: kind, argument: argument, attribute: attribute))
    }
    return true
  }

  /// Checks that the options are valid for a property of a type; otherwise reports an error.
  func fits(_ type: TypeSyntax, _ name: String, _ findings: Findings) -> Bool {
    for option in indexOptions {
      guard let reason = isCodable ? "its value is kept encoded" : type.reasonAgainst(option.kind) else { continue }
      findings.error(
        "option-of-type", "'\(name)' can't be '.\(option.name)': \(reason)", at: option.argument.expression,
        fixes: [option.removal])
      return false
    }
    return true
  }
}

extension AttributeArguments.Option {
  /// The fix that removes it, with its attribute if that is then empty.
  var removal: FixIt {
    guard case .argumentList(let arguments) = attribute.arguments, arguments.count > 1 else {
      return attribute.removal("remove '@Attribute(.\(name))'")
    }
    var left = Array(arguments.filter { $0.id != argument.id })
    left[left.count - 1].trailingComma = nil
    return FixIt(
      message: MacroFix(name: "remove-option", message: "remove '.\(name)'"),
      changes: [.replace(oldNode: Syntax(arguments), newNode: Syntax(LabeledExprListSyntax(left)))])
  }
}

extension AttributeSyntax {
  /// The name, for a plain name.
  var name: String? { attributeName.as(IdentifierTypeSyntax.self)?.name.text }

  /// The fix that removes it.
  func removal(_ message: String) -> FixIt {
    // The following argument moves to its place.
    let nothing = TokenSyntax(.identifier(""), leadingTrivia: leadingTrivia, presence: .present)
    return FixIt(
      message: MacroFix(name: "remove-attribute", message: message),
      changes: [.replace(oldNode: Syntax(self), newNode: Syntax(nothing))])
  }
}

extension TypeSyntax {
  /// The reason why no index of a kind is possible on a property of this type, as far as its text shows; nil otherwise.
  fileprivate func reasonAgainst(_ kind: IndexKind) -> String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.reasonAgainst(kind) }
    if self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) {
      return "it is a collection, and there are no indexes of elements"
    }
    guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return nil }
    if ["Array", "Set", "Dictionary"].contains(name) {
      return "it is a collection, and there are no indexes of elements"
    }
    if kind.isOverText {
      return Self.notText.contains(name) ? "'.\(kind.attribute)' is for text; '.indexed' is for \(name)" : nil
    }
    if kind.isOverPoint {
      return Self.notText.contains(name) || name == "String" || name == "URL"
        ? "'.\(kind.attribute)' is for a struct with the Doubles 'longitude' and 'latitude'" : nil
    }
    return nil
  }

  private static let notText: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
    "Decimal", "Date", "UUID", "Data",
  ]
}
