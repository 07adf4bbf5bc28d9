/// A date and time of day in UTC by the proleptic Gregorian calendar, every field in its range.
///
/// It knows nothing of time zones beyond UTC, of leap seconds or of text; see `ISO8601`.
public struct CivilDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  public let year: Int
  /// The month, 1…12.
  public let month: Int
  /// The day of the month, 1…31.
  public let day: Int
  /// The hour, 0…23.
  public let hour: Int
  /// The minute, 0…59.
  public let minute: Int
  /// The second, 0…59.
  public let second: Int

  /// The years a `CivilDate` can name.
  public static let years = -999_999...999_999

  /// A date and time, or nil when there is no such day or time.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard Self.years.contains(year), 1...12 ~= month, day >= 1, day <= Self.days(inMonth: month, of: year),
      0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second
    else { return nil }
    self.init(unchecked: year, month, day, hour, minute, second)
  }

  /// The date and time `seconds` after 1970-01-01 00:00:00 UTC, or nil outside `years`.
  public init?(secondsSince1970 seconds: Int) {
    guard Self.secondRange.contains(seconds) else { return nil }
    let (day, rest) = Self.floorDivide(seconds, 86_400)
    // Days are counted from 0000-03-01, so that the leap day is the last of its year; 400 years are 146,097 days.
    let (era, dayOfEra) = Self.floorDivide(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    self.init(
      unchecked: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1,
      rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// Seconds from 1970-01-01 00:00:00 UTC.
  public var secondsSince1970: Int {
    Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The number of days in a month (1…12) of a year.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private init(unchecked year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The range of `secondsSince1970` for the years in `years`.
  private static let secondRange =
    days(year: years.lowerBound, month: 1, day: 1) * 86_400..<days(year: years.upperBound + 1, month: 1, day: 1)
    * 86_400

  /// Days from 1970-01-01.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
