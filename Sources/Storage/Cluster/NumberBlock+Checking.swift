/// Checks what reading relies on; the length has been checked.
extension NumberBlock {
  /// Whether all integers lie between the minimum and the maximum of the directory. `isThere` says which entries have a
  /// value; the others are checked only in layouts of offsets. Doubles and Floats have no bounds to keep.
  func isWithin(_ minimum: UInt64, _ maximum: UInt64, _ count: Int, isThere: (Int) -> Bool) -> Bool {
    if kind != .integers { return true }
    guard layout.mostOffset == nil else { return highest(count) <= maximum &- minimum }
    let (low, high) = (Int64(bitPattern: minimum), Int64(bitPattern: maximum))
    return (0..<count).allSatisfy { !isThere($0) || low <= integer($0) && integer($0) <= high }
  }

  /// Whether decimals have the bounds of the directory, and all their integers are small enough to be exact. Decimals
  /// proper have no bounds there, and integers of 64 bits.
  func areDecimals(within minimum: UInt64, _ maximum: UInt64, _ count: Int) -> Bool {
    if kind == .decimals {
      if layout.mostOffset == nil { return base == 0 }
      return !base.addingReportingOverflow(Int64(truncatingIfNeeded: highest(count))).overflow
    }
    let highest = highest(count)
    let limit = kind == .floats ? Self.floatLimit : Self.limit
    let limits = -limit...limit
    return limits.contains(base) && limits.contains(base &+ Int64(truncatingIfNeeded: highest))
      && bits(ofEntry: 0) == minimum && bits(ofEntry: highest) == maximum
  }

  /// The bits of the decimal with an entry.
  private func bits(ofEntry entry: UInt64) -> UInt64 {
    let number = decimal(entry)
    return kind == .floats ? UInt64(Float(number).bitPattern) : number.bitPattern
  }
}
