import SwiftSyntax

/// What the `@Attribute` of a property says.
struct AttributeArguments {
  /// The index kinds, as spelt in `IndexKind`.
  var indexes: [String] = []
  /// The names it had before, the latest first.
  var originalNames: [ExprSyntax] = []

  private static let kinds = [
    "unique": "unique", "indexed": "ordered", "folded": "folded", "fullText": "fullText", "trigram": "trigram",
    "geo": "geo",
  ]

  /// The kinds that stores do not build yet, and what happens instead.
  private static let unbuilt = [
    "fullText": "TEXT is refused, and '.trigram' serves CONTAINS", "geo": "geoWithin looks at every object",
  ]

  /// What it says; nil, and an error, when that can't be read from the text.
  init?(of variable: VariableDeclSyntax, _ findings: Findings) {
    for element in variable.attributes {
      guard let attribute = element.as(AttributeSyntax.self),
        attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text == "Attribute",
        case .argumentList(let arguments) = attribute.arguments
      else { continue }
      for argument in arguments {
        // What follows the label without one of its own belongs to it: `originalName: "mag", "m"`.
        if argument.label?.text == "originalName" || !originalNames.isEmpty {
          guard argument.expression.is(StringLiteralExprSyntax.self), argument.expression.isLiteral else {
            findings.error("original-name", "an original name is a string literal", at: argument.expression)
            return nil
          }
          originalNames.append(argument.expression)
          continue
        }
        guard let option = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
          let kind = Self.kinds[option]
        else {
          findings.error(
            "attribute-option", "an option of '@Attribute' is .unique, .indexed, .folded, .fullText, .trigram or .geo",
            at: argument.expression)
          return nil
        }
        if let instead = Self.unbuilt[option] {
          findings.warning(
            "unbuilt-index", "there are no '.\(option)' indexes yet, so this one has no effect: \(instead)",
            at: argument.expression)
        }
        indexes.append(kind)
      }
    }
  }
}
