public import FoundationEssentials

extension Instant {
  /// The moment of a date, bit for bit.
  @inlinable public init(_ date: Date) { self.init(seconds: date.timeIntervalSinceReferenceDate) }
}

extension Date {
  /// The date of a moment, bit for bit.
  @inlinable public init(_ instant: Instant) { self.init(timeIntervalSinceReferenceDate: instant.seconds) }
}

extension UUIDBytes {
  /// The bytes of a UUID.
  public init(_ uuid: UUID) {
    let halves = withUnsafeBytes(of: uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
  }
}

extension UUID {
  /// The UUID of sixteen bytes.
  public init(_ bytes: UUIDBytes) {
    let halves = (bytes.high.bigEndian, bytes.low.bigEndian)
    self = withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
