extension Array: QueryArgument where Element: QueryArgument {
  /// A list, for IN and BETWEEN.
  public var queryValue: Value { .list(map(\.queryValue)) }
}

extension Set: QueryArgument where Element: QueryArgument {
  /// A list in ascending order, for IN.
  public var queryValue: Value { .list(Value.ascending(map(\.queryValue))) }
}

extension ClosedRange: QueryArgument where Bound: QueryArgument {
  /// The range, for BETWEEN and IN.
  public var queryValue: Value { .range(lowerBound.queryValue, upperBound.queryValue) }
}

/// A value with a next smaller one, so that a half-open range can be converted to a closed one.
public protocol QueryRangeBound: QueryArgument, Comparable {
  /// The next smaller value; nil if there is none.
  var predecessor: Self? { get }
}

extension Range: QueryArgument where Bound: QueryRangeBound {
  /// The closed range from the lower bound to the last value below the upper one, for BETWEEN and IN. An empty range
  /// matches nothing.
  public var queryValue: Value {
    // No value lies between nil and nil, regardless of the type.
    guard !isEmpty, let last = upperBound.predecessor else { return .range(.null, .null) }
    return .range(lowerBound.queryValue, last.queryValue)
  }
}
