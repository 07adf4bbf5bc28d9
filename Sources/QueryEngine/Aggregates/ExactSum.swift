internal import CKernels
internal import Storage

/// An exact sum of Doubles: it is rounded only once, when it is read, to the nearest Double.
///
/// So the result depends on the numbers alone, not on their order, their grouping or the thread that adds them, as with
/// Python's `math.fsum`. Numbers are added as integers. Most sums stay in a window of 128 bits around the first number;
/// numbers outside the window go to a `WideSum`, which covers every Double. Infinities follow IEEE 754.
///
/// Callers must skip NaN.
struct ExactSum {
  /// The sum in units of `2^unit`, without the part in `wide`.
  private var window: Int128 = 0
  /// The exponent of the window's lowest bit, after the first number.
  private var unit = Self.noUnit
  private var hasInfinity = false
  private var hasNegativeInfinity = false
  private var wide: WideSum?

  /// A value that is no exponent: the distance of any number from it exceeds the reach.
  private static let noUnit: Int32 = 1 << 20
  /// The maximum distance of a number's lowest bit from the window's lowest bit. With 53 bits each, the window has room
  /// for 2³⁰ numbers; an overflow beyond that is detected.
  private static let reach: UInt32 = 44
  /// The distance of the first number's lowest bit from the window's lowest bit.
  private static let margin: Int32 = 16

  /// The exponent of the lowest bit of any Double.
  static let lowestExponent: Int32 = -1074

  /// Adds a number that is not NaN.
  @inline(__always)
  mutating func add(_ number: Double) {
    let bits = number.bitPattern
    let exponent = Int32(truncatingIfNeeded: bits &>> 52) & 0x7FF &- 1075
    let shift = UInt32(bitPattern: exponent &- unit)
    // Subnormal numbers and infinities are never within a window.
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

  /// Adds a number outside the window.
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

  /// Adds a number that is not NaN `times` times.
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

  /// A finite number as an integer and an exponent of 2.
  private static func parts(_ number: Double) -> (mantissa: Int128, exponent: Int32) {
    let isSubnormal = number.exponentBitPattern == 0
    let magnitude = Int128(number.significandBitPattern | (isSubnormal ? 0 : 1 << 52))
    return (number < 0 ? -magnitude : magnitude, isSubnormal ? lowestExponent : Int32(number.exponentBitPattern) - 1075)
  }

  /// Adds those of `count` numbers, at most 256, that are selected by a mask and not NaN.
  ///
  /// - Returns: The number of added numbers.
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

  /// Adds another sum.
  mutating func add(_ other: ExactSum) {
    hasInfinity = hasInfinity || other.hasInfinity
    hasNegativeInfinity = hasNegativeInfinity || other.hasNegativeInfinity
    if other.unit != Self.noUnit { add(other.window, unit: other.unit) }
    if let more = other.wide {
      if wide == nil { wide = more } else { wide?.add(more) }
    }
  }

  /// Moves the window into the wide sum.
  private mutating func moveWindow() {
    guard unit != Self.noUnit, window != 0 else { return }
    if wide == nil { wide = WideSum() }
    wide?.add(window, unit: unit)
    window = 0
  }

  /// The Double nearest to the sum, ties to even; 0 without numbers. Infinite if the sum is too large, NaN if
  /// infinities of both signs were added.
  var value: Double {
    if hasInfinity || hasNegativeInfinity {
      return hasInfinity && hasNegativeInfinity ? .nan : hasInfinity ? .infinity : -.infinity
    }
    guard var wide else { return unit == Self.noUnit ? 0 : Self.nearest(window.magnitude, window < 0, unit) }
    if unit != Self.noUnit { wide.add(window, unit: unit) }
    return wide.value
  }

  /// The Double nearest to `magnitude × 2^unit`, which is a multiple of the smallest Double.
  static func nearest(_ magnitude: UInt128, _ isNegative: Bool, _ unit: Int32) -> Double {
    if magnitude == 0 { return 0 }
    // 64 bits suffice for rounding if the lowest one is set whenever any bit below it is.
    let below = max(0, 64 - magnitude.leadingZeroBitCount)
    var top = UInt64(truncatingIfNeeded: magnitude >> UInt128(below))
    if magnitude & (1 << UInt128(below) - 1) != 0 { top |= 1 }
    return Double(sign: isNegative ? .minus : .plus, exponent: Int(unit) + below, significand: Double(top))
  }
}
