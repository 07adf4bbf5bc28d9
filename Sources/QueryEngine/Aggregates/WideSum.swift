/// A multiple of the smallest Double, wide enough for any sum of Doubles. `ExactSum` uses it for numbers that are too
/// far apart for its window.
///
/// ```
/// limbs   0        1        2       …   71
/// bits    0…31     32…63    64…95       2272…2303     each in an Int64, so that carries can wait
/// ```
struct WideSum {
  private var limbs = [Int64](repeating: 0, count: Self.count)
  /// The number of additions since carries were last propagated.
  private var additions = 0

  /// 2,098 bits for a Double, and 200 for the count of numbers.
  private static let count = 72
  /// An addition adds less than 2³³ to a limb.
  private static let mostAdditions = 1 << 28

  /// Adds `whole × 2^exponent`, which must be a multiple of the smallest Double.
  mutating func add(_ whole: Int128, unit exponent: Int32) {
    var magnitude = whole.magnitude
    var place = Int(exponent - ExactSum.lowestExponent)
    if place < 0 {
      magnitude >>= UInt128(-place)
      place = 0
    }
    let shift = UInt64(place & 31)
    var index = place >> 5
    while magnitude != 0, index + 1 < Self.count {
      let part = (UInt64(truncatingIfNeeded: magnitude) & 0xFFFF_FFFF) << shift
      let (low, high) = (Int64(part & 0xFFFF_FFFF), Int64(part >> 32))
      limbs[index] += whole < 0 ? -low : low
      limbs[index + 1] += whole < 0 ? -high : high
      magnitude >>= 32
      index += 1
    }
    noteAddition()
  }

  /// Adds another sum.
  mutating func add(_ other: WideSum) {
    var other = other
    other.passCarries()
    for index in limbs.indices { limbs[index] += other.limbs[index] }
    noteAddition()
  }

  private mutating func noteAddition() {
    additions += 1
    if additions == Self.mostAdditions { passCarries() }
  }

  /// Propagates carries: leaves 32 bits in each limb except the last, which holds the sign.
  private mutating func passCarries() {
    for index in 0..<Self.count - 1 {
      limbs[index + 1] += limbs[index] >> 32
      limbs[index] &= 0xFFFF_FFFF
    }
    additions = 0
  }

  /// The nearest Double.
  var value: Double {
    var sum = self
    sum.passCarries()
    let isNegative = sum.limbs[Self.count - 1] < 0
    if isNegative {
      for index in sum.limbs.indices { sum.limbs[index] = -sum.limbs[index] }
      sum.passCarries()
    }
    guard let top = sum.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The highest limbs, and whether any bit below them is set.
    let bottom = max(0, top - 2)
    var magnitude: UInt128 = 0
    for index in (bottom...top).reversed() { magnitude = magnitude << 32 | UInt128(UInt64(sum.limbs[index])) }
    if sum.limbs[..<bottom].contains(where: { $0 != 0 }) { magnitude |= 1 }
    return ExactSum.nearest(magnitude, isNegative, Int32(32 * bottom) + ExactSum.lowestExponent)
  }
}
