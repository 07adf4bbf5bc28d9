import Foundation
import Values

/// Aggregates by the tables of §3 and §8: nil and NaN are skipped, except by the count; of nothing the count and the sum
/// are 0 and the others are nil.
enum OracleAggregates {
  /// The functions that take many values.
  static let functions: Set<String> = ["sum", "count", "min", "max", "average", "median", "mode", "stddev"]

  /// The type of an aggregate over values of these types; nil when there is no such aggregate.
  static func type(_ name: String, _ types: [OracleType]) throws(OracleError) -> OracleType? {
    let isInteger = types.allSatisfy(\.isIntOrNull)
    switch name {
    case "count": return .int
    case "min", "max", "mode":
      var result = OracleType.null
      for type in types where type != .null && type != result {
        guard type.isScalar, result == .null || (result.isNumber && type.isNumber) else {
          throw OracleError("values of two types")
        }
        result = result == .null ? type : .number
      }
      return result
    case _ where name.hasPrefix("percentile("), "sum", "avg", "average", "median", "stddev":
      guard types.allSatisfy(\.isNumberOrNull) else { throw OracleError("'\(name)' is of numbers") }
      let isDecimal = types.contains(.decimal) && types.allSatisfy(\.isExactOrNull)
      if isDecimal, name != "stddev" { return .decimal }
      return name == "sum" && isInteger ? .int : .double
    default: return nil
    }
  }

  /// What is defined of a result.
  enum Precision {
    /// The bits: of a sum, and of an average, which is one divided by the count.
    case bits
    /// As many digits as Doubles have: of a standard deviation.
    case digits
    /// The value: of two equal zeros it may be either.
    case value
  }

  /// What is defined of an aggregate, by its name after `@` or as a function.
  static func precision(_ name: String) -> Precision {
    switch name {
    case "sum", "avg", "average": .bits
    case "stddev": .digits
    default: .value
    }
  }

  /// Whether two results of an aggregate are the same.
  static func agree(_ name: String, _ left: Value, _ right: Value) -> Bool { agree(precision(name), left, right) }

  static func agree(_ precision: Precision, _ left: Value, _ right: Value) -> Bool {
    switch (precision, left, right) {
    case (.bits, _, _): OracleValues.identical(left, right)
    case (.digits, .double(let a), .double(let b)): OracleDeviation.agree(a, b)
    case (.digits, _, _), (.value, _, _): OracleValues.same(left, right)
    }
  }

  /// - Parameter type: what the result is.
  static func reduce(_ name: String, _ values: [Value], type: OracleType) -> Value {
    let isInteger = type == .int
    if type == .decimal, let exact = decimal(name, values) { return exact }
    let kept = values.filter { OracleValues.order($0, $0) != nil }
    let numbers = kept.compactMap(OracleArithmetic.double)
    switch name {
    case "count": return .int(Int64(values.count))
    case "min": return kept.min(by: OracleValues.sortsBefore) ?? .null
    case "max": return kept.max(by: OracleValues.sortsBefore) ?? .null
    case "sum" where isInteger: return Int64(exactly: wholeSum(kept)).map(Value.int) ?? .null
    case "sum": return .double(exactSum(kept))
    case "mode": return mode(kept)
    case "median": return median(numbers.sorted())
    case _ where name.hasPrefix("percentile("):
      return percentile(name, numbers.sorted().map { .double($0) })
    case "stddev":
      return numbers.isEmpty ? .null : .double(OracleDeviation.shown(numbers))
    default:
      if kept.isEmpty { return .null }
      return .double(exactSum(kept) / Double(kept.count))
    }
  }

  /// Of decimal numbers, exactly.
  private static func decimal(_ name: String, _ values: [Value]) -> Value? {
    var numbers: [DecimalValue] = []
    for value in values {
      switch value {
      case .decimal(let number) where !number.isNaN: numbers.append(number)
      case .int(let number): numbers.append(DecimalValue(number))
      default: break
      }
    }
    func mean(_ numbers: some Sequence<DecimalValue>) -> Value {
      OracleDecimalSum(numbers).average.map(Value.decimal) ?? .null
    }
    switch name {
    case "sum": return OracleDecimalSum(numbers).value.map(Value.decimal) ?? .null
    case "avg", "average": return mean(numbers)
    case _ where name.hasPrefix("percentile("):
      return percentile(name, numbers.sorted { (DecimalValue.compare($0, $1) ?? 0) < 0 }.map { .decimal($0) })
    case "median":
      numbers.sort { (DecimalValue.compare($0, $1) ?? 0) < 0 }
      if numbers.isEmpty { return .null }
      let middle = numbers.count / 2
      return numbers.count % 2 == 1 ? .decimal(numbers[middle]) : mean(numbers[middle - 1...middle])
    default: return nil
    }
  }

  /// What matters of an Int sum is the sum itself, not how it was reached.
  private static func wholeSum(_ values: [Value]) -> Int128 {
    var sum: Int128 = 0
    for case .int(let number) in values { sum += Int128(number) }
    return sum
  }

  /// Of whole numbers and Doubles: whole numbers of 64 bits are the sum of two Doubles.
  private static func exactSum(_ values: [Value]) -> Double {
    var numbers: [Double] = []
    for value in values {
      if case .int(let number) = value {
        let low = number % (1 << 32)
        numbers += [Double(number - low), Double(low)]
      } else if let number = OracleArithmetic.double(value) {
        numbers.append(number)
      }
    }
    return OracleSum.of(numbers)
  }

  /// Between the two values around the position that a share of all steps leads to, counted in millionths of a step.
  private static func percentile(_ name: String, _ sorted: [Value]) -> Value {
    if sorted.isEmpty { return .null }
    let share = Int((Double(name.dropFirst(11).dropLast()) ?? 0) * 1_000_000 + 0.5)
    let steps = share * (sorted.count - 1)
    let (place, rest) = (steps / 1_000_000, steps % 1_000_000)
    if rest == 0 { return sorted[place] }
    switch (sorted[place], sorted[place + 1]) {
    case (.decimal(let low), .decimal(let high)) where rest == 500_000:
      // Half-way it is the average of the two, as the median, and rounded as every average.
      return OracleDecimalSum([low, high]).average.map(Value.decimal) ?? .null
    case (.decimal(let low), .decimal(let high)):
      guard let between = DecimalValue.difference(high, low),
        let part = DecimalValue.product(between, DecimalValue("0.000001") ?? .zero)
          .flatMap({ DecimalValue.product($0, DecimalValue(Int64(rest))) })
      else { return .null }
      return DecimalValue.sum(low, part).map(Value.decimal) ?? .null
    case (.double(let low), .double(let high)):
      let part = Double(rest) / 1_000_000
      return .double(low == high ? low : low * (1 - part) + high * part)
    default: return .null
    }
  }

  /// The most frequent value, of several the smallest.
  private static func mode(_ values: [Value]) -> Value {
    var best = Value.null
    var most = 0
    for value in values.sorted(by: OracleValues.sortsBefore) {
      let count = values.count { OracleValues.order($0, value) == .equal }
      if count > most { (best, most) = (value, count) }
    }
    return best
  }

  private static func median(_ sorted: [Double]) -> Value {
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return .double(sorted[middle]) }
    return .double((sorted[middle - 1] + sorted[middle]) / 2)
  }
}
