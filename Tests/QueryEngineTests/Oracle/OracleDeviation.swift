/// The standard deviation of a population from its definition, in whole numbers: √(n·Σx² − (Σx)²) / n, of which nothing
/// is lost before the root. NaN with an infinite number.
///
/// The language defines no bits of it, as it does of a sum: an engine may be off by as much as Doubles are.
enum OracleDeviation {
  /// How far off a result may be, as a part of it.
  static let tolerance = 1e-13

  static func of(_ numbers: [Double]) -> Double {
    if !numbers.allSatisfy(\.isFinite) { return .nan }
    // Whole numbers of the lowest bit that any of them has.
    let unit = numbers.filter { $0 != 0 }.map { $0.exponent - $0.significandWidth }.min() ?? 0
    var (positive, negative, squares) = (OracleNatural(0), OracleNatural(0), OracleNatural(0))
    for number in numbers where number != 0 {
      let shift = number.exponent - number.significandWidth - unit
      let whole = UInt64(Double(sign: .plus, exponent: number.significandWidth, significand: number.significand))
      let part = OracleNatural(whole).shifted(left: shift)
      if number > 0 { positive = positive + part } else { negative = negative + part }
      squares = squares + part * part
    }
    let total = positive.difference(negative)
    let count = OracleNatural(UInt64(numbers.count))
    let variance = (squares * count).difference(total * total)
    if variance.bits.isEmpty { return 0 }
    // An even power of two makes the root a whole number of 64 bits.
    let shift = (128 - variance.bits.count) & ~1
    let root = variance.shifted(left: shift).root
    return Double(sign: .plus, exponent: unit - shift / 2, significand: Double(root) / Double(numbers.count))
  }

  /// Whether two results are the same, as far as the language says.
  static func agree(_ left: Double, _ right: Double) -> Bool {
    left.isNaN && right.isNaN || abs(left - right) <= tolerance * max(left.magnitude, right.magnitude)
  }

  // MARK: Comparing

  /// Which results are a little greater than they are, and which a little less, by the numbers that they are of; nil
  /// leaves them. An answer that depends on that is in doubt.
  @TaskLocal static var nudge: Int?

  /// The result that an answer is made of.
  static func shown(_ numbers: [Double]) -> Double {
    let exact = of(numbers)
    guard let nudge else { return exact }
    var mixed = numbers.reduce(UInt64(nudge)) { $0 ^ ($1.bitPattern &* 0x9E37_79B9_7F4A_7C15) }
    mixed ^= mixed >> 29
    return exact * ((mixed &* 0xBF58_476D_1CE4_E5B9) >> 60 & 1 == 0 ? 1 + tolerance / 2 : 1 - tolerance / 2)
  }

  /// Whether the answer of a query may be another because Doubles are not exact.
  ///
  /// - Parameter isSame: Whether the oracle gives the same answer once more.
  static func isInDoubt(_ text: String, isSame: () throws -> Bool) -> Bool {
    guard text.contains("stddev") else { return false }
    return (0..<8).contains { nudge in (try? $nudge.withValue(nudge, operation: isSame)) != true }
  }
}

/// A whole number of any length as its bits, the lowest first, without zeros at the end.
private struct OracleNatural {
  let bits: [Bool]

  init(bits: [Bool]) { self.bits = Array(bits.prefix((bits.lastIndex(of: true) ?? -1) + 1)) }

  init(_ number: UInt64) { self.init(bits: (0..<64).map { number >> UInt64($0) & 1 == 1 }) }

  /// Adds or subtracts what carries make of sums of bits.
  private static func carried(_ counts: [Int]) -> OracleNatural {
    var bits: [Bool] = []
    var carry = 0
    for count in counts + Array(repeating: 0, count: 64) {
      let sum = count + carry
      bits.append(sum & 1 == 1)
      carry = (sum - (sum & 1)) / 2
    }
    return OracleNatural(bits: bits)
  }

  private func counts(_ length: Int) -> [Int] { (0..<length).map { $0 < bits.count && bits[$0] ? 1 : 0 } }

  static func + (left: OracleNatural, right: OracleNatural) -> OracleNatural {
    let length = max(left.bits.count, right.bits.count)
    return carried(zip(left.counts(length), right.counts(length)).map { $0 + $1 })
  }

  static func * (left: OracleNatural, right: OracleNatural) -> OracleNatural {
    var counts = [Int](repeating: 0, count: left.bits.count + right.bits.count)
    for (place, bit) in left.bits.enumerated() where bit {
      for (other, bit) in right.bits.enumerated() where bit { counts[place + other] += 1 }
    }
    return carried(counts)
  }

  /// The distance of two numbers.
  func difference(_ other: OracleNatural) -> OracleNatural {
    let length = max(bits.count, other.bits.count)
    let (own, others) = (counts(length), other.counts(length))
    let isLess = own.reversed().lexicographicallyPrecedes(others.reversed())
    return Self.carried(zip(own, others).map { isLess ? $1 - $0 : $0 - $1 })
  }

  /// Times a power of two, or divided by it.
  func shifted(left places: Int) -> OracleNatural {
    OracleNatural(bits: places < 0 ? Array(bits.dropFirst(-places)) : Array(repeating: false, count: places) + bits)
  }

  /// The whole part of the square root of a number of at most 128 bits, bit by bit.
  var root: UInt64 {
    let number = bits.reversed().reduce(UInt128(0)) { $0 << 1 | ($1 ? 1 : 0) }
    var root = UInt64(0)
    for place in (0..<64).reversed() {
      let larger = root | 1 << UInt64(place)
      if UInt128(larger) * UInt128(larger) <= number { root = larger }
    }
    return root
  }
}
