import Diagnostics
import Values

/// A model as written: types by name, defaults without a type. It does not know whether it is an entity or embedded.
struct ModelSyntax {
  /// The role declared with `@Model(.entity)` or `@Model(.embedded)`.
  enum Role: String {
    case entity, embedded
  }

  var name: String
  var range: SourceRange
  var role: Role?
  var originalNames: [String] = []
  var properties: [PropertySyntax] = []
  var indexes: [IndexSyntax] = []
}

/// A stored property as written.
struct PropertySyntax {
  var name: String
  var range: SourceRange
  var type: TypeSyntax?
  var initialValue: DefaultSyntax?
  var attributes: [AttributeSyntax]
}

/// A type as written.
struct TypeSyntax {
  indirect enum Kind {
    /// `Name` or `Name<…>`
    case named(String, [TypeSyntax])
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    case optional(TypeSyntax)
  }

  var kind: Kind
  var range: SourceRange
}

/// A default as written.
struct DefaultSyntax {
  enum Kind {
    case value(Value)
    /// `[…]` of literals.
    case list([Value])
    /// `[:]` or `["a": …]` of literals.
    case dictionary([EmbeddedField])
    /// `Date()`, `UUID()`: generated for each object.
    case generated(GeneratedDefault)
    /// `.infinity`, `.nan`: of whichever floating-point type is declared.
    case floating(Double)
  }

  var kind: Kind
  var range: SourceRange
}

/// `@Name(…)`, or the arguments of `#Index<T>(…)`.
struct AttributeSyntax {
  var name: String
  var range: SourceRange
  var arguments: [ArgumentSyntax] = []
}

extension AttributeSyntax {
  /// The arguments with their labels. Texts after a labelled text belong to it: `originalName: "mag", "m"`.
  var labelled: [ArgumentSyntax] {
    var labelled: [ArgumentSyntax] = []
    for var argument in arguments {
      if argument.label == nil, argument.isString, let last = labelled.last, last.isString {
        argument.label = last.label
      }
      labelled.append(argument)
    }
    return labelled
  }
}

/// One argument of an attribute.
struct ArgumentSyntax {
  enum Kind {
    /// `.name`
    case member(String)
    case string(String)
    /// `\Root.a.b`
    case keyPath(KeyPathSyntax)
    /// `[\.a, \.b]`
    case keyPaths([KeyPathSyntax])
    /// `.folded([\.a])`
    case kindOfKeyPaths(String, [KeyPathSyntax])
  }

  var label: String?
  var kind: Kind
  var range: SourceRange

  /// Whether it is a string.
  var isString: Bool { if case .string = kind { true } else { false } }
}

/// `\Root.a.b`; the root is optional.
struct KeyPathSyntax {
  var root: String?
  var names: [String]
  var range: SourceRange

  var path: String { names.joined(separator: ".") }
}

/// An index as written, by an attribute of its property or by `#Index` and `#Unique`.
struct IndexSyntax {
  var index: Index
  var range: SourceRange
}
