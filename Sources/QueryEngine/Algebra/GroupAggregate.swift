internal import PredicateLanguage

/// What the objects of a group are reduced to: `@count`, `@avg.magnitude`. nil and NaN are skipped, except by `@count`.
struct GroupAggregate: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case count, sum
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
    /// The distinct values, in the order in which they come first.
    case distinct = "distinctUnionOfObjects"
    /// How many distinct values there are.
    case distinctCount
  }

  let kind: Kind
  /// What is reduced, of each object: a value, or many as a list. nil for `@count`.
  let argument: BoundExpression?

  /// What is reduced, where each object has many.
  var elements: BoundCollection? {
    if case .reduced(.list, let collection)? = argument { collection } else { nil }
  }

  /// The type of what is reduced; nil where it is of several.
  var elementType: ExpressionType? { elements.map(\.elementType) ?? argument?.type }

  /// The type of the result for an argument of a type; nil where there is none.
  static func type(_ kind: Kind, of argument: ExpressionType) -> ExpressionType? {
    switch kind {
    case .count, .distinctCount: return .int
    case .sum:
      switch argument {
      case .null: return .int
      case .int, .double, .number: return argument
      case .float: return .double
      default: return nil
      }
    case .average: return argument.isNumeric || argument == .null ? .double : nil
    case .minimum, .maximum:
      return argument.hasOrder ? argument : nil
    case .distinct: return .list
    }
  }

  /// The type of its value.
  var type: ExpressionType { Self.type(kind, of: elementType ?? .int) ?? .null }
}
