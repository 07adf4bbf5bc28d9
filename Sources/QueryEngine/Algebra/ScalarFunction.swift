internal import PredicateLanguage
internal import Storage

/// A function from values to a value. It does not depend on where its arguments come from.
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
  case minute
  case second
  /// 1 for Monday to 7 for Sunday.
  case weekday
  /// The start of the period around a date; the second argument is the name of the period, a constant.
  case bucket
  case firstLetter = "firstletter"
  case concat
  case substring
  case trim
  case replace
  /// The first argument that is not nil. All have one type.
  case coalesce
  /// In metres; takes two points, each as longitude and latitude.
  case distance
  /// The options of a sort key applied to a string. No source text calls these by name.
  case ignoringCase = "[c]"
  case ignoringDiacritics = "[d]"
  case ignoringBoth = "[cd]"
  case numeric = "[numeric]"

  /// The function with a name in any letter case, in either spelling (`abs`, `abs:`).
  init?(name: String) {
    let name = name.lowercased()
    if name.hasPrefix("[") { return nil }
    guard let function = Self(rawValue: name) ?? (name.last == ":" ? Self(rawValue: String(name.dropLast())) : nil)
    else { return nil }
    self = function
  }

  /// Functions that take and return the same types and share a kernel. A new function joins a family, which determines
  /// its kernel, its cost and its errors.
  enum Family {
    /// A number to a number of the same type; integers stay integers.
    case rounding(RoundingFunction)
    /// A number to a Double.
    case real(RealFunction)
    /// Two numbers to one.
    case arithmetic
    /// Integers to an integer, bit by bit.
    case bits
    /// A string to a string.
    case string((String) -> String)
    /// A string to its folded form.
    case folding(TextFolding)
    /// A string to the number of its Unicode scalars.
    case length
    /// Strings to one.
    case joined
    /// A part of a string, by position.
    case part
    /// A string with another in the place of a third.
    case replaced
    /// A date to a component of its calendar date.
    case calendar(CalendarPart)
    /// A date to the start of a period of the calendar.
    case bucket
    /// Values of one type to the first that is not nil. The only family that takes nil.
    case first
    /// Four numbers, the coordinates of two points, to a Double.
    case distance
  }

  /// The family the function belongs to.
  var family: Family {
    switch self {
    case .abs: .rounding(.magnitude)
    case .ceiling: .rounding(.up)
    case .floor: .rounding(.down)
    case .round: .rounding(.nearest)
    case .trunc: .rounding(.towardZero)
    case .sqrt: .real(.squareRoot)
    case .exp: .real(.exponential)
    case .ln: .real(.naturalLogarithm)
    case .log: .real(.decimalLogarithm)
    case .raise, .modulus: .arithmetic
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement: .bits
    case .uppercase: .string { LongText.mapped($0) { $0.uppercased() } }
    case .lowercase: .string { LongText.mapped($0) { $0.lowercased() } }
    case .firstLetter: .string { $0.first.map { String($0) } ?? "" }
    case .ignoringCase: .folding(TextFolding(ignoresCase: true, ignoresDiacritics: false))
    case .ignoringDiacritics: .folding(TextFolding(ignoresCase: false, ignoresDiacritics: true))
    case .ignoringBoth: .folding(.full)
    case .numeric: .string { NumericOrder.key(of: $0) }
    case .length: .length
    case .trim: .string { $0.withoutOuterWhitespace }
    case .substring: .part
    case .replace: .replaced
    case .concat: .joined
    case .coalesce: .first
    case .bucket: .bucket
    case .minute: .calendar(.minute)
    case .second: .calendar(.second)
    case .weekday: .calendar(.weekday)
    case .year: .calendar(.year)
    case .month: .calendar(.month)
    case .day: .calendar(.day)
    case .hour: .calendar(.hour)
    case .distance: .distance
    }
  }

  /// Whether the result is the first character of a string.
  var keepsFirstCharacter: Bool { self == .firstLetter }

  /// The number of arguments.
  var arity: ClosedRange<Int> {
    switch family {
    case .rounding: self == .round ? 1...2 : 1...1
    case .real, .string, .folding, .length, .calendar: 1...1
    case .bits: self == .onesComplement ? 1...1 : 2...2
    case .arithmetic, .bucket: 2...2
    case .part: 2...3
    case .replaced: 3...3
    case .joined, .first: 2...Int.max
    case .distance: 4...4
    }
  }

  /// A description of the argument at a position, for errors.
  func parameter(at place: Int) -> String {
    switch family {
    case .rounding: place == 0 ? "a number" : "an Int as the number of places"
    case .real, .arithmetic, .distance: "a number"
    case .bits: "an Int"
    case .string, .folding, .length, .joined, .replaced: "a String"
    case .part: place == 0 ? "a String" : "an Int as \(place == 1 ? "the position of the start" : "the length")"
    case .calendar: "a Date"
    case .bucket: place == 0 ? "a Date" : "the name of a period"
    case .first: "single values"
    }
  }

  /// Whether the function takes values of a type at a position.
  func accepts(_ type: ExpressionType, at place: Int) -> Bool {
    if type == .null { return true }
    return switch family {
    case .rounding: place == 0 ? type.isNumeric : type == .int
    case .real, .arithmetic, .distance: type.isNumeric
    case .bits: type == .int
    case .string, .folding, .length, .joined, .replaced: type == .string
    case .part: type == (place == 0 ? .string : .int)
    case .calendar: type == .date
    case .bucket: type == (place == 0 ? .date : .string)
    case .first: type.hasOrder
    }
  }

  /// The type of the result for arguments of given types; nil if the function does not take these types.
  func type(of operands: [ExpressionType]) -> ExpressionType? {
    guard arity.contains(operands.count), zip(operands, operands.indices).allSatisfy(accepts) else { return nil }
    switch family {
    case .rounding: return operands[0] == .float ? .double : operands[0]
    case .real, .distance: return .double
    case .arithmetic:
      return self == .raise
        ? Arithmetic.type(.power, operands[0], operands[1]) : Self.arithmetic(operands[0], operands[1])
    case .bits, .length, .calendar: return .int
    case .string, .folding, .joined, .part, .replaced: return .string
    case .bucket: return .date
    case .first: return Self.common(operands)
    }
  }

  /// The one type that values of several types are converted to: numbers as by arithmetic; nil if there is none.
  private static func common(_ types: [ExpressionType]) -> ExpressionType? {
    var result = ExpressionType.null
    for type in types where type != .null {
      let type = type == .float ? .double : type
      if result == .null || result == type {
        result = type
      } else if result.isNumeric, type.isNumeric {
        result = arithmetic(result, type)
      } else {
        return nil
      }
    }
    return result
  }

  /// The type of an arithmetic operation on two numbers: Double if either is Double, else Decimal if either is.
  static func arithmetic(_ left: ExpressionType, _ right: ExpressionType) -> ExpressionType {
    switch (left, right) {
    case (.null, .null): .null
    case (.int, .int), (.int, .null), (.null, .int): .int
    case (.double, _), (_, .double), (.float, _), (_, .float): .double
    case (.decimal, .decimal), (.decimal, .int), (.int, .decimal), (.decimal, .null), (.null, .decimal): .decimal
    default: .number
    }
  }
}
