internal import Glibc
internal import PredicateLanguage
internal import Values

/// Arithmetic on single values. Int with Int gives Int, or nil on overflow; any Double gives Double, as IEEE 754
/// defines; else any Decimal gives the exact Decimal, or nil if it has too many digits. nil gives nil.
enum Arithmetic {
  static func apply(_ operation: BinaryOperator, _ left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): integer(operation, a, b).map(Value.int) ?? .null
    case (.double(let a), .double(let b)): double(operation, a, b).map(Value.double) ?? .null
    case (.int(let a), .double(let b)): double(operation, Double(a), b).map(Value.double) ?? .null
    case (.double(let a), .int(let b)): double(operation, a, Double(b)).map(Value.double) ?? .null
    case (.decimal(let a), .decimal(let b)): decimal(operation, a, b)
    case (.decimal(let a), .int(let b)): decimal(operation, a, whole: b)
    case (.int(let a), .decimal(let b)): decimal(operation, DecimalValue(a), b)
    case (.decimal(let a), .double(let b)): double(operation, a.double, b).map(Value.double) ?? .null
    case (.double(let a), .decimal(let b)): double(operation, a, b.double).map(Value.double) ?? .null
    case (.float(let a), _): apply(operation, .double(Double(a)), right)
    case (_, .float(let b)): apply(operation, left, .double(Double(b)))
    case (.date(let a), .date(let b)): operation == .subtract ? .double(a.seconds - b.seconds) : .null
    case (.date(let a), _):
      number(right).flatMap { double(operation, a.seconds, $0) }.map { .date(Instant(seconds: $0)) } ?? .null
    case (_, .date(let b)):
      number(left).flatMap { double(operation, $0, b.seconds) }.map { .date(Instant(seconds: $0)) } ?? .null
    case (.null, _), (.bool, _), (.string, _), (.uuid, _), (.data, _), (.list, _), (.embedded, _), (.object, _),
      (_, .null), (_, .bool), (_, .string), (_, .uuid), (_, .data), (_, .list), (_, .embedded), (_, .object):
      .null
    }
  }

  static func negate(_ value: Value) -> Value {
    switch value {
    case .int(let number): number == .min ? .null : .int(-number)
    case .double(let number): .double(-number)
    case .float(let number): .double(-Double(number))
    case .decimal(let number): .decimal(number.negated)
    case .null, .bool, .string, .date, .uuid, .data, .list, .embedded, .object: .null
    }
  }

  /// The bitwise complement of an Int; nil for other values.
  static func complement(_ value: Value) -> Value {
    guard case .int(let number) = value else { return .null }
    return .int(~number)
  }

  /// The number as a Double.
  static func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    case .float(let number): Double(number)
    case .decimal(let number): number.double
    case .null, .bool, .string, .date, .uuid, .data, .list, .embedded, .object: nil
    }
  }

  @inline(__always)
  static func integer(_ operation: BinaryOperator, _ a: Int64, _ b: Int64) -> Int64? {
    let result: (partialValue: Int64, overflow: Bool)
    switch operation {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide: result = a.dividedReportingOverflow(by: b)
    case .power: return power(a, b)
    case .shiftLeft: return 0...63 ~= b ? a << b : nil
    case .shiftRight: return 0...63 ~= b ? a >> b : nil
    case .bitAnd: return a & b
    case .bitOr: return a | b
    case .bitXor: return a ^ b
    }
    return result.overflow ? nil : result.partialValue
  }

  @inline(__always)
  static func double(_ operation: BinaryOperator, _ a: Double, _ b: Double) -> Double? {
    switch operation {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .power: pow(a, b)
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: nil
    }
  }

  /// A power whose exponent is not an Int is a Double.
  private static func decimal(_ operation: BinaryOperator, _ a: DecimalValue, _ b: DecimalValue) -> Value {
    let result: DecimalValue?
    switch operation {
    case .add: result = .sum(a, b)
    case .subtract: result = .difference(a, b)
    case .multiply: result = .product(a, b)
    case .divide: result = .quotient(a, b)
    case .power: return .double(pow(a.double, b.double))
    case .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor: result = nil
    }
    return result.map(Value.decimal) ?? .null
  }

  private static func decimal(_ operation: BinaryOperator, _ a: DecimalValue, whole b: Int64) -> Value {
    if operation == .power { return DecimalValue.power(a, b).map(Value.decimal) ?? .null }
    return decimal(operation, a, DecimalValue(b))
  }

  /// The type of an operation on two numbers: a power is a Decimal only if its exponent is an Int.
  static func type(
    _ operation: BinaryOperator, _ left: ExpressionType, _ right: ExpressionType
  ) -> ExpressionType {
    if operation == .power, left == .decimal || right == .decimal {
      if left == .decimal, right == .int || right == .null { return .decimal }
      return left == .number || right == .number ? .number : .double
    }
    return ScalarFunction.arithmetic(left, right)
  }

  /// The remainder with the dividend's sign; nil if the divisor is 0.
  static func remainder(_ a: Int64, _ b: Int64) -> Int64? {
    b == 0 ? nil : b == -1 ? 0 : a % b
  }

  private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    guard exponent >= 0 else { return nil }
    switch base {
    case 0: return exponent == 0 ? 1 : 0
    case 1: return 1
    case -1: return exponent & 1 == 0 ? 1 : -1
    default: break
    }
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return result
  }
}
