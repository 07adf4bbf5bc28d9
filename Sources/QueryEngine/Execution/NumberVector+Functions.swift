internal import Glibc
internal import Storage
internal import Values

/// Functions whose results are numbers, a cluster at a time.
extension NumberVector {
  /// Makes moments the year, month, day or hour that they are in, by the calendar of `CivilDate`; nil outside of it.
  func takeCalendarPart(_ function: ScalarFunction, wanted: Mask) {
    convertToDoubles()
    let moments = doubles
    let numbers = integers
    let left = wanted.andNot(nulls)
    // What comes in order, as moments often do, stays in one day for long.
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

  /// So many seconds from 1970 no year is too far off to have a date.
  private static let surelyInCalendar: UInt = 30_000_000_000_000

  /// What is left of a division, with the sign of what is divided.
  func takeRemainder(by right: NumberVector, wanted: Mask) {
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

  /// Reads how many Unicode scalars each text of a column has.
  ///
  /// - Parameter wanted: The slots that are asked about: of others the number means nothing.
  func loadLengths(_ view: ColumnView, wanted: Mask) throws {
    let count = min(view.slotCount, Mask.slotCount)
    let numbers = integers
    isInteger = true
    nulls = view.nulls
    numbers.update(repeating: 0, count: Mask.slotCount)
    switch view.values {
    case .same:
      guard let first = Mask(firstCount: count).andNot(view.nulls).first else { return }
      numbers.update(repeating: Self.scalarCount(try view.text(at: first)), count: count)
    case .dictionary(let codes, let entries):
      if wanted.count < entries.count {
        return wanted.forEach { slot in
          guard slot < count, Int(codes[slot]) < entries.count else { return }
          numbers[slot] = Self.scalarCount(entries[Int(codes[slot])])
        }
      }
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(1, entries.count)) { lengths in
        for entry in 0..<entries.count { lengths[entry] = Self.scalarCount(entries[entry]) }
        for slot in 0..<count where Int(codes[slot]) < entries.count { numbers[slot] = lengths[Int(codes[slot])] }
      }
    case .text(let block):
      if block.isASCII {
        // A byte behind each parts it from the next.
        for slot in 0..<count { numbers[slot] = Int64(block.offsets[slot + 1] &- block.offsets[slot]) - 1 }
      } else {
        (wanted & Mask(firstCount: count)).forEach { numbers[$0] = Self.scalarCount(block[$0]) }
      }
      try (view.outOfLine & wanted).forEach { numbers[$0] = Self.scalarCount(try view.text(at: $0)) }
    default: fill(.null)
    }
  }

  /// How many bytes of a text do not go on with a scalar that began before.
  private static func scalarCount(_ text: UnsafeRawBufferPointer) -> Int64 {
    var count = 0
    for byte in text { count &+= Int8(bitPattern: byte) > -65 ? 1 : 0 }
    return Int64(count)
  }
}
