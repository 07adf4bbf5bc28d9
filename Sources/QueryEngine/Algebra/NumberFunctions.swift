internal import Glibc
internal import Values

/// A function from a number to a number of the same type. Integers stay as they are, but for `magnitude`.
enum RoundingFunction {
  case magnitude
  case up
  case down
  case nearest
  case towardZero

  func callAsFunction(_ number: Double) -> Double {
    switch self {
    case .magnitude: number.magnitude
    case .up: number.rounded(.up)
    case .down: number.rounded(.down)
    case .nearest: number.rounded(.toNearestOrAwayFromZero)
    case .towardZero: number.rounded(.towardZero)
    }
  }

  /// Nil outside the range of Decimal.
  func callAsFunction(_ number: DecimalValue) -> DecimalValue? {
    switch self {
    case .magnitude: number.isNegative ? number.negated : number
    case .up: number.rounded(.up)
    case .down: number.rounded(.down)
    case .nearest: number.rounded(.halfAwayFromZero)
    case .towardZero: number.rounded(.towardZero)
    }
  }
}

/// A function from any number to a Double.
enum RealFunction {
  case squareRoot
  case exponential
  case naturalLogarithm
  case decimalLogarithm

  func callAsFunction(_ number: Double) -> Double {
    switch self {
    case .squareRoot: number.squareRoot()
    case .exponential: exp(number)
    case .naturalLogarithm: log(number)
    case .decimalLogarithm: log10(number)
    }
  }

  /// Whether a call takes so long that slots nobody asks for are left out. The processor takes square roots of several
  /// slots at once.
  var isSlow: Bool {
    switch self {
    case .squareRoot: false
    case .exponential, .naturalLogarithm, .decimalLogarithm: true
    }
  }
}

/// A component of a date in the calendar of `CivilDate`.
enum CalendarPart {
  case year
  case month
  case day
  case hour
  case minute
  case second
  /// 1 for Monday to 7 for Sunday.
  case weekday

  func callAsFunction(_ date: CivilDate) -> Int {
    switch self {
    case .year: date.year
    case .month: date.month
    case .day: date.day
    case .hour: date.hour
    case .minute: date.minute
    case .second: date.second
    case .weekday: Self.weekday(date.secondsSince1970)
    }
  }

  /// The component of a moment, in seconds since 1970-01-01 00:00:00 UTC, for the components that repeat at equal
  /// distances; nil for the others.
  func repeating(_ seconds: Int) -> Int? {
    switch self {
    case .year, .month, .day: nil
    case .hour: Self.remainder(seconds, 86_400) / 3_600
    case .minute: Self.remainder(seconds, 3_600) / 60
    case .second: Self.remainder(seconds, 60)
    case .weekday: Self.weekday(seconds)
    }
  }

  /// 1970-01-05 was a Monday.
  private static func weekday(_ seconds: Int) -> Int { remainder(seconds - 4 * 86_400, 7 * 86_400) / 86_400 + 1 }

  private static func remainder(_ seconds: Int, _ length: Int) -> Int {
    let rest = seconds % length
    return rest < 0 ? rest + length : rest
  }
}
