internal import CPlatform
internal import Storage

/// The sum of Doubles without any rounding on the way: it is rounded once, when it is read, to the nearest Double.
///
/// So the result depends on the numbers alone, not on their order, their grouping or the thread that adds them, as with
/// Python's `math.fsum`. Numbers are added as integers. Most sums stay in a window of 128 bits around the first number;
/// what does not fit goes to a `WideSum`, which covers every Double. Infinities follow IEEE 754.
///
/// It does not know NaN, which callers skip.
struct ExactSum {
  /// The sum in units of `2^unit`, but for what `wide` holds.
  private var window: Int128 = 0
  /// The exponent of the window's lowest bit, once a number was added.
  private var unit = Self.noUnit
  private var hasInfinity = false
  private var hasNegativeInfinity = false
  private var wide: WideSum?

  /// Not the exponent of any bit: the first number's distance from it is out of range.
  private static let noUnit: Int32 = 1 << 20
  /// How many bits numbers may lie above the window's lowest bit. Their 53 bits leave room for 2³⁰ of them; beyond that
  /// the overflow is noticed.
  private static let reach: UInt32 = 44
  /// How far above the window's lowest bit the first number goes.
  private static let margin: Int32 = 16

  /// The exponent of the lowest bit that a Double has.
  static let lowestExponent: Int32 = -1074

  /// Adds a number that is not NaN.
  @inline(__always)
  mutating func add(_ number: Double) {
    let bits = number.bitPattern
    let exponent = Int32(truncatingIfNeeded: bits &>> 52) & 0x7FF &- 1075
    let shift = UInt32(bitPattern: exponent &- unit)
    // Subnormal numbers and infinities have no place in a window: none begins so low or ends so high.
    if shift <= Self.reach, exponent > -1075, exponent < 972 {
      let magnitude = Int64(bitPattern: bits & (1 &<< 52 &- 1) | 1 &<< 52)
      let (sum, overflow) = window.addingReportingOverflow(
        Int128(number < 0 ? 0 &- magnitude : magnitude) &<< Int128(shift))
      if !overflow {
        window = sum
        return
      }
    }
    addElsewhere(number)
  }

  /// Adds a number for which the window is in the wrong place.
  @inline(never)
  private mutating func addElsewhere(_ number: Double) {
    if number == 0 || number.isNaN { return }
    if number.isInfinite {
      if number < 0 { hasNegativeInfinity = true } else { hasInfinity = true }
      return
    }
    let (mantissa, exponent) = Self.parts(number)
    moveWindow()
    unit = max(exponent - Self.margin, Self.lowestExponent)
    window = mantissa << Int128(exponent - unit)
  }

  /// Adds a number that is not NaN several times.
  mutating func add(_ number: Double, times: Int) {
    if !number.isFinite { return times > 0 ? add(number) : () }
    let (mantissa, exponent) = Self.parts(number)
    add(mantissa * Int128(times), unit: exponent)
  }

  /// Adds `whole × 2^exponent`.
  mutating func add(_ whole: Int128, unit exponent: Int32 = 0) {
    if whole == 0 { return }
    if unit == Self.noUnit {
      (window, unit) = (whole, exponent)
      return
    }
    let shift = Int128(exponent) - Int128(unit)
    if shift >= 0, shift < Int128(whole.magnitude.leadingZeroBitCount) - 1 {
      let (sum, overflow) = window.addingReportingOverflow(whole << shift)
      if !overflow {
        window = sum
        return
      }
    }
    if wide == nil { wide = WideSum() }
    wide?.add(whole, unit: exponent)
  }

  /// A finite number as a whole number of units of a power of two.
  private static func parts(_ number: Double) -> (mantissa: Int128, exponent: Int32) {
    let isSubnormal = number.exponentBitPattern == 0
    let magnitude = Int128(number.significandBitPattern | (isSubnormal ? 0 : 1 << 52))
    return (number < 0 ? -magnitude : magnitude, isSubnormal ? lowestExponent : Int32(number.exponentBitPattern) - 1075)
  }

  /// Adds those of `count` (at most 256) numbers that are in a mask and not NaN.
  ///
  /// - Returns: How many were added.
  mutating func add(_ numbers: UnsafePointer<Double>, _ count: Int, _ mask: Mask) -> Int {
    var (high, low) = (0.0, 0.0)
    var added = 0
    if mask.withWords({ os_exact_sum_f64(numbers, count, $0, &high, &low, &added) }) {
      add(high)
      add(low)
      return added
    }
    added = 0
    mask.forEach { slot in
      if slot >= count || numbers[slot].isNaN { return }
      add(numbers[slot])
      added += 1
    }
    return added
  }

  /// Adds what another sum has.
  mutating func add(_ other: ExactSum) {
    hasInfinity = hasInfinity || other.hasInfinity
    hasNegativeInfinity = hasNegativeInfinity || other.hasNegativeInfinity
    if other.unit != Self.noUnit { add(other.window, unit: other.unit) }
    if let more = other.wide {
      if wide == nil { wide = more } else { wide?.add(more) }
    }
  }

  /// Empties the window into the sum that covers all Doubles.
  private mutating func moveWindow() {
    guard unit != Self.noUnit, window != 0 else { return }
    if wide == nil { wide = WideSum() }
    wide?.add(window, unit: unit)
    window = 0
  }

  /// The Double nearest to the sum, of two the even one; 0 of nothing. Infinite where it is too large, NaN where it has
  /// both infinities.
  var value: Double {
    if hasInfinity || hasNegativeInfinity {
      return hasInfinity && hasNegativeInfinity ? .nan : hasInfinity ? .infinity : -.infinity
    }
    guard var wide else { return unit == Self.noUnit ? 0 : Self.nearest(window.magnitude, window < 0, unit) }
    if unit != Self.noUnit { wide.add(window, unit: unit) }
    return wide.value
  }

  /// The Double nearest to `magnitude × 2^unit`, a whole multiple of the least Double.
  static func nearest(_ magnitude: UInt128, _ isNegative: Bool, _ unit: Int32) -> Double {
    if magnitude == 0 { return 0 }
    // 64 bits are more than enough to round by, where the lowest says whether any bit below it is set.
    let below = max(0, 64 - magnitude.leadingZeroBitCount)
    var top = UInt64(truncatingIfNeeded: magnitude >> UInt128(below))
    if magnitude & (1 << UInt128(below) - 1) != 0 { top |= 1 }
    return Double(sign: isNegative ? .minus : .plus, exponent: Int(unit) + below, significand: Double(top))
  }
}
