internal import PredicateLanguage

/// An aggregate of a group's objects: `@count`, `@avg.magnitude`. nil and NaN are skipped, except by `@count`.
struct GroupAggregate: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case count, sum
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
    /// The distinct values, in the order of their first occurrence.
    case distinct = "distinctUnionOfObjects"
    /// The number of distinct values.
    case distinctCount
  }

  let kind: Kind
  /// The argument for each object: a value, or several as a list. nil for `@count`.
  let argument: BoundExpression?

  /// The argument, if each object has several values.
  var elements: BoundCollection? {
    if case .reduced(.list, let collection)? = argument { collection } else { nil }
  }

  /// The type of the argument's values; nil if they have several types.
  var elementType: ExpressionType? { elements.map(\.elementType) ?? argument?.type }

  /// The type of the result for an argument of a type; nil if the aggregate does not take that type.
  static func type(_ kind: Kind, of argument: ExpressionType) -> ExpressionType? {
    switch kind {
    case .count, .distinctCount: return .int
    case .sum:
      switch argument {
      case .null: return .int
      case .int, .double, .decimal, .number: return argument
      case .float: return .double
      default: return nil
      }
    case .average:
      if argument == .decimal { return .decimal }
      return argument.isNumeric || argument == .null ? .double : nil
    case .minimum, .maximum:
      return argument.hasOrder ? argument : nil
    case .distinct: return .list
    }
  }

  /// The type of its value.
  var type: ExpressionType { Self.type(kind, of: elementType ?? .int) ?? .null }
}
