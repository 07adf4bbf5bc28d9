internal import PredicateLanguage
internal import Values

/// The values of a column's type that satisfy a relation to a constant, exactly: `x < 5.5` is `x < 6` for integers, and
/// no constant is rounded.
enum ColumnInterval {
  /// The interval of values `x` with `x comparator constant`; nil if it is empty. `comparator` is one of `==`, `<`,
  /// `<=`, `>`, `>=`; the constant is not nil and has a comparable type.
  static func of(_ comparator: Comparator, _ constant: Value, _ type: ExpressionType) -> ValueInterval? {
    guard ValueOrder.isComparable(constant) else { return nil }
    let lower: ValueInterval.Bound?
    let upper: ValueInterval.Bound?
    switch comparator {
    case .equal:
      lower = bound(constant, type, isLower: true, isIncluded: true)
      upper = bound(constant, type, isLower: false, isIncluded: true)
    case .greater, .greaterOrEqual:
      lower = bound(constant, type, isLower: true, isIncluded: comparator == .greaterOrEqual)
      upper = .unbounded
    case .less, .lessOrEqual:
      lower = .unbounded
      upper = bound(constant, type, isLower: false, isIncluded: comparator == .lessOrEqual)
    default: return nil
    }
    guard let lower, let upper else { return nil }
    let interval = ValueInterval(lower: lower, upper: upper)
    return interval.isEmpty ? nil : interval
  }

  /// A bound in the column's type; nil if no value of the type lies on that side of the constant.
  private static func bound(
    _ constant: Value, _ type: ExpressionType, isLower: Bool, isIncluded: Bool
  ) -> ValueInterval.Bound? {
    func end(_ value: Value, _ included: Bool) -> ValueInterval.Bound {
      included ? .included(value) : .excluded(value)
    }
    switch (type, constant) {
    case (.int, .double(let number)): return whole(number, isLower: isLower, isIncluded: isIncluded)
    case (.int, .float(let number)): return whole(Double(number), isLower: isLower, isIncluded: isIncluded)
    case (.double, .int(let number)):
      let near = Double(number)
      let order = ValueOrder.compare(number, near) ?? 0
      return end(.double(near), included(order, isLower, isIncluded))
    case (.double, .float(let number)): return end(.double(zeroed(Double(number))), isIncluded)
    case (.double, .double(let number)): return end(.double(zeroed(number)), isIncluded)
    case (.float, .double(let number)):
      let near = Float(number)
      let order = ValueOrder.compare(number, Double(near)) ?? 0
      return end(.float(near == 0 ? 0 : near), included(order, isLower, isIncluded))
    case (.float, .int(let number)):
      let near = Float(number)
      let order = ValueOrder.compare(number, Double(near)) ?? 0
      return end(.float(near), included(order, isLower, isIncluded))
    case (.float, .float(let number)): return end(.float(number == 0 ? 0 : number), isIncluded)
    case (.float, .decimal(let number)):
      let near = Float(number.double)
      let order = DecimalValue.compare(number, writtenAs: near) ?? 0
      return end(.float(near == 0 ? 0 : near), included(order, isLower, isIncluded))
    case (.double, .decimal(let number)):
      let near = number.double
      let order = DecimalValue.compare(number, writtenAs: near) ?? 0
      return end(.double(zeroed(near)), included(order, isLower, isIncluded))
    case (.int, .decimal(let number)): return whole(number, isLower: isLower, isIncluded: isIncluded)
    case (.decimal, .int(let number)): return end(.decimal(DecimalValue(number)), isIncluded)
    case (.decimal, .float(let number)):
      guard let written = DecimalValue(shortest: number) else {
        return decimal(beside: Double(number), isLower: isLower)
      }
      return end(.decimal(written), isIncluded)
    case (.decimal, .double(let number)):
      guard let written = DecimalValue(shortest: number) else { return decimal(beside: number, isLower: isLower) }
      return end(.decimal(written), isIncluded)
    default: return end(constant, isIncluded)
    }
  }

  /// Whether the nearest value of the type is included. `order` is the order of the constant relative to that value.
  private static func included(_ order: Int, _ isLower: Bool, _ isIncluded: Bool) -> Bool {
    order == 0 ? isIncluded : isLower ? order < 0 : order > 0
  }

  private static func zeroed(_ number: Double) -> Double { number == 0 ? 0 : number }

  private static func whole(_ number: Double, isLower: Bool, isIncluded: Bool) -> ValueInterval.Bound? {
    if number >= 0x1p63 { return isLower ? nil : .unbounded }
    if number < -0x1p63 { return isLower ? .unbounded : nil }
    let down = number.rounded(.down)
    guard let floor = Int64(exactly: down) else { return nil }
    if down == number { return isIncluded ? .included(.int(floor)) : .excluded(.int(floor)) }
    // Between floor and floor + 1: values above the constant exceed floor, values below are at most floor.
    return isLower ? .excluded(.int(floor)) : .included(.int(floor))
  }

  /// The integers on one side of a number; nil if there are none.
  static func whole(_ number: DecimalValue, isLower: Bool, isIncluded: Bool) -> ValueInterval.Bound? {
    if let whole = number.integer { return isIncluded ? .included(.int(whole)) : .excluded(.int(whole)) }
    guard let floor = number.rounded(.down)?.integer else {
      return number.isNegative == isLower ? .unbounded : nil
    }
    return isLower ? .excluded(.int(floor)) : .included(.int(floor))
  }

  /// The end of decimal numbers beside a Double that none of them is written as: it is too large, or too near to zero.
  private static func decimal(beside number: Double, isLower: Bool) -> ValueInterval.Bound? {
    if abs(number) > 1 { return (number < 0) == isLower ? .unbounded : nil }
    return (number < 0) == isLower ? .included(.decimal(.zero)) : .excluded(.decimal(.zero))
  }
}
