/// Text beyond ASCII: letters of names, white space, and typographic quotation marks.
extension Lexer {
  /// The scalar at an offset and its length in bytes. The text is valid UTF-8 because it comes from a `String`.
  func scalar(_ offset: Int) -> (value: Unicode.Scalar, length: Int) {
    let first = byte(offset)
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? UInt32(first) : UInt32(first & (0x7F >> UInt8(length)))
    for index in 1..<max(length, 1) where length > 1 { value = value << 6 | UInt32(byte(offset + index) & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  /// Whether a name starts at an offset.
  func startsName(_ offset: Int) -> Bool {
    let first = byte(offset)
    return first < 0x80 ? Self.startsWord(first) : Self.isLetter(scalar(offset).value)
  }

  /// Whether there is a letter, digit or `_` at an offset.
  func continuesName(_ offset: Int) -> Bool {
    let first = byte(offset)
    return first < 0x80 ? Self.continuesWord(first) : Self.continues(scalar(offset).value)
  }

  /// The end of the name that starts at an offset.
  @inline(__always)
  func endOfName(_ start: Int) -> Int {
    var end = start
    while Self.continuesWord(byte(end)) { end += 1 }
    return byte(end) < 0x80 ? end : endOfUnicodeName(end)
  }

  private func endOfUnicodeName(_ start: Int) -> Int {
    var end = start
    while end < count {
      if bytes[end] < 0x80 {
        guard Self.continuesWord(bytes[end]) else { return end }
        end += 1
      } else {
        let (value, length) = scalar(end)
        guard Self.continues(value) else { return end }
        end += length
      }
    }
    return min(end, count)
  }

  /// A token that starts with a byte over 0x7F.
  mutating func unicode(from start: Int) -> Token {
    let (value, length) = scalar(start)
    if Self.isLetter(value) {
      position = endOfName(start)
      return Token(kind: .word, keyword: nil, flag: false, start: start, end: position)
    }
    guard Self.isSmartQuote(value) else {
      position = min(start + length, count)
      return Token(kind: .invalid, keyword: nil, flag: false, start: start, end: position)
    }
    var end = start + length
    while end < count, bytes[end] != UInt8(ascii: "\n") {
      let (value, length) = scalar(end)
      end += length
      if Self.isSmartQuote(value) {
        position = min(end, count)
        return Token(kind: .smartString, keyword: nil, flag: false, start: start, end: position)
      }
    }
    // There is no closing mark: continue after the opening one, so that scanning stays linear.
    position = start + length
    return Token(kind: .invalid, keyword: nil, flag: false, start: start, end: position)
  }

  /// The length of white space at an offset, such as a no-break space or a byte order mark; nil if there is none.
  func blankLength(_ offset: Int) -> Int? {
    let (value, length) = scalar(offset)
    return value.properties.isWhitespace || value == "\u{FEFF}" ? length : nil
  }

  static func isSmartQuote(_ value: Unicode.Scalar) -> Bool {
    switch value {
    case "\u{2018}"..."\u{201F}", "\u{AB}", "\u{BB}": true
    default: false
    }
  }

  private static func isLetter(_ value: Unicode.Scalar) -> Bool {
    switch value.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
    default: false
    }
  }

  private static func continues(_ value: Unicode.Scalar) -> Bool {
    if isLetter(value) { return true }
    switch value.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return false
    }
  }
}
