internal import Storage

/// The sum of decimals that are kept as whole numbers: those with equally many digits are added exactly, and rounded
/// once in the end.
struct ScaledTotals {
  private var wholes = [Int128](repeating: 0, count: ScaledNumbers.exponents.count)

  /// Adds the numbers of some slots.
  mutating func add(_ numbers: ScaledNumbers, _ slots: Mask, _ slotCount: Int) {
    wholes[numbers.exponent] += numbers.total(slots, slotCount)
  }

  /// The sum of all that was added.
  var total: Double {
    ScaledNumbers.exponents.reduce(0) { $0 + Double(wholes[$1]) / ScaledNumbers.powerOfTen($1) }
  }
}

extension ScaledNumbers {
  /// The sum of the whole numbers of some slots.
  func total(_ slots: Mask, _ slotCount: Int) -> Int128 {
    Int128(base) * Int128(slots.count) + Int128(sum(slots, slotCount: slotCount))
  }
}
