extension UUIDBytes: CustomStringConvertible {
  /// The UUID for a `text` such as `550E8400-E29B-41D4-A716-446655440000` in any letter case, or nil.
  public init?(_ text: String) {
    var text = text
    let bytes: (high: UInt64, low: UInt64)? = text.withUTF8 { utf8 in
      guard utf8.count == 36 else { return nil }
      var high: UInt64 = 0
      var low: UInt64 = 0
      for (offset, byte) in utf8.enumerated() {
        if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128 else { return nil }
        high = high << 4 | low >> 60
        low = low << 4 | UInt64(digit)
      }
      return (high, low)
    }
    guard let bytes else { return nil }
    self.init(high: bytes.high, low: bytes.low)
  }

  /// The UUID in capitals, as Foundation's `UUID` prints it.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCount) { text in
      guard let place = text.baseAddress else { return 0 }
      return write(to: place)
    }
  }

  /// Appends its text.
  package func append(to text: inout TextBytes) { text.append(atMost: Self.textCount) { write(to: $0) } }

  /// The bytes of its text.
  private static let textCount = 36

  private func write(to place: UnsafeMutablePointer<UInt8>) -> Int {
    var end = place
    for nibble in 0..<32 {
      if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
        end.pointee = UInt8(ascii: "-")
        end += 1
      }
      let half = nibble < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - nibble % 16 * 4) & 15)
      end.pointee = digit < 10 ? digit + 48 : digit + 55
      end += 1
    }
    return end - place
  }
}
