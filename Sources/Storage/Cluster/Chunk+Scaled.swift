package import Schema
package import Values

extension Chunk {
  /// The numbers of a chunk of decimals, which has been checked.
  @inline(__always) func scaled(_ width: ScaledNumbers.Width) -> ScaledNumbers {
    let start = base + valuesPlace
    return ScaledNumbers(
      width: width, base: start.load(as: Int64.self),
      exponent: Int(truncatingIfNeeded: start.load(fromByteOffset: 8, as: UInt64.self)), isFloat: type == .float,
      offsets: start + ClusterFormat.scaledHeaderSize, slotCount: slotCount)
  }

  /// Validates decimals: the minimum and maximum match the directory, and all integers are small enough to be exact.
  func validateScaled(_ width: ScaledNumbers.Width) throws(Damage) {
    try expect(ClusterFormat.scaledHeaderSize + width.size(slotCount))
    let exponent = (base + valuesPlace).load(fromByteOffset: 8, as: UInt64.self)
    guard exponent <= UInt64(ScaledNumbers.exponents.upperBound) else { throw Damage(what: "its point is misplaced") }
    let numbers = scaled(width)
    var highest: UInt64 = 0
    for slot in 0..<slotCount { highest = max(highest, numbers.offset(slot)) }
    let limit = numbers.isFloat ? ScaledNumbers.floatLimit : ScaledNumbers.limit
    let limits = -limit...limit
    guard limits.contains(numbers.base), limits.contains(numbers.base &+ Int64(truncatingIfNeeded: highest)),
      bits(of: numbers, offset: 0) == entry.minimum, bits(of: numbers, offset: highest) == entry.maximum
    else { throw Damage(what: "a value is out of range") }
  }

  private func bits(of numbers: ScaledNumbers, offset: UInt64) -> UInt64 {
    let whole = numbers.base &+ Int64(truncatingIfNeeded: offset)
    let number = ScaledNumbers.number(whole, numbers.divisor, isFloat: numbers.isFloat)
    return numbers.isFloat ? UInt64(Float(number).bitPattern) : number.bitPattern
  }
}

extension ScaledNumbers {
  /// An entry as a value of the column's type.
  package func value(at index: Int, _ type: ScalarType) -> Value {
    switch type {
    case .float: .float(Float(self[index]))
    case .date: .date(Instant(seconds: self[index]))
    default: .double(self[index])
    }
  }
}
