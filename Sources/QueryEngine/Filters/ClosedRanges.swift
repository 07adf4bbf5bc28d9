internal import Values

/// Converts the interval of a test to a closed range of machine numbers, as kernels need it: `x > 5` is
/// `x >= 5.000000000000001` for Doubles and `x >= 6` for integers.
struct ClosedRanges {
  /// The range of integers; nil if it is empty.
  static func integers(_ interval: ValueInterval) -> (lower: Int64, upper: Int64)? {
    var lower = Int64.min
    var upper = Int64.max
    switch interval.lower {
    case .included(.int(let value)): lower = value
    case .excluded(.int(let value)):
      if value == .max { return nil }
      lower = value + 1
    default: break
    }
    switch interval.upper {
    case .included(.int(let value)): upper = value
    case .excluded(.int(let value)):
      if value == .min { return nil }
      upper = value - 1
    default: break
    }
    return lower <= upper ? (lower, upper) : nil
  }

  /// The range of the integers that are Decimals of an interval when divided by `10^places`; nil if it is empty.
  static func integers(_ interval: ValueInterval, places: Int) -> (lower: Int64, upper: Int64)? {
    func whole(_ bound: ValueInterval.Bound, isLower: Bool) -> ValueInterval.Bound? {
      guard let number = bound.value?.exact else { return .unbounded }
      let isIncluded = if case .included = bound { true } else { false }
      if let whole = number.integer(places: places) {
        return isIncluded ? .included(.int(whole)) : .excluded(.int(whole))
      }
      if number.isNaN { return nil }
      return ColumnInterval.whole(number.shifted(places), isLower: isLower, isIncluded: isIncluded)
    }
    guard let lower = whole(interval.lower, isLower: true), let upper = whole(interval.upper, isLower: false)
    else { return nil }
    return integers(ValueInterval(lower: lower, upper: upper))
  }

  /// The range of UUIDs; nil if it is empty.
  static func uuids(_ interval: ValueInterval) -> (lower: UUIDBytes, upper: UUIDBytes)? {
    var lower = UUIDBytes(high: 0, low: 0)
    var upper = UUIDBytes(high: .max, low: .max)
    switch interval.lower {
    case .included(.uuid(let id)): lower = id
    case .excluded(.uuid(let id)):
      if id == upper { return nil }
      lower = UUIDBytes(high: id.low == .max ? id.high + 1 : id.high, low: id.low &+ 1)
    case .unbounded, .included, .excluded: break
    }
    switch interval.upper {
    case .included(.uuid(let id)): upper = id
    case .excluded(.uuid(let id)):
      if id == UUIDBytes(high: 0, low: 0) { return nil }
      upper = UUIDBytes(high: id.low == 0 ? id.high - 1 : id.high, low: id.low &- 1)
    case .unbounded, .included, .excluded: break
    }
    return lower <= upper ? (lower, upper) : nil
  }

  /// The range of Doubles, or of the seconds of dates; nil if it is empty.
  static func doubles(_ interval: ValueInterval) -> (lower: Double, upper: Double)? {
    func number(_ value: Value) -> Double? {
      if case .date(let instant) = value { instant.seconds } else { Arithmetic.number(value) }
    }
    return floating(interval, number)
  }

  /// The range of Floats; nil if it is empty.
  static func floats(_ interval: ValueInterval) -> (lower: Float, upper: Float)? {
    floating(interval) { if case .float(let number) = $0 { number } else { nil } }
  }

  private static func floating<T: BinaryFloatingPoint>(
    _ interval: ValueInterval, _ number: (Value) -> T?
  ) -> (lower: T, upper: T)? {
    var lower = -T.infinity
    var upper = T.infinity
    if let value = interval.lower.value.flatMap(number) {
      lower = value
      if case .excluded = interval.lower {
        if value == .infinity { return nil }
        lower = value.nextUp
      }
    }
    if let value = interval.upper.value.flatMap(number) {
      upper = value
      if case .excluded = interval.upper {
        if value == -.infinity { return nil }
        upper = value.nextDown
      }
    }
    return lower <= upper ? (lower, upper) : nil
  }
}
