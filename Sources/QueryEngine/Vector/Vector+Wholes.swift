internal import Storage

extension Vector {
  /// Reads decimals as the whole numbers that they are once they have so many digits behind the point, at least as many
  /// as they are kept with.
  func load(wholes numbers: ScaledNumbers, _ slotCount: Int, exponent: Int) {
    isInteger = true
    let count = min(slotCount, Mask.slotCount)
    let base = numbers.base
    let offsets = numbers.offsets
    switch numbers.width {
    case .bits8:
      for slot in 0..<count { integers[slot] = base &+ Int64(offsets.load(fromByteOffset: slot, as: UInt8.self)) }
    case .bits16:
      let offsets = offsets.assumingMemoryBound(to: UInt16.self)
      for slot in 0..<count { integers[slot] = base &+ Int64(offsets[slot]) }
    case .bits32:
      let offsets = offsets.assumingMemoryBound(to: UInt32.self)
      for slot in 0..<count { integers[slot] = base &+ Int64(offsets[slot]) }
    case .bits40:
      for slot in 0..<count { integers[slot] = base &+ Int64(truncatingIfNeeded: numbers.offset(slot)) }
    }
    if exponent > numbers.exponent {
      let factor = Int64(ScaledNumbers.powerOfTen(exponent - numbers.exponent))
      for slot in 0..<count { integers[slot] &*= factor }
    }
  }
}
