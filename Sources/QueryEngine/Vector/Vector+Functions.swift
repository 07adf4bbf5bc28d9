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
      if seconds.magnitude < CivilDate.surelyInRange, let component = part.repeating(seconds) {
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
      numbers[slot] = Int64(part.repeating(seconds) ?? part(civil))
    }
    isInteger = true
  }

  /// Replaces dates by the start of the period that they lie in; nil outside the range of `CivilDate`.
  func takePeriodStart(_ period: CalendarPeriod, wanted: Mask) {
    convertToDoubles()
    let moments = doubles
    // Adjacent dates often lie in the same period, so the last one is cached.
    var last = 0..<0
    wanted.andNot(nulls).forEach { slot in
      guard let seconds = Int(exactly: Instant(seconds: moments[slot]).secondsSince1970.rounded(.down)) else {
        nulls[slot] = true
        return
      }
      if !last.contains(seconds) {
        guard let found = period.containing(seconds) else {
          nulls[slot] = true
          return
        }
        last = found
      }
      moments[slot] = Instant(secondsSince1970: Double(last.lowerBound)).seconds
    }
  }

  /// Rounds numbers to decimal places.
  ///
  /// - Parameter areFloats: Whether the numbers are values of Float.
  func takeRounded(places: Vector, areFloats: Bool, wanted: Mask) {
    nulls |= places.nulls
    // A vector of nils may have any form.
    let slots = wanted.andNot(nulls)
    if slots.isEmpty { return }
    if isInteger {
      slots.forEach { slot in
        let rounded = DecimalPlaces.round(integers[slot], places.integers[slot])
        if rounded == nil { nulls[slot] = true }
        integers[slot] = rounded ?? 0
      }
    } else if areFloats {
      slots.forEach { doubles[$0] = DecimalPlaces.round(Float(doubles[$0]), places.integers[$0]) }
    } else {
      slots.forEach { doubles[$0] = DecimalPlaces.round(doubles[$0], places.integers[$0]) }
    }
  }

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
