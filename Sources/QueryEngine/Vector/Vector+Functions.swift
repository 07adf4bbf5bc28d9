internal import Glibc
internal import Storage
internal import Values

/// Functions with numeric results, evaluated a cluster at a time.
extension Vector {
  /// Replaces dates by one of their components in the calendar of `CivilDate`; nil outside of its range.
  func takeCalendarPart(_ part: CalendarPart, wanted: Mask) {
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
      if seconds.magnitude < Self.surelyInCalendar, let component = part.ofDay(Self.secondOfDay(seconds)) {
        numbers[slot] = Int64(component)
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
      numbers[slot] = Int64(part.ofDay(seconds - dayStart) ?? part(civil))
    }
    isInteger = true
  }

  private static func secondOfDay(_ seconds: Int) -> Int {
    let rest = seconds % 86_400
    return rest < 0 ? rest + 86_400 : rest
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
