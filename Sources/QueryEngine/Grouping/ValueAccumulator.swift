internal import Storage
internal import Values

/// An aggregate of values of any type, which are added one by one: their sum, minimum or maximum.
struct ValueAccumulator {
  private var edge = Value.null
  private var numbers = NumberAccumulator()
  /// The sum, if all values are Decimals.
  private var decimals: DecimalSum?
  private var hasReal: Bool

  /// An empty accumulator of a type: the sum of Doubles or Decimals is one even without values.
  init(_ type: ExpressionType) {
    hasReal = type == .double || type == .float
    decimals = type == .decimal ? DecimalSum() : nil
  }

  /// Adds a value that is neither nil nor NaN.
  mutating func take(_ value: Value, _ aggregate: Aggregate) {
    switch aggregate {
    case .minimum: if ValueOrder.compare(value, edge) ?? -1 < 0 { edge = value }
    case .maximum: if ValueOrder.compare(value, edge) ?? 1 > 0 { edge = value }
    case .sum, .average:
      if case .int(let number) = value {
        numbers.add(aggregate, number)
      } else if case .decimal(let number) = value, decimals != nil {
        decimals?.add(number)
      } else if let number = Arithmetic.number(value) {
        numbers.add(aggregate, number)
        hasReal = true
      }
    }
  }

  /// The aggregate of the values.
  func value(_ aggregate: Aggregate) -> Value {
    switch aggregate {
    case .minimum, .maximum: return edge
    case .sum:
      if let decimals { return decimals.value.map(Value.decimal) ?? .null }
      return numbers.mixed(.sum, hasReal: hasReal)
    case .average:
      if let decimals { return decimals.average.map(Value.decimal) ?? .null }
      return numbers.mixed(.average, hasReal: hasReal)
    }
  }
}
