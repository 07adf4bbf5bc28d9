import Foundation
import Values

/// Dates the slow way: years and months counted one by one.
enum OracleDates {
  /// One moment for the whole run: what is asked of it is far from it.
  static let now = Instant(seconds: Date().timeIntervalSinceReferenceDate)

  struct Day {
    var year: Int64
    var month: Int64
    var day: Int64
    var hour: Int64
    var minute: Int64
    var second: Int64
    /// Days since 1970-01-01.
    var number: Int64
  }

  private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func months(_ year: Int64) -> [Int64] {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  }

  /// The proleptic Gregorian date in UTC; nil beyond a few thousand years.
  static func calendar(_ date: Instant) -> Day? {
    let seconds = date.secondsSince1970.rounded(.down)
    guard abs(seconds) < 1e12 else { return nil }
    var days = Int64((seconds / 86400).rounded(.down))
    let number = days
    let rest = Int64(seconds) - days * 86400
    var year: Int64 = 1970
    while days < 0 {
      year -= 1
      days += isLeap(year) ? 366 : 365
    }
    while days >= (isLeap(year) ? 366 : 365) {
      days -= isLeap(year) ? 366 : 365
      year += 1
    }
    var month: Int64 = 1
    for length in months(year) {
      if days < length { break }
      days -= length
      month += 1
    }
    return Day(
      year: year, month: month, day: days + 1, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60,
      number: number)
  }

  /// 1 for Monday to 7 for Sunday, counted day by day from Thursday, 1970-01-01.
  static func weekday(_ date: Instant) -> Int64? {
    calendar(date).map { day in ((day.number + 3) % 7 + 7) % 7 + 1 }
  }

  /// The start of a period: what is smaller than it is taken away.
  static func bucket(_ date: Instant, _ period: String) -> Instant? {
    guard let day = calendar(date), let weekday = weekday(date) else { return nil }
    var (number, seconds) = (day.number, day.hour * 3600 + day.minute * 60 + day.second)
    switch period.lowercased() {
    case "second": break
    case "minute": seconds -= day.second
    case "hour": seconds = day.hour * 3600
    default: seconds = 0
    }
    switch period.lowercased() {
    case "week": number -= weekday - 1
    case "month": number -= day.day - 1
    case "quarter", "year":
      let first = period.lowercased() == "year" ? 1 : (day.month - 1) / 3 * 3 + 1
      number -= day.day - 1 + months(day.year)[Int(first - 1)..<Int(day.month - 1)].reduce(0, +)
    default: break
    }
    return Instant(secondsSince1970: Double(number * 86400 + seconds))
  }

  /// `2018-02-07`, `2018-02-07T01:02:03.5+02:00` and what lies between: no zone is UTC, a date alone is midnight.
  static func instant(_ text: String) -> Instant? {
    guard
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?/.asciiOnlyDigits())
    else { return nil }
    func number(_ part: Substring?) -> Int64 { part.flatMap { Int64($0) } ?? 0 }
    let (year, month, day) = (number(match.1), number(match.2), number(match.3))
    let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
    guard (1...12).contains(month), day >= 1, day <= months(year)[Int(month) - 1], hour < 24, minute < 60, second < 60
    else { return nil }
    var days: Int64 = day - 1 + months(year).prefix(Int(month) - 1).reduce(0, +)
    for passed in min(year, 2001)..<max(year, 2001) { days += (year < 2001 ? -1 : 1) * (isLeap(passed) ? 366 : 365) }
    var offset: Int64 = 0
    if let zone = match.8, zone != "Z" {
      let digits = zone.dropFirst().filter { $0 != ":" }
      offset = (number(digits.prefix(2)) * 3600 + number(digits.suffix(2)) * 60) * (zone.first == "-" ? -1 : 1)
    }
    let whole = Double(days * 86400 + hour * 3600 + minute * 60 + second - offset)
    return Instant(seconds: whole + (match.7.flatMap { Double("0" + $0) } ?? 0))
  }
}
