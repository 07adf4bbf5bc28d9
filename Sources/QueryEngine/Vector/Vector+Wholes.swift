internal import Storage
internal import Values

extension Vector {
  /// Reads decimals as integers with a given number of decimal places, which must be at least the number they are
  /// stored with.
  func load(wholes numbers: NumberBlock, _ slotCount: Int, exponent: Int) {
    isInteger = true
    let count = min(slotCount, Mask.slotCount)
    numbers.copyIntegers(0..<count, to: integers)
    if exponent > numbers.exponent {
      let factor = DecimalValue.wholePowerOfTen(exponent - numbers.exponent)
      for slot in 0..<count { integers[slot] &*= factor }
    }
  }
}
