package import Values

/// An interval of values of one type. nil and NaN are in no interval.
package struct ValueInterval: Hashable, Sendable {
  /// A bound of an interval.
  package enum Bound: Hashable, Sendable {
    case unbounded
    case included(Value)
    case excluded(Value)

    /// The bound's value; nil if unbounded.
    var value: Value? {
      switch self {
      case .unbounded: nil
      case .included(let value), .excluded(let value): value
      }
    }
  }

  package var lower: Bound
  package var upper: Bound

  package init(lower: Bound = .unbounded, upper: Bound = .unbounded) {
    self.lower = lower
    self.upper = upper
  }

  /// The interval that contains a single value.
  package static func exactly(_ value: Value) -> ValueInterval {
    ValueInterval(lower: .included(value), upper: .included(value))
  }

  /// The only value in the interval, if both bounds are the same.
  package var single: Value? {
    guard case .included(let low) = lower, case .included(let high) = upper, ValueOrder.areEqual(low, high) else {
      return nil
    }
    return low
  }

  /// Whether no value can be in the interval. An interval of integers that contains no integer, such as 2 < x < 3, is
  /// not recognised.
  package var isEmpty: Bool {
    guard let low = lower.value, let high = upper.value else { return false }
    guard let order = ValueOrder.compare(low, high) else { return true }
    if order != 0 { return order > 0 }
    if case .included = lower, case .included = upper { return false }
    return true
  }

  /// The values in both intervals.
  package func intersection(_ other: ValueInterval) -> ValueInterval {
    ValueInterval(
      lower: Self.tighter(lower, other.lower, sign: 1), upper: Self.tighter(upper, other.upper, sign: -1))
  }

  /// Whether the interval contains every value of another one, decided by the bounds.
  func covers(_ other: ValueInterval) -> Bool {
    Self.isAsTight(other.lower, as: lower, sign: 1) && Self.isAsTight(other.upper, as: upper, sign: -1)
  }

  /// Whether a bound is at least as tight as another.
  private static func isAsTight(_ end: Bound, as other: Bound, sign: Int) -> Bool {
    guard let bound = other.value else { return true }
    guard let value = end.value, let order = ValueOrder.compare(value, bound) else { return false }
    if order != 0 { return order * sign > 0 }
    if case .excluded = end { return true }
    if case .included = other { return true }
    return false
  }

  private static func tighter(_ a: Bound, _ b: Bound, sign: Int) -> Bound {
    guard let left = a.value else { return b }
    guard let right = b.value, let order = ValueOrder.compare(left, right) else { return a }
    if order == 0 {
      if case .excluded = a { return a }
      return b
    }
    return order * sign > 0 ? a : b
  }

  /// Whether the interval contains a value.
  package func contains(_ value: Value) -> Bool {
    switch lower {
    case .unbounded: break
    case .included(let low): guard let order = ValueOrder.compare(value, low), order >= 0 else { return false }
    case .excluded(let low): guard let order = ValueOrder.compare(value, low), order > 0 else { return false }
    }
    switch upper {
    case .unbounded: return lower.value != nil || ValueOrder.isComparable(value)
    case .included(let high): guard let order = ValueOrder.compare(value, high) else { return false }; return order <= 0
    case .excluded(let high): guard let order = ValueOrder.compare(value, high) else { return false }; return order < 0
    }
  }
}
