internal import Glibc
internal import PredicateLanguage
internal import Storage
internal import Values

extension ScalarFunction {
  /// The result for arguments of the right number and types; nil if an argument is nil.
  func value(_ operands: [Value]) -> Value {
    guard let first = operands.first, arity.contains(operands.count), !operands.contains(where: \.isNull) else {
      return .null
    }
    switch family {
    case .rounding: return rounded(first)
    case .real: return Arithmetic.number(first).map { .double(real($0)) } ?? .null
    case .arithmetic, .bits:
      if let operation { return Arithmetic.apply(operation, first, operands[1]) }
      return self == .modulus ? modulus(first, operands[1]) : Arithmetic.complement(first)
    case .string(let transform):
      guard case .string(let text) = first else { return .null }
      return .string(transform(text))
    case .folding(let folding):
      guard case .string(let text) = first else { return .null }
      return .string(String(decoding: folding.fold(text), as: UTF8.self))
    case .length:
      guard case .string(let text) = first else { return .null }
      return .int(Int64(text.unicodeScalars.count))
    case .joined:
      var joined = ""
      for case .string(let text) in operands { joined += text }
      return .string(joined)
    case .calendar: return calendar(first)
    case .distance: return Self.distance(operands.map(Arithmetic.number))
    }
  }

  /// The operator that is equivalent to the function, or nil.
  var operation: BinaryOperator? {
    switch self {
    case .raise: .power
    case .bitwiseAnd: .bitAnd
    case .bitwiseOr: .bitOr
    case .bitwiseXor: .bitXor
    case .leftShift: .shiftLeft
    case .rightShift: .shiftRight
    default: nil
    }
  }

  /// The distance between two points; nil if either is invalid.
  private static func distance(_ numbers: [Double?]) -> Value {
    guard numbers.count == 4, let a = numbers[0], let b = numbers[1], let c = numbers[2], let d = numbers[3],
      let first = GeoPoint(longitude: a, latitude: b), let second = GeoPoint(longitude: c, latitude: d)
    else { return .null }
    return .double(first.distance(to: second))
  }

  private func modulus(_ left: Value, _ right: Value) -> Value {
    if case .int(let a) = left, case .int(let b) = right {
      return Arithmetic.remainder(a, b).map(Value.int) ?? .null
    }
    if let a = Self.exact(left), let b = Self.exact(right) {
      return DecimalValue.remainder(a, b).map(Value.decimal) ?? .null
    }
    guard let a = Arithmetic.number(left), let b = Arithmetic.number(right) else { return .null }
    return .double(fmod(a, b))
  }

  /// A number that is no floating-point one.
  private static func exact(_ value: Value) -> DecimalValue? {
    switch value {
    case .decimal(let number): number
    case .int(let number): DecimalValue(number)
    case .null, .bool, .float, .double, .string, .date, .uuid, .data, .list, .embedded, .object: nil
    }
  }

  private func rounded(_ value: Value) -> Value {
    if case .decimal(let number) = value { return rounded(number).map(Value.decimal) ?? .null }
    if case .int(let number) = value {
      if self != .abs { return value }
      return number == .min ? .null : .int(number < 0 ? -number : number)
    }
    return Arithmetic.number(value).map { .double(real($0)) } ?? .null
  }

  private func rounded(_ number: DecimalValue) -> DecimalValue? {
    switch self {
    case .abs: number.isNegative ? number.negated : number
    case .ceiling: number.rounded(.up)
    case .floor: number.rounded(.down)
    case .round: number.rounded(.halfAwayFromZero)
    case .trunc: number.rounded(.towardZero)
    // Asked only of the functions of the family, which are above.
    default: nil
    }
  }

  /// The functions from a Double to a Double.
  func real(_ number: Double) -> Double {
    switch self {
    case .abs: number.magnitude
    case .ceiling: number.rounded(.up)
    case .floor: number.rounded(.down)
    case .round: number.rounded(.toNearestOrAwayFromZero)
    case .trunc: number.rounded(.towardZero)
    case .sqrt: number.squareRoot()
    case .exp: Glibc.exp(number)
    case .ln: Glibc.log(number)
    case .log: log10(number)
    default: .nan
    }
  }

  private func calendar(_ value: Value) -> Value {
    guard case .date(let instant) = value,
      let seconds = Int(exactly: instant.secondsSince1970.rounded(.down)),
      let civil = CivilDate(secondsSince1970: seconds)
    else { return .null }
    switch self {
    case .year: return .int(Int64(civil.year))
    case .month: return .int(Int64(civil.month))
    case .day: return .int(Int64(civil.day))
    default: return .int(Int64(civil.hour))
    }
  }
}
