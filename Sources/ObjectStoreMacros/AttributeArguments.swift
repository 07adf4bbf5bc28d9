import SwiftDiagnostics
import SwiftSyntax

/// The contents of the `@Attribute` of a property.
struct AttributeArguments {
  /// The options that are indexes.
  private(set) var indexOptions: [Option] = []
  /// The syntax of `.codable`, if present.
  private(set) var codable: Option?
  /// The earlier names, latest first.
  private(set) var originalNames: [ExprSyntax] = []

  /// An option of `@Attribute`.
  struct Option {
    /// Its name.
    let name: String
    /// The syntax of the option.
    let argument: LabeledExprSyntax
    /// The attribute that contains it.
    let attribute: AttributeSyntax
    /// The index kind, as spelt in `IndexKind`.
    var kind: String? { AttributeArguments.kinds[name] }
  }

  fileprivate static let kinds = [
    "unique": "unique", "indexed": "ordered", "folded": "folded", "fullText": "fullText", "trigram": "trigram",
    "geo": "geo",
  ]

  /// The kinds that stores do not build yet, and the behaviour instead.
  private static let unbuilt = [
    "fullText": "TEXT is refused, and '.trigram' serves CONTAINS", "geo": "geoWithin looks at every object",
  ]

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
      let option = Option(name: name, argument: argument, attribute: attribute)
      if name == "codable" {
        codable = option
        continue
      }
      guard Self.kinds[name] != nil else {
        findings.error(
          "attribute-option",
          "an option of '@Attribute' is .unique, .indexed, .folded, .fullText, .trigram, .geo or .codable",
          at: argument.expression)
        return false
      }
      if let instead = Self.unbuilt[name] {
        findings.warning(
          "unbuilt-index", "there are no '.\(name)' indexes yet, so this one has no effect: \(instead)",
          at: argument.expression)
      }
      indexOptions.append(option)
    }
    return true
  }

  /// Checks that the options are valid for a property of a type; otherwise reports an error.
  func fits(_ type: TypeSyntax, _ name: String, _ findings: Findings) -> Bool {
    for option in indexOptions {
      guard let reason = codable.map({ _ in "its value is kept encoded" }) ?? type.reasonAgainst(index: option.name)
      else { continue }
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
  fileprivate func reasonAgainst(index option: String) -> String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.reasonAgainst(index: option) }
    if self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) {
      return "it is a collection, and there are no indexes of elements"
    }
    guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return nil }
    if ["Array", "Set", "Dictionary"].contains(name) {
      return "it is a collection, and there are no indexes of elements"
    }
    switch option {
    case "folded", "fullText", "trigram":
      return Self.notText.contains(name) ? "'.\(option)' is for text; '.indexed' is for \(name)" : nil
    case "geo":
      return Self.notText.contains(name) || name == "String" || name == "URL"
        ? "'.geo' is for a struct with the Doubles 'longitude' and 'latitude'" : nil
    default: return nil
    }
  }

  private static let notText: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
    "Decimal", "Date", "UUID", "Data",
  ]
}
