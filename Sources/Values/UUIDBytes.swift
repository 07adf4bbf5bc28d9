/// The sixteen bytes of a UUID, ordered as unsigned bytes; the first byte is the highest of `high`.
public struct UUIDBytes: Hashable, Comparable, Sendable {
  /// Bytes 0 to 7, byte 0 the most significant.
  public var high: UInt64
  /// Bytes 8 to 15, byte 8 the most significant.
  public var low: UInt64

  /// A UUID by its two big-endian halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether `left` comes first by unsigned bytes.
  public static func < (left: UUIDBytes, right: UUIDBytes) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
