internal import Storage

extension Vector {
  /// Reads decimals as the whole numbers that they are once they have so many digits behind the point, at least as many
  /// as they are kept with.
  func load(wholes numbers: ScaledNumbers, _ slotCount: Int, exponent: Int) {
    isInteger = true
    let count = min(slotCount, Mask.slotCount)
    numbers.copyWholes(count, to: integers)
    if exponent > numbers.exponent {
      let factor = Int64(ScaledNumbers.powerOfTen(exponent - numbers.exponent))
      for slot in 0..<count { integers[slot] &*= factor }
    }
  }
}
