internal import Values

/// The sum and the average of Decimals, exact.
struct DecimalTotal: Accumulator {
  private var sum = DecimalSum()

  static var takesValues: Bool { true }

  mutating func add(_ value: Value) {
    if case .decimal(let number) = value, !number.isNaN { sum.add(number) }
  }

  mutating func merge(_ other: DecimalTotal) { sum.add(other.sum) }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    (function == .sum ? sum.value : sum.average).map(Value.decimal) ?? .null
  }
}
