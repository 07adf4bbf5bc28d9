extension Array: QueryArgument where Element: QueryArgument {
  /// A list, for IN and BETWEEN.
  public var queryValue: Value { .list(map(\.queryValue)) }
}

extension Set: QueryArgument where Element: QueryArgument & Comparable {
  /// A list in ascending order, for IN.
  public var queryValue: Value { .list(sorted().map(\.queryValue)) }
}

extension ClosedRange: QueryArgument where Bound: QueryArgument {
  /// The list of both bounds, for BETWEEN.
  public var queryValue: Value { .list([lowerBound.queryValue, upperBound.queryValue]) }
}

/// A value with a next smaller one, so that a half-open range has an inclusive end.
public protocol QueryRangeBound: QueryArgument, Comparable {
  /// The next smaller value; nil when there is none.
  var predecessor: Self? { get }
}

extension Range: QueryArgument where Bound: QueryRangeBound {
  /// The list of the lower bound and the last value below the upper one, for BETWEEN. An empty range matches nothing.
  public var queryValue: Value {
    guard !isEmpty, let last = upperBound.predecessor else { return .list([1.queryValue, 0.queryValue]) }
    return .list([lowerBound.queryValue, last.queryValue])
  }
}
