internal import Glibc
internal import Storage
internal import Values

/// Functions whose results are numbers, a cluster at a time.
extension NumberVector {
  /// Makes moments the year, month, day or hour that they are in, by the calendar of `CivilDate`; nil outside of it.
  func take(_ function: ScalarFunction) {
    convertToDoubles()
    let moments = doubles
    let numbers = integers
    // What comes in order, as moments often do, stays in one day for long.
    var dayStart = Int.max
    var civil: CivilDate?
    for slot in 0..<Mask.slotCount {
      guard let seconds = Int(exactly: Instant(seconds: moments[slot]).secondsSince1970.rounded(.down)) else {
        nulls[slot] = true
        continue
      }
      let (distance, isFar) = seconds.subtractingReportingOverflow(dayStart)
      if isFar || distance < 0 || distance >= 86_400 || civil == nil {
        civil = CivilDate(secondsSince1970: seconds)
        if let civil { dayStart = seconds - (civil.hour * 60 + civil.minute) * 60 - civil.second }
      }
      guard let civil else {
        nulls[slot] = true
        continue
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

  /// What is left of a division, with the sign of what is divided.
  func divide(by right: NumberVector) {
    nulls |= right.nulls
    if isInteger, right.isInteger {
      for slot in 0..<Mask.slotCount {
        let rest = Arithmetic.remainder(integers[slot], right.integers[slot])
        if rest == nil { nulls[slot] = true }
        integers[slot] = rest ?? 0
      }
      return
    }
    convertToDoubles()
    right.convertToDoubles()
    for slot in 0..<Mask.slotCount { doubles[slot] = fmod(doubles[slot], right.doubles[slot]) }
  }

  /// Reads how many Unicode scalars each text of a column has.
  ///
  /// - Parameter wanted: The slots that are asked about: texts that lie elsewhere are read for those only.
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
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(1, entries.count)) { lengths in
        for entry in 0..<entries.count { lengths[entry] = Self.scalarCount(entries[entry]) }
        for slot in 0..<count where Int(codes[slot]) < entries.count { numbers[slot] = lengths[Int(codes[slot])] }
      }
    case .text(let block):
      if block.isASCII {
        // A byte behind each parts it from the next.
        for slot in 0..<count { numbers[slot] = Int64(block.offsets[slot + 1] &- block.offsets[slot]) - 1 }
      } else {
        for slot in 0..<count { numbers[slot] = Self.scalarCount(block[slot]) }
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
