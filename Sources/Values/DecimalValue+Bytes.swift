/// Decimal numbers as bytes whose unsigned order is that of the numbers, NaN before all. A number has one form, and none
/// begins another's.
///
/// ```
/// NaN       00 00
/// zero      80 00
/// positive  8000 + 200 + p, big-endian │ two digits a byte, plus 1, from the first digit on │ 00
/// negative  8000 − 200 − p             │ the same, inverted                                 │ FF
/// ```
/// `p` is the power of ten just above the number, `-127…166`.
extension DecimalValue {
  /// The most bytes that a number takes.
  package static let mostBytes = 23

  /// Less than the bytes of every number, and greater than those of NaN.
  package static let leastBytes: [UInt8] = [0, 1]

  private static let middle = 0x8000
  private static let bias = 200

  /// Puts the bytes at a place with room for `mostBytes`; returns how many there are.
  package func write(to place: UnsafeMutablePointer<UInt8>) -> Int {
    if isNaN { return Self.put(0, place) }
    var magnitude = magnitude
    if magnitude == 0 { return Self.put(Self.middle, place) }
    let isNegative = isNegative
    let inversion: UInt8 = isNegative ? 0xFF : 0
    let count = Self.digitCount(magnitude)
    let head = Self.bias + count + exponent
    _ = Self.put(Self.middle + (isNegative ? -head : head), place)
    let pairs = (count + 1) / 2
    if count % 2 == 1 {
      // An odd number of digits has a zero after its last; beyond 128 bits that is written apart.
      let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
      place[1 + pairs] = (UInt8(truncatingIfNeeded: digit) * 10 + 1) ^ inversion
      magnitude = rest
    }
    var position = count / 2
    while magnitude > UInt128(UInt64.max) {
      let (rest, pair) = magnitude.quotientAndRemainder(dividingBy: 100)
      place[1 + position] = (UInt8(truncatingIfNeeded: pair) + 1) ^ inversion
      (magnitude, position) = (rest, position - 1)
    }
    var short = UInt64(truncatingIfNeeded: magnitude)
    while position > 0 {
      let (rest, pair) = short.quotientAndRemainder(dividingBy: 100)
      place[1 + position] = (UInt8(truncatingIfNeeded: pair) + 1) ^ inversion
      (short, position) = (rest, position - 1)
    }
    place[2 + pairs] = inversion
    return 3 + pairs
  }

  private static func put(_ head: Int, _ place: UnsafeMutablePointer<UInt8>) -> Int {
    place[0] = UInt8(truncatingIfNeeded: head >> 8)
    place[1] = UInt8(truncatingIfNeeded: head)
    return 2
  }

  /// Calls `body` with the bytes.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.mostBytes) { memory in
      guard let start = memory.baseAddress else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return body(UnsafeRawBufferPointer(start: start, count: write(to: start)))
    }
  }

  /// The number whose bytes these are, all of them; nil when they are no number's.
  package init?(bytes: UnsafeRawBufferPointer) {
    var place = 0
    guard let value = DecimalValue(bytes: bytes, at: &place), place == bytes.count else { return nil }
    self = value
  }

  /// The number whose bytes begin at a place, which moves behind them; nil when they are no number's.
  package init?(bytes: UnsafeRawBufferPointer, at place: inout Int) {
    guard bytes.count - place >= 2 else { return nil }
    let head = Int(bytes[place]) << 8 | Int(bytes[place + 1])
    place += 2
    if head == 0 {
      self = .nan
      return
    }
    if head == Self.middle {
      self = .zero
      return
    }
    let isNegative = head < Self.middle
    let inversion: UInt8 = isNegative ? 0xFF : 0
    let leading = (isNegative ? Self.middle - head : head - Self.middle) - Self.bias
    guard -127...166 ~= leading else { return nil }
    let first = place
    var end = place
    while end < bytes.count, case let byte = bytes[end] ^ inversion, byte != 0 {
      guard byte <= 100, end - first < 20 else { return nil }
      end += 1
    }
    // The first digit and the last pair are no zeros: one number, one form.
    guard end < bytes.count, end > first, bytes[first] ^ inversion > 10, bytes[end - 1] ^ inversion > 1
    else { return nil }
    place = end + 1
    guard let value = Self.value(bytes, first..<end, inversion, leading: leading, isNegative: isNegative)
    else { return nil }
    self = value
  }

  private static func value(
    _ bytes: UnsafeRawBufferPointer, _ pairs: Range<Int>, _ inversion: UInt8, leading: Int, isNegative: Bool
  ) -> DecimalValue? {
    let last = bytes[pairs.upperBound - 1] ^ inversion - 1
    let isOdd = last % 10 == 0
    let count = pairs.count * 2 - (isOdd ? 1 : 0)
    if count <= 18 {
      var short: UInt64 = 0
      for place in pairs.dropLast() { short = short * 100 + UInt64(bytes[place] ^ inversion - 1) }
      short = isOdd ? short * 10 + UInt64(last / 10) : short * 100 + UInt64(last)
      // Without a zero at its end, in 63 bits and with small exponents it is in its only form already.
      let exponent = leading - count
      guard exponents.contains(exponent) else {
        return DecimalValue(isNegative: isNegative, magnitude: UInt128(short), exponent: exponent)
      }
      let number = Int64(truncatingIfNeeded: short)
      return DecimalValue(.small(isNegative ? -number : number, Int16(truncatingIfNeeded: exponent)))
    }
    var magnitude: UInt128 = 0
    for place in pairs.dropLast() { magnitude = magnitude * 100 + UInt128(bytes[place] ^ inversion - 1) }
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: isOdd ? 10 : 100)
    let (sum, carry) = product.addingReportingOverflow(UInt128(isOdd ? last / 10 : last))
    if overflow || carry { return nil }
    return DecimalValue(isNegative: isNegative, magnitude: sum, exponent: leading - count)
  }
}
