import Foundation
import PredicateLanguage
import Values

/// Arithmetic and functions on single values, by the table of §4: nil makes nil, Int overflow and Int division by zero
/// make nil, any Double makes Double.
enum OracleArithmetic {
  static func apply(_ operation: BinaryOperator, _ left: Value, _ right: Value) -> Value {
    if left.isNull || right.isNull { return .null }
    switch (left, right) {
    case (.int(let a), .int(let b)): return whole(operation, a, b).map(Value.int) ?? .null
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

  static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
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
    default: .null
    }
  }

  // MARK: Functions

  static func call(_ name: String, _ values: [Value]) -> Value {
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
      return double(values[1]).map { .double(fmod(Double(a), $0)) } ?? .null
    case ("modulus:by:", let a):
      guard let a = double(a), let b = double(values[1]) else { return .null }
      return .double(fmod(a, b))
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
