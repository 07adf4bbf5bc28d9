import CKernels
import Schema
import Values

extension ChunkWriter {
  /// Writes Doubles, Floats or dates as integers over a power of ten, if all can be represented and that is shorter.
  /// Returns false if it wrote nothing. Slots without a value must already have one.
  mutating func writeDecimals() -> Bool {
    let isFloat = column.type == .float
    guard var exponent = sampledExponent(isFloat) else { return false }
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: Mask.slotCount) { numbers in
      withUnsafeTemporaryAllocation(of: Double.self, capacity: Mask.slotCount) { values in
        guard let numbers = numbers.baseAddress, let values = values.baseAddress else { return false }
        for slot in 0..<slotCount { values[slot] = number(slot, isFloat) }
        for slot in slotCount..<((slotCount + 7) & ~7) { values[slot] = values[0] }
        var least: Int64 = 0
        var greatest: Int64 = 0
        while !os_scale(
          values, slotCount, NumberBlock.powerOfTen(exponent), isFloat, numbers, &least, &greatest)
        {
          // Some value has more digits than the sample.
          guard let more = moreDigits(values, than: exponent, isFloat) else { return false }
          exponent = more
        }
        return put(numbers, least, greatest, exponent)
      }
    }
  }

  /// Writes Decimals as integers over a power of ten, if all can be represented and they differ. Returns false if it
  /// wrote nothing.
  mutating func writeExactDecimals(_ texts: TextBuffer) -> Bool {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Mask.slotCount) { numbers in
      guard let numbers = numbers.baseAddress, let places = load(texts, numbers), let first = valid.first
      else { return false }
      var (least, greatest) = (numbers[first], numbers[first])
      valid.forEach { (least, greatest) = (min(least, numbers[$0]), max(greatest, numbers[$0])) }
      if least == greatest { return false }
      Mask(firstCount: slotCount).andNot(valid).forEach { numbers[$0] = least }
      return put(numbers, least, greatest, places)
    }
  }

  /// The integers of Decimals over the least power of ten that all have; the others' are undefined. Returns the number
  /// of places, or nil if an integer has more than 64 bits.
  private func load(_ texts: TextBuffer, _ numbers: UnsafeMutablePointer<Int64>) -> Int? {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Mask.slotCount) { exponents in
      guard let exponents = exponents.baseAddress else { return nil }
      var places = 0
      var fits = true
      valid.forEach { slot in
        guard fits, let (number, exponent) = DecimalValue(bytes: texts.text(slot))?.small else { return fits = false }
        numbers[slot] = number
        exponents[slot] = exponent
        places = max(places, -exponent)
      }
      guard fits, NumberBlock.exactExponents.contains(places) else { return nil }
      valid.forEach { slot in
        let zeros = places + exponents[slot]
        if zeros == 0 || numbers[slot] == 0 { return }
        guard NumberBlock.exactExponents.contains(zeros) else { return fits = false }
        let (product, overflow) = numbers[slot].multipliedReportingOverflow(by: DecimalValue.wholePowerOfTen(zeros))
        if overflow { fits = false }
        numbers[slot] = product
      }
      return fits ? places : nil
    }
  }

  private mutating func put(
    _ numbers: UnsafePointer<Int64>, _ least: Int64, _ greatest: Int64, _ exponent: Int
  ) -> Bool {
    let span = UInt64(bitPattern: greatest &- least)
    guard let (encoding, layout) = ChunkEncoding.decimals(span: span, column.type) else { return false }
    result.encoding = encoding
    if column.type != .decimal { range(bits(of: least, exponent), bits(of: greatest, exponent)) }
    let base = layout.base(least: least)
    put(base)
    put(UInt64(exponent))
    put(layout) { UInt64(bitPattern: numbers[$0] &- base) }
    return true
  }

  /// The number of decimal places of some sampled values; nil if one of them is not a decimal.
  private func sampledExponent(_ isFloat: Bool) -> Int? {
    var exponent = NumberBlock.exponents.lowerBound
    for slot in stride(from: 0, to: slotCount, by: max(1, slotCount / 8)) {
      guard let needed = Self.exponent(of: number(slot, isFloat), from: exponent, isFloat) else { return nil }
      exponent = needed
    }
    return exponent
  }

  /// The number of decimal places of all values; nil if one of them is not a decimal.
  private func moreDigits(_ values: UnsafePointer<Double>, than least: Int, _ isFloat: Bool) -> Int? {
    var exponent = least
    for slot in 0..<slotCount {
      guard let needed = Self.exponent(of: values[slot], from: exponent, isFloat) else { return nil }
      exponent = needed
    }
    // All values fit one by one but not together. This cannot happen; the check prevents an endless loop.
    return exponent > least ? exponent : nil
  }

  /// The smallest number of decimal places, at least `least`, that represents a number exactly.
  private static func exponent(of number: Double, from least: Int, _ isFloat: Bool) -> Int? {
    let limit = isFloat ? OS_SCALED_FLOAT_LIMIT : OS_SCALED_LIMIT
    var exponent = least
    while exponent <= NumberBlock.exponents.upperBound {
      let divisor = NumberBlock.powerOfTen(exponent)
      let scaled = number * divisor
      guard abs(scaled) < limit else { return nil }
      let whole = scaled.rounded(.toNearestOrEven)
      // Compared by bits, because an integer cannot represent negative zero.
      let back = NumberBlock.decimal(Int64(whole), divisor, isFloat: isFloat)
      if back.bitPattern == number.bitPattern { return exponent }
      exponent += 1
    }
    return nil
  }

  @inline(__always) private func number(_ slot: Int, _ isFloat: Bool) -> Double {
    isFloat
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: column.words[slot])))
      : Double(bitPattern: column.words[slot])
  }

  private func bits(of whole: Int64, _ exponent: Int) -> UInt64 {
    let isFloat = column.type == .float
    let number = NumberBlock.decimal(whole, NumberBlock.powerOfTen(exponent), isFloat: isFloat)
    return isFloat ? UInt64(Float(number).bitPattern) : number.bitPattern
  }
}
