/// A table from integers in a small range to numbers: a lookup is a single load.
///
/// It accepts integers within 65,536 of each other and refuses others. It takes 256 KiB from its first integer on.
final class SmallIntegers {
  private static let span = 1 << 16
  /// Whether it accepts any.
  private let acceptsAny: Bool
  /// The value of an empty entry.
  static let none = UInt32.max

  private var memory: UnsafeMutablePointer<UInt32>?
  /// The integer of the first entry.
  private var base: Int64 = 0

  init(acceptsAny: Bool = true) { self.acceptsAny = acceptsAny }

  deinit { memory?.deallocate() }

  /// The entry of an integer; nil if it is out of range.
  @inline(__always)
  func entry(of integer: Int64) -> UnsafeMutablePointer<UInt32>? {
    guard let memory else { return first(integer) }
    let (distance, overflow) = integer.subtractingReportingOverflow(base)
    guard !overflow, distance >= 0, distance < Int64(Self.span) else { return nil }
    return memory + Int(truncatingIfNeeded: distance)
  }

  /// Centres the range on the first integer.
  private func first(_ integer: Int64) -> UnsafeMutablePointer<UInt32>? {
    if !acceptsAny { return nil }
    let made = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.span)
    made.initialize(repeating: Self.none, count: Self.span)
    memory = made
    base = integer.subtractingReportingOverflow(Int64(Self.span / 2)).overflow ? .min : integer - Int64(Self.span / 2)
    return made + Int(truncatingIfNeeded: integer &- base)
  }
}
