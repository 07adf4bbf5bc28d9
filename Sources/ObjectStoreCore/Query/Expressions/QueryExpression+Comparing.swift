internal import PredicateLanguage

// Each operator is declared for a property and a value, for two properties, and for a value and a property. The
// property determines the type of the value, so that the compiler need not infer it.

extension QueryExpression where Value: QueryOperand {
  /// Equal; of a collection, any of its elements.
  public static func == (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> {
    left.compared(.equal, right)
  }

  /// Equal, or both nil.
  @_disfavoredOverload
  public static func == (left: Self, right: Value.QueryBase?) -> QueryExpression<Bool> {
    left.compared(.equal, right)
  }

  /// Equal.
  public static func == (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.equal, left)
  }

  /// Equal.
  public static func == <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .equal, right.term))
  }

  /// Unequal; of a collection, any of its elements.
  public static func != (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> {
    left.compared(.notEqual, right)
  }

  /// Whether both sides differ; either may be nil.
  @_disfavoredOverload
  public static func != (left: Self, right: Value.QueryBase?) -> QueryExpression<Bool> {
    left.compared(.notEqual, right)
  }

  /// Unequal.
  public static func != (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.notEqual, left)
  }

  /// Unequal.
  public static func != <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .notEqual, right.term))
  }

  /// Among the values.
  ///
  /// ```swift
  /// let chosen = tasks.where { $0.priority.in([5, 6]) }
  /// ```
  public func `in`(_ values: [Value.QueryBase]) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, .isIn, .list(values.map(\.queryValue))))
  }

  /// Whether the value is among the given ones, which may include nil.
  @_disfavoredOverload
  public func `in`(_ values: [Value.QueryBase?]) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, .isIn, .list(values.map(\.queryValue))))
  }

  fileprivate func compared(_ comparator: Comparator, _ value: Value.QueryBase?) -> QueryExpression<Bool> {
    // A condition compared with a constant is that condition or its opposite.
    if case .predicate(let predicate) = term.node, let value = value as? Bool {
      let isSame = (comparator == .equal) == value
      return QueryExpression<Bool>(QueryTerm(isSame ? predicate : predicate.negated, of: [term]))
    }
    return QueryExpression<Bool>(.comparison(term, comparator, value.queryValue))
  }

  fileprivate func comparedReversed(_ comparator: Comparator, _ value: Value.QueryBase) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(QueryTerm(value.queryValue), comparator, term))
  }
}

extension QueryExpression where Value: QueryOperand, Value.QueryBase: Comparable {
  /// Less; of a collection, any of its elements.
  public static func < (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> { left.compared(.less, right) }

  /// Less.
  public static func < (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.less, left)
  }

  /// Less.
  public static func < <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .less, right.term))
  }

  /// Less or equal; of a collection, any of its elements.
  public static func <= (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> {
    left.compared(.lessOrEqual, right)
  }

  /// Less or equal.
  public static func <= (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.lessOrEqual, left)
  }

  /// Less or equal.
  public static func <= <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .lessOrEqual, right.term))
  }

  /// Greater; of a collection, any of its elements.
  public static func > (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> { left.compared(.greater, right) }

  /// Greater.
  public static func > (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.greater, left)
  }

  /// Greater.
  public static func > <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .greater, right.term))
  }

  /// Greater or equal; of a collection, any of its elements.
  public static func >= (left: Self, right: Value.QueryBase) -> QueryExpression<Bool> {
    left.compared(.greaterOrEqual, right)
  }

  /// Greater or equal.
  public static func >= (left: Value.QueryBase, right: Self) -> QueryExpression<Bool> {
    right.comparedReversed(.greaterOrEqual, left)
  }

  /// Greater or equal.
  public static func >= <Other: QueryOperand>(
    left: Self, right: QueryExpression<Other>
  ) -> QueryExpression<Bool> where Other.QueryBase == Value.QueryBase {
    QueryExpression<Bool>(.comparison(left.term, .greaterOrEqual, right.term))
  }

  /// Within both bounds; of a collection, any of its elements.
  ///
  /// ```swift
  /// let between = quakes.where { $0.time.contains(start...end) }
  /// ```
  public func contains(_ range: ClosedRange<Value.QueryBase>) -> QueryExpression<Bool> {
    between(range.lowerBound.queryValue, range.upperBound.queryValue)
  }

  /// Whether the value lies in a half-open range. An empty range matches nothing.
  ///
  /// ```swift
  /// let between = quakes.where { $0.magnitude.contains(2.5..<5.1) }
  /// ```
  public func contains(_ range: Range<Value.QueryBase>) -> QueryExpression<Bool>
  where Value.QueryBase: QueryRangeBound {
    guard let bounds = range.queryValue.bounds else { return between(.null, .null) }
    return between(bounds.lower, bounds.upper)
  }

  private func between(_ lower: StoredValue, _ upper: StoredValue) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, .between, .list([lower, upper])))
  }
}

extension QueryExpression where Value: QueryOperand {
  /// Leads to the object.
  public static func == <Target>(left: Self, right: some Linkable<Target>) -> QueryExpression<Bool>
  where Value.QueryBase == Link<Target> {
    left.compared(.equal, right.asLink)
  }

  /// Leads to another object, or to none.
  public static func != <Target>(left: Self, right: some Linkable<Target>) -> QueryExpression<Bool>
  where Value.QueryBase == Link<Target> {
    left.compared(.notEqual, right.asLink)
  }
}
