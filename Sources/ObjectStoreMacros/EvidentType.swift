import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
  /// The type of an initial value, as far as its text shows: `""` is a `String`, `-1` an `Int`, `UUID()` a `UUID`. nil
  /// when the text is not enough.
  var evidentType: TypeSyntax? {
    if self.is(StringLiteralExprSyntax.self) { return .named("String") }
    if self.is(IntegerLiteralExprSyntax.self) { return .named("Int") }
    if self.is(FloatLiteralExprSyntax.self) { return .named("Double") }
    if self.is(BooleanLiteralExprSyntax.self) { return .named("Bool") }
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      return prefix.expression.evidentType
    }
    if let array = self.as(ArrayExprSyntax.self), let element = Self.common(array.elements.map(\.expression)) {
      return TypeSyntax(ArrayTypeSyntax(element: element))
    }
    if let dictionary = self.as(DictionaryExprSyntax.self), case .elements(let elements) = dictionary.content,
      let key = Self.common(elements.map(\.key)), let value = Self.common(elements.map(\.value))
    {
      return TypeSyntax(
        DictionaryTypeSyntax(key: key, colon: .colonToken(trailingTrivia: .space), value: value))
    }
    // The type of these is not evident from their name.
    if let call = self.as(FunctionCallExprSyntax.self), let name = call.calledExpression.typeName,
      !["Array", "Set", "Dictionary"].contains(name)
    {
      return TypeSyntax("\(call.calledExpression.trimmed)")
    }
    if let member = self.as(MemberAccessExprSyntax.self), let base = member.base, let name = base.typeName,
      Self.selfTyped.contains("\(name).\(member.declName.baseName.text)") || !Self.known.contains(name)
    {
      return TypeSyntax("\(base.trimmed)")
    }
    return nil
  }

  /// The common evident type of all of them; nil if they differ or there are none.
  private static func common(_ expressions: [ExprSyntax]) -> TypeSyntax? {
    let types = expressions.map(\.evidentType)
    guard let first = types.first, let first, types.allSatisfy({ $0?.trimmedDescription == first.trimmedDescription })
    else { return nil }
    return first
  }

  /// Types whose members have many different types. A member of any other type is most likely a case of an enum, with
  /// that enum as its type.
  private static let known: Set<String> = [
    "Array", "Bool", "Calendar", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Float", "Int", "Int8",
    "Int16", "Int32", "Int64", "Locale", "ProcessInfo", "Self", "Set", "String", "TimeZone", "UInt", "UInt8", "UInt16",
    "UInt32", "UInt64", "URL", "UUID",
  ]

  /// Members that are of the type they are written on.
  private static let selfTyped: Set<String> = [
    "Date.now", "Date.distantPast", "Date.distantFuture", "Decimal.nan", "Decimal.zero", "Double.pi", "Double.infinity",
    "Double.nan", "Int.max",
    "Int.min", "Int64.max", "Int64.min",
  ]

  /// The name, if the expression is only a capitalised name.
  private var typeName: String? {
    if let member = self.as(MemberAccessExprSyntax.self), member.base?.typeName != nil,
      member.declName.argumentNames == nil
    {
      let name = member.declName.baseName.text
      return name.first?.isUppercase == true ? name : nil
    }
    guard let reference = self.as(DeclReferenceExprSyntax.self), reference.argumentNames == nil else { return nil }
    let name = reference.baseName.text
    return name.first?.isUppercase == true ? name : nil
  }

  /// Whether it is a literal, which always has the same value.
  var isLiteral: Bool {
    if let string = self.as(StringLiteralExprSyntax.self) {
      return string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      return prefix.expression.isLiteral
    }
    if let array = self.as(ArrayExprSyntax.self) { return array.elements.allSatisfy(\.expression.isLiteral) }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
      || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
  }
}

extension TypeSyntax {
  /// The type of that name.
  fileprivate static func named(_ name: String) -> TypeSyntax {
    TypeSyntax(IdentifierTypeSyntax(name: .identifier(name)))
  }
}
