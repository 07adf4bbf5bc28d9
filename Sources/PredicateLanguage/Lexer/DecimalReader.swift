/// The Double nearest to a decimal number in text.
enum DecimalReader {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]

  /// Parses digits with `_` between them, an optional point and an optional exponent, which the lexer has already
  /// checked.
  ///
  /// With up to 15 digits and a small exponent both parts are exact in a Double, and so one operation rounds
  /// correctly; the rest goes to the standard library.
  static func double(_ bytes: UnsafePointer<UInt8>, count: Int) -> Double {
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    var seenPoint = false
    var index = 0
    while index < count {
      let byte = bytes[index]
      if Lexer.isDigit(byte) {
        mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
        if mantissa > 0 { digits += 1 }
        if seenPoint { exponent -= 1 }
      } else if byte == UInt8(ascii: ".") {
        seenPoint = true
      } else if byte != UInt8(ascii: "_") {
        break
      }
      index += 1
    }
    guard index == count, digits <= 15, exponent >= -22 else { return slow(bytes, count) }
    return exponent == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[-exponent]
  }

  private static func slow(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double {
    let text = String(
      decoding: UnsafeBufferPointer(start: bytes, count: count).filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    return Double(text.last == "." ? text + "0" : text) ?? .nan
  }
}
