import SwiftDiagnostics
import SwiftSyntax

extension TypeSyntax {
  /// The reason why no property of a model can have this type, as far as its text shows; nil otherwise.
  var unstorable: String? {
    if let optional = self.as(OptionalTypeSyntax.self) {
      if optional.wrappedType.isOptionalSugar { return "an optional of an optional can't be stored" }
      switch LinkType(optional.wrappedType) {
      case .list?, .linkingObjects?: return "a list of objects is never nil: leave the '?' out"
      default: break
      }
      return optional.wrappedType.unstorable
    }
    if self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "an implicitly unwrapped optional can't be stored: write '?' for '!'"
    }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.unstorableElement }
    if let dictionary = self.as(DictionaryTypeSyntax.self) {
      return dictionary.key.unstorableKey ?? dictionary.value.unstorableElement
    }
    if self.is(FunctionTypeSyntax.self) { return "a function can't be stored" }
    if let tuple = self.as(TupleTypeSyntax.self) {
      if tuple.elements.count == 1, let only = tuple.elements.first, only.firstName == nil {
        return only.type.unstorable
      }
      return "a tuple can't be stored: declare a '@Model' struct and embed it"
    }
    if self.is(SomeOrAnyTypeSyntax.self) { return "'\(trimmedDescription)' can't be stored: name one type" }
    guard let name = self.as(IdentifierTypeSyntax.self) else { return nil }
    if let arguments = name.genericArgumentClause?.arguments,
      ["Array", "Set", "Dictionary", "Optional"].contains(name.name.text)
    {
      let types = arguments.compactMap { $0.argument.as(TypeSyntax.self) }
      guard let last = types.last else { return nil }
      if name.name.text == "Optional" { return last.unstorable }
      return (name.name.text == "Dictionary" ? types.first?.unstorableKey : nil) ?? last.unstorableElement
    }
    return Self.otherwise[name.name.text].map { "'\(name.name.text)' can't be stored: \($0)" }
  }

  /// The fix that writes the nearest type that can be stored, where it is only a sign that is wrong; none otherwise.
  var storableFix: [FixIt] {
    guard var instead = withoutWrongSign?.trimmed, instead.unstorable == nil else { return [] }
    let written = instead.description
    instead.leadingTrivia = leadingTrivia
    instead.trailingTrivia = trailingTrivia
    return [
      FixIt(
        message: MacroFix(name: "storable-type", message: "write '\(written)'"),
        changes: [.replace(oldNode: Syntax(self), newNode: Syntax(instead))])
    ]
  }

  /// `Int?` for `Int!` and `Int??`, `List<Task>` for `List<Task>?`, `[Int]` for `[Int?]`; nil for other types.
  private var withoutWrongSign: TypeSyntax? {
    if let forced = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return TypeSyntax(OptionalTypeSyntax(wrappedType: forced.wrappedType))
    }
    if let optional = self.as(OptionalTypeSyntax.self) {
      if optional.wrappedType.is(OptionalTypeSyntax.self) { return optional.wrappedType }
      switch LinkType(optional.wrappedType) {
      case .list?, .linkingObjects?: return optional.wrappedType
      default: return nil
      }
    }
    guard var array = self.as(ArrayTypeSyntax.self), let element = array.element.as(OptionalTypeSyntax.self) else {
      return nil
    }
    array.element = element.wrappedType
    return TypeSyntax(array)
  }

  /// The reason why it can't be the element type of a collection, as far as its text shows.
  private var unstorableElement: String? {
    if isOptionalSugar { return "the elements of a collection are never nil: leave the '?' out" }
    if let name = self.as(IdentifierTypeSyntax.self) {
      if name.name.text == "UInt8" { return "bytes are kept as 'Data'" }
      switch LinkType(TypeSyntax(name)) {
      case .requiredLink?, .list?: return "many objects are linked to by 'List<…>'"
      default: break
      }
      if name.genericArgumentClause != nil { return Self.nested }
    }
    return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) ? Self.nested : unstorable
  }

  /// Why it can't be the type of a dictionary's keys.
  private var unstorableKey: String? {
    self.as(IdentifierTypeSyntax.self)?.name.text == "String" ? nil : "the keys of a dictionary are of type 'String'"
  }

  private static let nested =
    "the elements of a collection are single values: collections of collections can't be stored"

  /// Common types that are not supported, with an alternative for each.
  private static let otherwise: [String: String] = [
    "Int128": "use 'Int', or 'Data'", "UInt128": "use 'Data'",
    "Float16": "use 'Float'", "Float80": "use 'Double'", "CGFloat": "use 'Double'",
    "Character": "use 'String'",
    "Substring": "use 'String'", "Any": "name one type", "AnyObject": "name one type",
  ]
}
