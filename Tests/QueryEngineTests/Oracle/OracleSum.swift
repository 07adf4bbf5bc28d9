/// The sum of Doubles as §4 has it: exact, and rounded once, to the nearest Double, of two the even one. Bit by bit, too
/// simple to be wrong.
enum OracleSum {
  /// The exponent of the lowest bit of any Double.
  private static let lowest = -1074

  static func of(_ numbers: [Double]) -> Double {
    if let special = ofSpecials(numbers) ?? ofSmall(numbers) { return special }
    // How often each power of two is in the sum, from the lowest on.
    var bits = [Int](repeating: 0, count: 2_200)
    for number in numbers where number != 0 {
      let isSubnormal = number.exponentBitPattern == 0
      let significand = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
      let place = isSubnormal ? 0 : Int(number.exponentBitPattern) - 1
      for bit in 0..<53 where significand >> UInt64(bit) & 1 == 1 { bits[place + bit] += number < 0 ? -1 : 1 }
    }
    passCarries(&bits)
    // Less than nothing: the opposite is added up, and the result turned round.
    let isNegative = bits[bits.count - 1] < 0
    if isNegative { return -of(numbers.map { -$0 }) }
    return rounded(bits)
  }

  /// Leaves 0 or 1 in each place but the last.
  private static func passCarries(_ bits: inout [Int]) {
    for place in 0..<bits.count - 1 {
      let bit = bits[place] & 1
      bits[place + 1] += (bits[place] - bit) / 2
      bits[place] = bit
    }
  }

  private static func rounded(_ bits: [Int]) -> Double {
    guard let top = bits.lastIndex(of: 1) else { return 0 }
    let last = max(0, top - 52)
    var significand = 0
    for place in (last...top).reversed() { significand = 2 * significand + bits[place] }
    if last > 0, bits[last - 1] == 1, bits[..<(last - 1)].contains(1) || significand % 2 == 1 { significand += 1 }
    return Double(sign: .plus, exponent: last + lowest, significand: Double(significand))
  }

  /// With infinities it is as IEEE 754 has it.
  private static func ofSpecials(_ numbers: [Double]) -> Double? {
    let infinite = Set(numbers.filter(\.isInfinite))
    return infinite.isEmpty ? nil : infinite.count == 1 ? infinite.first : .nan
  }

  /// Small numbers with few digits behind the point are counted in 2⁻¹⁶ths.
  private static func ofSmall(_ numbers: [Double]) -> Double? {
    var sum = 0
    for number in numbers {
      guard abs(number) < 1e6, let units = Int(exactly: number * 65_536) else { return nil }
      sum += units
    }
    return numbers.count < 1000 ? Double(sum) / 65_536 : nil
  }
}
