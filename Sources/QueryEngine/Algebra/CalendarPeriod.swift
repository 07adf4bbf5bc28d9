internal import Values

/// A period of the calendar in UTC, such as a day or a quarter, for `bucket(time, 'day')`. Weeks begin on Monday.
package enum CalendarPeriod: String, Hashable, Sendable, CaseIterable {
  case second
  case minute
  case hour
  case day
  case week
  case month
  case quarter
  case year

  /// The period with a name in any letter case.
  init?(name: String) { self.init(rawValue: name.lowercased()) }

  /// All names as a list for errors and help: `'second', 'minute', …`.
  package static let listed = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// The period around a moment, as seconds since 1970-01-01 00:00:00 UTC; nil outside the range of `CivilDate`.
  func containing(_ seconds: Int) -> Range<Int>? {
    switch self {
    case .second: whole(seconds, of: 1)
    case .minute: whole(seconds, of: 60)
    case .hour: whole(seconds, of: 3_600)
    case .day: whole(seconds, of: 86_400)
    // 1970-01-05 was a Monday.
    case .week: whole(seconds, of: 7 * 86_400, from: 4 * 86_400)
    case .month: months(around: seconds, 1)
    case .quarter: months(around: seconds, 3)
    case .year: months(around: seconds, 12)
    }
  }

  /// The start of the period around an instant; nil outside the range of `CivilDate`.
  func start(of instant: Instant) -> Instant? {
    guard let seconds = Int(exactly: instant.secondsSince1970.rounded(.down)), let period = containing(seconds) else {
      return nil
    }
    return Instant(secondsSince1970: Double(period.lowerBound))
  }

  /// The one of equal periods around a moment. `origin` is the start of one of them.
  private func whole(_ seconds: Int, of length: Int, from origin: Int = 0) -> Range<Int>? {
    guard seconds.magnitude < CivilDate.surelyInRange || CivilDate(secondsSince1970: seconds) != nil else { return nil }
    let rest = (seconds - origin) % length
    let start = seconds - (rest < 0 ? rest + length : rest)
    return start..<start + length
  }

  /// The one of the periods of so many months, each counted from January, around a moment.
  private func months(around seconds: Int, _ count: Int) -> Range<Int>? {
    guard let date = CivilDate(secondsSince1970: seconds) else { return nil }
    let first = (date.month - 1) / count * count + 1
    guard let start = CivilDate(year: date.year, month: first, day: 1)?.secondsSince1970 else { return nil }
    let days = (first..<first + count).reduce(0) { $0 + CivilDate.days(inMonth: $1, of: date.year) }
    return start..<start + days * 86_400
  }
}

extension CivilDate {
  /// Every moment within this many seconds of 1970 is in the calendar's range.
  static let surelyInRange: UInt = 30_000_000_000_000
}
