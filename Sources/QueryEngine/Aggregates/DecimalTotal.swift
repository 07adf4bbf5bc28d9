internal import Storage
internal import Values

/// The sum and the average of Decimals, and of Ints among them, exact.
struct DecimalTotal: Accumulator {
  private var sum = DecimalSum()

  static var takesValues: Bool { true }
  static var storedType: ExpressionType? { .decimal }

  mutating func add(_ value: Value) {
    if let number = value.exact, !number.isNaN { sum.add(number) }
  }

  mutating func add(_ column: RawColumn, _ mask: Mask) -> Bool {
    guard let numbers = column.numbers else { return false }
    let mask = mask.andNot(column.nulls)
    var total = Int128(numbers.base) &* Int128(mask.count)
    if let offsets = numbers.sumOfOffsets(mask, slotCount: Int(column.slotCount)) {
      total &+= Int128(offsets)
    } else {
      mask.forEach { total &+= Int128(numbers.integer($0)) }
    }
    sum.add(total, places: numbers.exponent, count: mask.count)
    return true
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
