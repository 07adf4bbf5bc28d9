/// Bytes as base64 text (RFC 4648, with padding).
public enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of `bytes`.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var held = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      held += 1
      if held == 3 {
        for shift in [18, 12, 6, 0] as [UInt32] { output.append(alphabet[Int(bits >> shift & 63)]) }
        (bits, held) = (0, 0)
      }
    }
    if held > 0 {
      bits <<= UInt32(3 - held) * 8
      for place in 0..<4 {
        output.append(place <= held ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes that `text` encodes, or nil. Padding is optional; line breaks and spaces are not allowed.
  public static func bytes(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    var padding = 0
    var digits = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      digits += 1
      bits = (bits << 6 | UInt32(digit)) & 0xFFFF
      held += 6
      if held >= 8 {
        held -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    // A group may lack its padding but not be a single digit, and the remaining bits must be zero: each value has one
    // text.
    guard digits % 4 != 1, padding == 0 || (digits + padding) % 4 == 0, padding <= 2,
      bits & (1 << UInt32(held) - 1) == 0
    else { return nil }
    return output
  }
}
