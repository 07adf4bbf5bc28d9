internal import Storage
internal import Values

/// What values of any kind come to while they are taken in one by one: their sum, or the least or greatest of them.
struct ValueAccumulator {
  private var edge = Value.null
  private var numbers = NumberAccumulator()
  private var hasReal: Bool

  /// Nothing yet. Where all numbers are Doubles the sum is one, also that of none.
  init(isReal: Bool = false) { hasReal = isReal }

  /// Takes a value in that is neither nil nor NaN.
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

  /// What they come to.
  func value(_ aggregate: Aggregate) -> Value {
    switch aggregate {
    case .minimum, .maximum: edge
    case .sum, .average: numbers.mixed(aggregate, hasReal: hasReal)
    }
  }
}
