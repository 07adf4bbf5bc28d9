internal import Values

/// The sum and the average of Decimals, and of Ints among them, exact.
struct DecimalTotal: Accumulator {
  private var sum = DecimalSum()

  static var takesValues: Bool { true }

  mutating func add(_ value: Value) {
    if let number = value.exact, !number.isNaN { sum.add(number) }
  }

  mutating func merge(_ other: DecimalTotal) { sum.add(other.sum) }

  func value(_ function: AggregateFunction, of type: ExpressionType) -> Value {
    (function == .sum ? sum.value : sum.average).map(Value.decimal) ?? .null
  }
}

extension Value {
  /// A Decimal, or an Int as one.
  var exact: DecimalValue? {
    switch self {
    case .decimal(let number): number
    case .int(let number): DecimalValue(number)
    case .null, .bool, .float, .double, .string, .date, .uuid, .data, .list, .embedded, .object: nil
    }
  }
}
