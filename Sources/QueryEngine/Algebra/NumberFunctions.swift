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

  func callAsFunction(_ date: CivilDate) -> Int {
    switch self {
    case .year: date.year
    case .month: date.month
    case .day: date.day
    case .hour: date.hour
    }
  }

  /// The component of a moment that is so many seconds after the start of its day, for the components that depend on
  /// nothing else; nil for the others.
  func ofDay(_ seconds: @autoclosure () -> Int) -> Int? {
    switch self {
    case .year, .month, .day: nil
    case .hour: seconds() / 3600
    }
  }
}
