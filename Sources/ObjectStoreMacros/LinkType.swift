import SwiftSyntax

/// How a property refers to objects, as far as the text of its type shows.
enum LinkType {
  /// `Link<T>?`
  case link
  /// `Link<T>`, which a property can't be.
  case requiredLink
  /// `List<T>`
  case list
  /// `LinkingObjects<T>`
  case linkingObjects

  /// The kind of link of a type; nil for a type that holds values.
  init?(_ type: TypeSyntax) {
    if let optional = type.as(OptionalTypeSyntax.self) {
      guard case .requiredLink? = LinkType(optional.wrappedType) else { return nil }
      self = .link
      return
    }
    guard let name = type.as(IdentifierTypeSyntax.self), let arguments = name.genericArgumentClause?.arguments,
      arguments.count == 1
    else { return nil }
    switch name.name.text {
    case "Link": self = .requiredLink
    case "List": self = .list
    case "LinkingObjects": self = .linkingObjects
    case "Optional":
      guard let inner = arguments.first?.argument.as(TypeSyntax.self), case .requiredLink? = LinkType(inner) else {
        return nil
      }
      self = .link
    default: return nil
    }
  }
}
