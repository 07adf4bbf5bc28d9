import SwiftSyntax

/// A stored property of a model, as written in the source.
struct StoredProperty {
  /// The name without backticks.
  let name: String
  /// The name as written, with backticks if needed.
  let identifier: TokenSyntax
  /// The declared or evident type.
  let type: TypeSyntax
  /// The initial value.
  let initialValue: ExprSyntax?
  /// Whether it is `@Attribute(.codable)`.
  let isCodable: Bool
  /// The options of its `@Attribute` that are indexes.
  let indexOptions: [AttributeArguments.Option]
  /// The `originalName:` of its `@Attribute`.
  let originalNames: [ExprSyntax]
  /// Whether it is a `var`, so that an optional one starts as nil.
  let isVariable: Bool
  /// The delete rule of its `@Relationship`, as spelt in `DeleteRule`.
  let deleteRule: String?
  /// The contents of its `@Inverse`.
  let inverse: LinkArguments.Inverse?

  /// Its index kinds, as spelt in `IndexKind`.
  var indexes: [String] { indexOptions.map(\.kind.rawValue) }

  /// The parameter of the memberwise initialiser.
  var parameter: String {
    var parameter = "\(identifier.trimmedDescription): \(type.trimmedDescription)"
    if let initialValue {
      parameter += " = \(initialValue.trimmedDescription)"
    } else if case .list? = LinkType(type) {
      parameter += " = []"
    } else if isVariable, type.isOptionalSugar {
      parameter += " = nil"
    }
    return parameter
  }

  /// The initial value if it is a literal: the value for objects that were stored before the property existed.
  var literalDefault: ExprSyntax? {
    guard let initialValue, initialValue.isLiteral, !isCodable else { return nil }
    return initialValue
  }

  /// The initial value if it is a member of a type, `Status.open` or `.open`: for an enum it always has the same value.
  var memberDefault: ExprSyntax? {
    guard let initialValue, initialValue.is(MemberAccessExprSyntax.self), !isCodable else { return nil }
    return initialValue
  }

  /// The initial value if it is an expression: it runs separately for each of those objects.
  var madeDefault: ExprSyntax? {
    guard let initialValue, isCodable || !initialValue.isLiteral, memberDefault == nil else { return nil }
    return initialValue
  }

  /// The `GeneratedDefault` for such an expression, which can be stored in the file; nil for others.
  var generatedDefault: String? {
    let type = type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
    return switch (type.trimmedDescription, initialValue?.trimmedDescription) {
    case ("UUID", "UUID()"), ("UUID", ".init()"): "uuid"
    case ("Date", "Date()"), ("Date", "Date.now"), ("Date", ".now"), ("Date", ".init()"): "now"
    default: nil
    }
  }
}

extension VariableDeclSyntax {
  /// Whether it belongs to the type and not to its values.
  var isStatic: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.static) } }
}

extension PatternBindingSyntax {
  /// Whether it has a getter; a property with observers is still stored.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .none: false
    case .getter: true
    case .accessors(let list):
      !list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

extension TypeSyntax {
  /// Whether it is written `T?`.
  var isOptionalSugar: Bool { self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) }
}
