internal import CKernels
internal import Storage
internal import Values

/// Comparing integers, and the integers that decimals are stored as.
extension NumberBlock {
  /// The entries whose integer lies between two inclusive bounds; none of Doubles and Floats stored as such.
  @inline(__always)
  func between(_ count: Int, _ lower: Int64, _ upper: Int64) -> Mask {
    if let stored = storedIntegers { return Mask.filled { os_between_i64(stored, count, lower, upper, $0) } }
    guard let (low, high) = offsets(lower, upper) else { return .none }
    return Mask.filled { out in
      switch layout {
      case .offsets8:
        os_between_u8(
          entries.assumingMemoryBound(to: UInt8.self), count, UInt8(truncatingIfNeeded: low),
          UInt8(truncatingIfNeeded: high), out)
      case .offsets16:
        os_between_u16(
          entries.assumingMemoryBound(to: UInt16.self), count, UInt16(truncatingIfNeeded: low),
          UInt16(truncatingIfNeeded: high), out)
      case .offsets32:
        os_between_u32(
          entries.assumingMemoryBound(to: UInt32.self), count, UInt32(truncatingIfNeeded: low),
          UInt32(truncatingIfNeeded: high), out)
      case .offsets40: os_between_u40(entries.assumingMemoryBound(to: UInt32.self), self.low, count, low, high, out)
      case .int64, .float32, .float64: out.update(repeating: 0, count: 4)
      }
    }
  }

  /// The candidates whose integer is one of several, which are in ascending order.
  func among(_ members: [Int64], _ count: Int, _ candidates: Mask) -> Mask {
    // With few values, each is compared with all slots at once.
    if members.count <= 8 { return members.reduce(Mask.none) { $0 | between(count, $1, $1) } & candidates }
    return candidates.among(members) { integer($0) }
  }

  /// The offsets of integers within the bounds; nil if there are none. No integer of the column is below `base`, and no
  /// offset overflows.
  @inline(__always)
  private func offsets(_ lower: Int64, _ upper: Int64) -> (UInt64, UInt64)? {
    guard let most = layout.mostOffset, upper >= base else { return nil }
    let low = lower <= base ? 0 : UInt64(bitPattern: lower &- base)
    guard low <= most else { return nil }
    return (low, min(most, UInt64(bitPattern: upper &- base)))
  }
}

extension Mask {
  /// The slots whose value is one of several, which are in ascending order.
  @inline(__always)
  func among<T: Comparable>(_ members: [T], _ value: (Int) -> T) -> Mask {
    var found = Mask.none
    forEach { slot in if members.containsAscending(value(slot)) { found[slot] = true } }
    return found
  }

  /// A mask whose four words are written by a kernel.
  @inline(__always)
  static func filled(_ body: (UnsafeMutablePointer<UInt64>) -> Void) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      guard let base = words.baseAddress else { return .none }
      body(base)
      return Mask(base[0], base[1], base[2], base[3])
    }
  }
}

extension Array where Element: Comparable {
  /// Whether an ascending array contains a value; false for NaN.
  @inline(__always)
  func containsAscending(_ value: Element) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if self[middle] < value { low = middle &+ 1 } else { high = middle }
    }
    return low < count && self[low] == value
  }
}
