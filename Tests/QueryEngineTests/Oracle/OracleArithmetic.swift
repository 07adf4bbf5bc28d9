import Foundation
import PredicateLanguage
import Values

/// Arithmetic and functions on single values, by the table of §4: nil makes nil, Int overflow and Int division by zero
/// make nil, any Double makes Double, else any Decimal makes Decimal.
enum OracleArithmetic {
  static func apply(_ operation: BinaryOperator, _ left: Value, _ right: Value) -> Value {
    if left.isNull || right.isNull { return .null }
    switch (left, right) {
    case (.int(let a), .int(let b)): return whole(operation, a, b).map(Value.int) ?? .null
    case (.decimal(let a), .decimal(let b)): return decimal(operation, a, b)
    case (.decimal(let a), .int(let b)): return decimal(operation, a, whole: b)
    case (.int(let a), .decimal(let b)): return decimal(operation, DecimalValue(a), b)
    case (.date(let a), .date(let b)): return .double(a.seconds - b.seconds)
    case (.date(let a), _):
      guard let b = double(right) else { return .null }
      return .date(Instant(seconds: operation == .add ? a.seconds + b : a.seconds - b))
    case (_, .date(let b)): return double(left).map { .date(Instant(seconds: b.seconds + $0)) } ?? .null
    default:
      guard let a = double(left), let b = double(right) else { return .null }
      switch operation {
      case .add: return .double(a + b)
      case .subtract: return .double(a - b)
      case .multiply: return .double(a * b)
      case .divide: return .double(a / b)
      case .power: return .double(pow(a, b))
      default: return .null
      }
    }
  }

  /// A Double as the Decimal with its digits.
  static func digits(_ value: Value) -> Value {
    if case .double(let number) = value, let exact = DecimalValue("\(number)") { .decimal(exact) } else { value }
  }

