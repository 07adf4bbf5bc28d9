internal import Values

extension Reduction {
  /// The result for some values of a type; nil and NaN are skipped, except by the count.
  func value(of values: [Value], type: ExpressionType) -> Value {
    if type == .decimal, let value = Self.decimal(self, values) { return value }
    let isWhole = self.type(of: type) == .int
    switch self {
    case .count: return .int(Int64(values.count))
    case .list: return .list(values)
    case .sum: return Self.sum(values, isWhole: isWhole)
    case .average: return Self.average(values)
    case .minimum: return Self.extreme(values, sign: -1)
    case .maximum: return Self.extreme(values, sign: 1)
    case .median: return Self.median(Self.numbers(values))
    case .mode: return Self.mode(values)
    case .deviation: return Self.deviation(Self.numbers(values))
    }
  }

  /// The exact result for Decimals; nil (not `.null`) for reductions that treat all types alike.
  private static func decimal(_ reduction: Reduction, _ values: [Value]) -> Value? {
    var numbers: [DecimalValue] = []
    for case .decimal(let number) in values where !number.isNaN { numbers.append(number) }
    func sum(_ numbers: some Sequence<DecimalValue>) -> DecimalSum {
      var sum = DecimalSum()
      for number in numbers { sum.add(number) }
      return sum
    }
    switch reduction {
    case .sum: return sum(numbers).value.map(Value.decimal) ?? .null
    case .average: return sum(numbers).average.map(Value.decimal) ?? .null
    case .median:
      numbers.sort { DecimalValue.compare($0, $1) ?? 0 < 0 }
      let middle = numbers.dropFirst((numbers.count - 1) / 2).prefix(numbers.count % 2 == 1 ? 1 : 2)
      return sum(middle).average.map(Value.decimal) ?? .null
    case .count, .minimum, .maximum, .mode, .deviation, .list: return nil
    }
  }

  /// nil if the sum of integers overflows; intermediate sums may exceed the range.
  private static func sum(_ values: [Value], isWhole: Bool) -> Value {
    isWhole ? Int64(exactly: wholeSum(values)).map(Value.int) ?? .null : .double(exactSum(values).value)
  }

  private static func wholeSum(_ values: [Value]) -> Int128 {
    var sum: Int128 = 0
    for case .int(let number) in values { sum += Int128(number) }
    return sum
  }

  /// The exact sum of integers and Doubles; NaN is skipped.
  private static func exactSum(_ values: [Value]) -> ExactSum {
    var sum = ExactSum()
    sum.add(wholeSum(values))
    for value in values {
      if case .int = value { continue }
      if let number = Arithmetic.number(value), !number.isNaN { sum.add(number) }
    }
    return sum
  }

  private static func average(_ values: [Value]) -> Value {
    let count = numbers(values).count
    return count == 0 ? .null : .double(exactSum(values).value / Double(count))
  }

  private static func extreme(_ values: [Value], sign: Int) -> Value {
    var best = Value.null
    for value in values where ValueOrder.isComparable(value) {
      if best.isNull || (ValueOrder.compare(value, best) ?? 0) * sign > 0 { best = value }
    }
    return best
  }

  private static func median(_ numbers: [Double]) -> Value {
    if numbers.isEmpty { return .null }
    let numbers = numbers.sorted()
    let middle = numbers.count / 2
    return .double(numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2)
  }

  /// The most frequent value; the smallest if there are several.
  private static func mode(_ values: [Value]) -> Value {
    let sorted = values.filter(ValueOrder.isComparable).sorted { SortOrder.compare($0, $1) < 0 }
    var best = Value.null
    var most = 0
    var first = 0
    for place in sorted.indices {
      if !ValueOrder.areEqual(sorted[first], sorted[place]) { first = place }
      if place - first + 1 > most {
        most = place - first + 1
        best = sorted[first]
      }
    }
    return best
  }

  /// The standard deviation of the population.
  private static func deviation(_ numbers: [Double]) -> Value {
    if numbers.isEmpty { return .null }
    let count = Double(numbers.count)
    let mean = exactSum(of: numbers) / count
    return .double((exactSum(of: numbers.map { ($0 - mean) * ($0 - mean) }) / count).squareRoot())
  }

  private static func exactSum(of numbers: [Double]) -> Double {
    var sum = ExactSum()
    for number in numbers where !number.isNaN { sum.add(number) }
    return sum.value
  }

  /// The numbers among the values, as Doubles, without NaN.
  private static func numbers(_ values: [Value]) -> [Double] {
    values.compactMap { value in Arithmetic.number(value).flatMap { $0.isNaN ? nil : $0 } }
  }
}
