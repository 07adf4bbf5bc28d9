/// A whole number of any length, zero or more: what exact sums and quotients of decimals pass through.
struct WideNatural {
  /// The digits to the base 2^64, the lowest first, without zeros at the end.
  private(set) var limbs: [UInt64] = []

  /// A number of 128 bits.
  init(_ number: UInt128) {
    limbs = [UInt64(truncatingIfNeeded: number), UInt64(truncatingIfNeeded: number >> 64)]
    trim()
  }

  /// A number by its digits to the base 2^64, the lowest first.
  init(limbs: [UInt64]) {
    self.limbs = limbs
    trim()
  }

  private mutating func trim() { while limbs.last == 0 { limbs.removeLast() } }

  var isZero: Bool { limbs.isEmpty }

  /// The number, where it has at most 128 bits.
  var low128: UInt128? {
    switch limbs.count {
    case 0: 0
    case 1: UInt128(limbs[0])
    case 2: UInt128(limbs[1]) << 64 | UInt128(limbs[0])
    default: nil
    }
  }

  private var bitCount: Int { (limbs.last.map { 64 - $0.leadingZeroBitCount } ?? 0) + 64 * max(0, limbs.count - 1) }

  /// At least as many decimal digits as it has.
  var digitBound: Int { bitCount * 1234 / 4096 + 1 }
  /// At most as many decimal digits as it has.
  var digitFloor: Int { max(0, (bitCount - 1) * 1233 / 4096) }

  /// Whether it is less than 10^38.
  var hasAtMost38Digits: Bool { low128.map { $0 < 100_000_000_000_000_000_000_000_000_000_000_000_000 } ?? false }

  mutating func add(_ number: UInt64) { add(WideNatural(UInt128(number))) }

  mutating func add(_ other: WideNatural) {
    var carry: UInt64 = 0
    for index in 0..<max(limbs.count, other.limbs.count) {
      if index == limbs.count { limbs.append(0) }
      let sum =
        UInt128(limbs[index]) + UInt128(index < other.limbs.count ? other.limbs[index] : 0) + UInt128(carry)
      limbs[index] = UInt64(truncatingIfNeeded: sum)
      carry = UInt64(truncatingIfNeeded: sum >> 64)
    }
    if carry > 0 { limbs.append(carry) }
  }

  /// Takes away a number that is not greater.
  mutating func subtract(_ other: WideNatural) {
    var borrow: UInt64 = 0
    for index in limbs.indices {
      let (first, one) = limbs[index].subtractingReportingOverflow(index < other.limbs.count ? other.limbs[index] : 0)
      let (second, two) = first.subtractingReportingOverflow(borrow)
      limbs[index] = second
      borrow = one || two ? 1 : 0
    }
    trim()
  }

  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = UInt128(limbs[index]) * UInt128(factor) + UInt128(carry)
      limbs[index] = UInt64(truncatingIfNeeded: product)
      carry = UInt64(truncatingIfNeeded: product >> 64)
    }
    if carry > 0 { limbs.append(carry) }
    trim()
  }

  mutating func multiplyByPowerOfTen(_ exponent: Int) {
    var rest = exponent
    while rest >= 19 {
      multiply(by: 10_000_000_000_000_000_000)
      rest -= 19
    }
    for _ in 0..<max(0, rest) { multiply(by: 10) }
  }

  mutating func multiplyByPowerOfTwo(_ exponent: Int) {
    if isZero { return }
    multiply(by: 1 << UInt64(exponent % 64))
    limbs.insert(contentsOf: repeatElement(0, count: exponent / 64), at: 0)
  }

  /// Divides; returns the remainder. The divisor is not 0.
  @discardableResult
  mutating func divide(by divisor: UInt64) -> UInt64 {
    var rest: UInt64 = 0
    for index in limbs.indices.reversed() {
      (limbs[index], rest) = divisor.dividingFullWidth((rest, limbs[index]))
    }
    trim()
    return rest
  }

  /// Divides by a number of at most 128 bits that is not 0; returns whether nothing remains.
  mutating func divide(by divisor: WideNatural) -> Bool {
    guard let wide = divisor.low128 else { return false }
    if wide <= UInt128(UInt64.max) { return divide(by: UInt64(truncatingIfNeeded: wide)) == 0 }
    // Two limbs at a time, so that each step is a division of 256 bits by 128.
    if limbs.count % 2 == 1 { limbs.append(0) }
    var rest: UInt128 = 0
    for index in stride(from: limbs.count - 2, through: 0, by: -2) {
      let low = UInt128(limbs[index + 1]) << 64 | UInt128(limbs[index])
      let (quotient, remainder) = wide.dividingFullWidth((rest, low))
      limbs[index] = UInt64(truncatingIfNeeded: quotient)
      limbs[index + 1] = UInt64(truncatingIfNeeded: quotient >> 64)
      rest = remainder
    }
    trim()
    return rest == 0
  }
}

extension WideNatural: Comparable {
  static func < (left: WideNatural, right: WideNatural) -> Bool {
    if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
    for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
      return left.limbs[index] < right.limbs[index]
    }
    return false
  }
}
