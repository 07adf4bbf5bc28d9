internal import Glibc
internal import Storage
internal import Values

/// Functions with numeric results, evaluated a cluster at a time.
extension Vector {
  /// Replaces dates by their year, month, day or hour in the calendar of `CivilDate`; nil outside of its range.
  func takeCalendarPart(_ function: ScalarFunction, wanted: Mask) {
    convertToDoubles()
    let moments = doubles
    let numbers = integers
    let left = wanted.andNot(nulls)
    // Adjacent dates often lie on the same day, so the last day is cached.
    var dayStart = Int.max
    var civil: CivilDate?
    left.forEach { slot in
      guard let seconds = Int(exactly: Instant(seconds: moments[slot]).secondsSince1970.rounded(.down)) else {
        nulls[slot] = true
        return
      }
      if function == .hour, seconds.magnitude < Self.surelyInCalendar {
        let ofDay = seconds % 86_400
        numbers[slot] = Int64((ofDay < 0 ? ofDay + 86_400 : ofDay) / 3600)
        return
      }
      let (distance, isFar) = seconds.subtractingReportingOverflow(dayStart)
      if isFar || distance < 0 || distance >= 86_400 || civil == nil {
        civil = CivilDate(secondsSince1970: seconds)
        if let civil { dayStart = seconds - (civil.hour * 60 + civil.minute) * 60 - civil.second }
      }
      guard let civil else {
        nulls[slot] = true
        return
      }
      switch function {
      case .year: numbers[slot] = Int64(civil.year)
      case .month: numbers[slot] = Int64(civil.month)
      case .day: numbers[slot] = Int64(civil.day)
      default: numbers[slot] = Int64((seconds - dayStart) / 3600)
      }
    }
    isInteger = true
  }

  /// Every date within this many seconds of 1970 is in the calendar's range.
  private static let surelyInCalendar: UInt = 30_000_000_000_000

  /// Replaces numbers by the remainders of a division, with the sign of the dividend.
  func takeRemainder(by right: Vector, wanted: Mask) {
    nulls |= right.nulls
    if isInteger, right.isInteger {
      wanted.andNot(nulls).forEach { slot in
        let rest = Arithmetic.remainder(integers[slot], right.integers[slot])
        if rest == nil { nulls[slot] = true }
        integers[slot] = rest ?? 0
      }
      return
    }
    convertToDoubles()
    right.convertToDoubles()
    wanted.andNot(nulls).forEach { doubles[$0] = fmod(doubles[$0], right.doubles[$0]) }
  }
}
