/// A table from whole numbers that lie close together to numbers given them: a look-up is one load.
///
/// It keeps whole numbers within 65,536 of each other and refuses others.
final class SmallIntegers {
  private static let span = 1 << 16
  /// What no number is.
  static let none = UInt32.max

  private var memory: UnsafeMutablePointer<UInt32>?
  /// The whole number of the first entry.
  private var base: Int64 = 0

  deinit { memory?.deallocate() }

  /// Where the entry of a whole number is; nil when it lies too far away.
  @inline(__always)
  func entry(of integer: Int64) -> UnsafeMutablePointer<UInt32>? {
    guard let memory else { return first(integer) }
    let (distance, overflow) = integer.subtractingReportingOverflow(base)
    guard !overflow, distance >= 0, distance < Int64(Self.span) else { return nil }
    return memory + Int(truncatingIfNeeded: distance)
  }

  /// The first lies in the middle.
  private func first(_ integer: Int64) -> UnsafeMutablePointer<UInt32> {
    let made = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.span)
    made.initialize(repeating: Self.none, count: Self.span)
    memory = made
    base = integer.subtractingReportingOverflow(Int64(Self.span / 2)).overflow ? .min : integer - Int64(Self.span / 2)
    return made + Int(truncatingIfNeeded: integer &- base)
  }
}
