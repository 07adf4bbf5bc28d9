/// A function from values to a value. It does not know where its arguments come from.
package enum ScalarFunction: String, Hashable, Sendable, CaseIterable {
  case abs
  case ceiling
  case floor
  case round
  case trunc
  case sqrt
  case exp
  case ln
  case log
  case raise = "raise:topower:"
  case modulus = "modulus:by:"
  case bitwiseAnd = "bitwiseand:with:"
  case bitwiseOr = "bitwiseor:with:"
  case bitwiseXor = "bitwisexor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onescomplement"
  case uppercase
  case lowercase
  case length
  case year
  case month
  case day
  case hour
  case firstLetter = "firstletter"
  /// In metres; of two longitudes, each with its latitude after it.
  case distance

  /// The function of that name in any letter case, in either spelling (`abs`, `abs:`).
  init?(name: String) {
    let name = name.lowercased()
    guard let function = Self(rawValue: name) ?? (name.last == ":" ? Self(rawValue: String(name.dropLast())) : nil)
    else { return nil }
    self = function
  }

  /// How many arguments it takes.
  var arity: Int {
    switch self {
    case .raise, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: 2
    case .distance: 4
    default: 1
    }
  }

  /// What its arguments must be, in words.
  var parameter: String {
    switch self {
    case .abs, .ceiling, .floor, .round, .trunc, .sqrt, .exp, .ln, .log, .raise, .modulus, .distance: "a number"
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement: "an Int"
    case .uppercase, .lowercase, .length, .firstLetter: "a String"
    case .year, .month, .day, .hour: "a Date"
    }
  }

  private func accepts(_ type: ExpressionType) -> Bool {
    if type == .null { return true }
    switch self {
    case .abs, .ceiling, .floor, .round, .trunc, .sqrt, .exp, .ln, .log, .raise, .modulus, .distance:
      return type.isNumeric
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement: return type == .int
    case .uppercase, .lowercase, .length, .firstLetter: return type == .string
    case .year, .month, .day, .hour: return type == .date
    }
  }

  /// The type of its result for arguments of those types; nil when it does not take them.
  func type(of operands: [ExpressionType]) -> ExpressionType? {
    guard operands.count == arity, operands.allSatisfy(accepts) else { return nil }
    switch self {
    case .abs, .ceiling, .floor, .round, .trunc: return operands[0] == .float ? .double : operands[0]
    case .sqrt, .exp, .ln, .log, .distance: return .double
    case .raise, .modulus: return Self.arithmetic(operands[0], operands[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement: return .int
    case .uppercase, .lowercase, .firstLetter: return .string
    case .length, .year, .month, .day, .hour: return .int
    }
  }

  /// The type of an arithmetic operation on two numbers: any Double makes it Double.
  static func arithmetic(_ left: ExpressionType, _ right: ExpressionType) -> ExpressionType {
    switch (left, right) {
    case (.null, .null): .null
    case (.int, .int), (.int, .null), (.null, .int): .int
    case (.double, _), (_, .double), (.float, _), (_, .float): .double
    default: .number
    }
  }
}
