internal import Storage
internal import Values

/// An aggregate of values of any type, which are added one by one: their sum, minimum or maximum.
struct ValueAccumulator {
  private var edge = Value.null
  private var numbers = NumberAccumulator()
  private var hasReal: Bool

  /// An empty accumulator. If `isReal`, the sum is a Double even without values.
  init(isReal: Bool = false) { hasReal = isReal }

  /// Adds a value that is neither nil nor NaN.
  mutating func take(_ value: Value, _ aggregate: Aggregate) {
    switch aggregate {
    case .minimum: if ValueOrder.compare(value, edge) ?? -1 < 0 { edge = value }
    case .maximum: if ValueOrder.compare(value, edge) ?? 1 > 0 { edge = value }
    case .sum, .average:
      if case .int(let number) = value {
        numbers.add(aggregate, number)
      } else if let number = Arithmetic.number(value) {
        numbers.add(aggregate, number)
        hasReal = true
      }
    }
  }

  /// The aggregate of the values.
  func value(_ aggregate: Aggregate) -> Value {
    switch aggregate {
    case .minimum, .maximum: edge
    case .sum, .average: numbers.mixed(aggregate, hasReal: hasReal)
    }
  }
}
