/// Finds the ends of numbers and dates. `LiteralReader` parses their values.
extension Lexer {
  mutating func number(from start: Int) -> Token {
    if let end = dateEnd(start) {
      position = end
      return Token(kind: .date, keyword: nil, flag: continuesName(end), start: start, end: end)
    }
    var kind = Token.Kind.integer
    var end = start
    if bytes[start] == UInt8(ascii: "0"), let prefixed = radixEnd(start) {
      end = prefixed
    } else {
      end = digitsEnd(start)
      if byte(end) == UInt8(ascii: ".") {
        let fraction = digitsEnd(end + 1)
        let next = byte(fraction)
        // `5.` is a number only where no name can follow.
        // `10...20` is a range of Swift, for which the parser has a message.
        if fraction > end + 1 || !(continuesName(fraction) || next == UInt8(ascii: "@") || next == UInt8(ascii: ".")) {
          kind = .decimal
          end = fraction
        }
      }
      if byte(end) | 0x20 == UInt8(ascii: "e") {
        var exponent = end + 1
        if byte(exponent) == UInt8(ascii: "+") || byte(exponent) == UInt8(ascii: "-") { exponent += 1 }
        if Self.isDigit(byte(exponent)) {
          kind = .decimal
          end = digitsEnd(exponent)
        }
      }
    }
    position = end
    let isGlued = continuesName(end) || byte(end) == UInt8(ascii: ".") && Self.isDigit(byte(end + 1))
    return Token(kind: kind, keyword: nil, flag: isGlued, start: start, end: end)
  }

  private func digitsEnd(_ start: Int) -> Int {
    var end = start
    while Self.isDigit(byte(end)) || byte(end) == UInt8(ascii: "_") && end > start && Self.isDigit(byte(end + 1)) {
      end += 1
    }
    return end
  }

  /// The end of `0x1F`, `0o17`, `0b101`. Invalid digits are included, for one clear error instead of two.
  private func radixEnd(_ start: Int) -> Int? {
    switch byte(start + 1) | 0x20 {
    case UInt8(ascii: "x"), UInt8(ascii: "o"), UInt8(ascii: "b"): break
    default: return nil
    }
    var end = start + 2
    while Self.continuesWord(byte(end)) { end += 1 }
    return end
  }

  /// The end of `2018-02-07@01:02:03[:nanoseconds]`.
  private func dateEnd(_ start: Int) -> Int? {
    guard let year = field(start, before: UInt8(ascii: "-")), let month = field(year, before: UInt8(ascii: "-")),
      let day = field(month, before: UInt8(ascii: "@")), let hour = field(day, before: UInt8(ascii: ":")),
      let minute = field(hour, before: UInt8(ascii: ":")), let second = digits(minute, at: 6)
    else { return nil }
    var end = second
    if byte(end) == UInt8(ascii: ":"), let nanoseconds = digits(end + 1, at: 20) { end = nanoseconds }
    return end
  }

  /// Where the next field starts, after one to six digits and a separator.
  @inline(__always)
  private func field(_ start: Int, before separator: UInt8) -> Int? {
    guard let end = digits(start, at: 6), byte(end) == separator else { return nil }
    return end + 1
  }

  /// The end of `T123:45`, either number with a sign perhaps.
  func timestampEnd(_ start: Int) -> Int? {
    var end = start + 1
    if byte(end) == UInt8(ascii: "-") { end += 1 }
    guard let seconds = digits(end, at: 20), byte(seconds) == UInt8(ascii: ":") else { return nil }
    end = seconds + 1
    if byte(end) == UInt8(ascii: "-") { end += 1 }
    return digits(end, at: 20)
  }

  /// The end of one to `most` digits.
  private func digits(_ start: Int, at most: Int) -> Int? {
    var end = start
    while Self.isDigit(byte(end)) {
      end += 1
      if end - start > most { return nil }
    }
    return end > start ? end : nil
  }
}