  static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double("\(number)")
    default: nil
    }
  }

  private static func decimal(_ operation: BinaryOperator, _ a: DecimalValue, _ b: DecimalValue) -> Value {
    let result: DecimalValue?
    switch operation {
    case .add: result = .sum(a, b)
    case .subtract: result = .difference(a, b)
    case .multiply: result = .product(a, b)
    case .divide: result = .quotient(a, b)
    case .power: return .double(pow(Double("\(a)") ?? .nan, Double("\(b)") ?? .nan))
    default: return .null
    }
    return result.map(Value.decimal) ?? .null
  }

  private static func decimal(_ operation: BinaryOperator, _ a: DecimalValue, whole b: Int64) -> Value {
    guard operation == .power else { return decimal(operation, a, DecimalValue(b)) }
    if a.isNaN { return .decimal(.nan) }
    if a.magnitude <= 1, a.exponent == 0 {
      // 0, 1 and -1 to the power of whatever.
      if a.magnitude == 0 { return b < 0 ? .null : .decimal(b == 0 ? DecimalValue(1) : .zero) }
      return .decimal(b % 2 == 0 ? DecimalValue(1) : a)
    }
    var power = DecimalValue(1)
    for _ in 0..<min(b.magnitude, 2000) {
      guard let next = DecimalValue.product(power, a) else { return .null }
      power = next
    }
    if b >= 0 { return .decimal(power) }
    return DecimalValue.quotient(DecimalValue(1), power).map(Value.decimal) ?? .null
  }

  private static func exact(_ value: Value) -> DecimalValue? {
    switch value {
    case .int(let number): DecimalValue(number)
    case .decimal(let number): number
    default: nil
    }
  }

  private static func whole(_ operation: BinaryOperator, _ a: Int64, _ b: Int64) -> Int64? {
    switch operation {
    case .add: return checked(a.addingReportingOverflow(b))
    case .subtract: return checked(a.subtractingReportingOverflow(b))
    case .multiply: return checked(a.multipliedReportingOverflow(by: b))
    case .divide: return b == 0 ? nil : checked(a.dividedReportingOverflow(by: b))
    case .power:
      if b < 0 { return nil }
      if a == 0 || a == 1 { return b == 0 ? 1 : a }
      if a == -1 { return b % 2 == 0 ? 1 : -1 }
      var result: Int64 = 1
      for _ in 0..<min(b, 64) {
        guard let next = checked(result.multipliedReportingOverflow(by: a)) else { return nil }
        result = next
      }
      return b > 64 ? nil : result
    case .shiftLeft: return (0...63).contains(b) ? a << b : nil
    case .shiftRight: return (0...63).contains(b) ? a >> b : nil
    case .bitAnd: return a & b
    case .bitOr: return a | b
    case .bitXor: return a ^ b
    }
  }

  private static func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
    result.overflow ? nil : result.partialValue
  }

  static func negate(_ value: Value) -> Value {
    switch value {
    case .int(let number): number == .min ? .null : .int(-number)
    case .float(let number): .double(-Double(number))
    case .double(let number): .double(-number)
    case .decimal(let number): .decimal(number.negated)
    default: .null
    }
  }

  // MARK: Functions

  static func call(_ name: String, _ values: [Value]) -> Value {
    if name.lowercased() == "coalesce" { return values.first { !$0.isNull } ?? .null }
    if values.contains(where: \.isNull) { return .null }
    switch (name.lowercased(), values.first ?? .null) {
    case ("raise:topower:", let a): return apply(.power, a, values[1])
    case ("bitwiseand:with:", let a): return apply(.bitAnd, a, values[1])
    case ("bitwiseor:with:", let a): return apply(.bitOr, a, values[1])
    case ("bitwisexor:with:", let a): return apply(.bitXor, a, values[1])
    case ("leftshift:by:", let a): return apply(.shiftLeft, a, values[1])
    case ("rightshift:by:", let a): return apply(.shiftRight, a, values[1])
    case ("modulus:by:", .int(let a)):
      if case .int(let b) = values[1] { return b == 0 ? .null : b == -1 ? .int(0) : .int(a % b) }
      if case .decimal(let b) = values[1] { return remainder(DecimalValue(a), b) }
      return double(values[1]).map { .double(fmod(Double(a), $0)) } ?? .null
    case ("modulus:by:", let a):
      if case .decimal(let a) = a, let b = exact(values[1]) { return remainder(a, b) }
      guard let a = double(a), let b = double(values[1]) else { return .null }
      return .double(fmod(a, b))
    case ("round", let a) where values.count == 2: return OracleText.rounded(a, values[1])
    case ("trim", .string(let text)): return .string(OracleText.trimmed(text))
    case ("substring", .string(let text)): return .string(OracleText.part(text, Array(values.dropFirst())))
    case ("replace", .string(let text)):
      guard case .string(let from) = values[1], case .string(let to) = values[2] else { return .null }
      return .string(OracleText.replacing(text, from, to))
    case ("minute", .date(let date)): return OracleDates.calendar(date).map { .int($0.minute) } ?? .null
    case ("second", .date(let date)): return OracleDates.calendar(date).map { .int($0.second) } ?? .null
    case ("weekday", .date(let date)): return OracleDates.weekday(date).map(Value.int) ?? .null
    case ("bucket", .date(let date)):
      guard case .string(let period) = values[1] else { return .null }
      return OracleDates.bucket(date, period).map(Value.date) ?? .null
    case ("abs", .decimal(let a)): return .decimal(a.isNegative ? a.negated : a)
    case ("ceiling", .decimal(let a)): return a.rounded(.up).map(Value.decimal) ?? .null
    case ("floor", .decimal(let a)): return a.rounded(.down).map(Value.decimal) ?? .null
    case ("round", .decimal(let a)): return a.rounded(.halfAwayFromZero).map(Value.decimal) ?? .null
    case ("trunc", .decimal(let a)): return a.rounded(.towardZero).map(Value.decimal) ?? .null
    case ("onescomplement", .int(let a)): return .int(~a)
    case ("abs", .int(let a)): return a == .min ? .null : .int(abs(a))
    case ("ceiling", .int(let a)), ("floor", .int(let a)), ("round", .int(let a)), ("trunc", .int(let a)):
      return .int(a)
    case ("uppercase", .string(let text)):
      return .string(text.unicodeScalars.map(\.properties.uppercaseMapping).joined())
    case ("lowercase", .string(let text)):
      return .string(text.unicodeScalars.map(\.properties.lowercaseMapping).joined())
    case ("firstletter", .string(let text)): return .string(OracleText.firstLetter(text))
    case ("concat", .string):
      return .string(values.map { if case .string(let text) = $0 { text } else { "" } }.joined())
    case ("length", .string(let text)): return .int(Int64(text.unicodeScalars.count))
    case ("year", .date(let date)): return OracleDates.calendar(date).map { .int($0.year) } ?? .null
    case ("month", .date(let date)): return OracleDates.calendar(date).map { .int($0.month) } ?? .null
    case ("day", .date(let date)): return OracleDates.calendar(date).map { .int($0.day) } ?? .null
    case ("hour", .date(let date)): return OracleDates.calendar(date).map { .int($0.hour) } ?? .null
    case (let name, let value): return double(value).map { .double(real(name, $0)) } ?? .null
    }
  }

  /// By long division, digit by digit, of numbers without their points.
  private static func remainder(_ a: DecimalValue, _ b: DecimalValue) -> Value {
    if a.isNaN || b.isNaN { return .decimal(.nan) }
    if b.magnitude == 0 { return .null }
    let exponent = min(a.exponent, b.exponent)
    func digits(_ number: DecimalValue) -> String {
      "\(number.magnitude)" + String(repeating: "0", count: number.exponent - exponent)
    }
    let divisor = digits(b)
    func isLess(_ left: String, _ right: String) -> Bool {
      left.count == right.count ? left < right : left.count < right.count
    }
    func difference(_ left: String, _ right: String) -> String {
      var (result, borrow) = ([Int](), 0)
      let upper: [UInt8] = left.utf8.reversed(), lower: [UInt8] = right.utf8.reversed()
      for place in upper.indices {
        var digit = Int(upper[place]) - 48 - borrow - (place < lower.count ? Int(lower[place]) - 48 : 0)
        borrow = digit < 0 ? 1 : 0
        if digit < 0 { digit += 10 }
        result.append(digit)
      }
      var written = ""
      for digit in result { written = "\(digit)" + written }
      return String(written.drop { $0 == "0" })
    }
    var rest = ""
    for digit in digits(a) {
      rest = String((rest + String(digit)).drop { $0 == "0" })
      while !isLess(rest, divisor) { rest = difference(rest, divisor) }
    }
    return DecimalValue((a.isNegative ? "-" : "") + (rest.isEmpty ? "0" : rest) + "e\(exponent)").map(Value.decimal)
      ?? .null
  }

  private static func real(_ name: String, _ number: Double) -> Double {
    switch name {
    case "abs": abs(number)
    case "ceiling": ceil(number)
    case "floor": floor(number)
    case "round": number.rounded(.toNearestOrAwayFromZero)
    case "trunc": number < 0 ? ceil(number) : floor(number)
    case "sqrt": sqrt(number)
    case "exp": exp(number)
    case "ln": log(number)
    case "log": log10(number)
    default: .nan
    }
  }
}
