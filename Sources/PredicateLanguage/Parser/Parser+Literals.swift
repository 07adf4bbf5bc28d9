import Diagnostics
import Values

/// Parses the values of literals.
extension Parser {
  // MARK: Numbers

  /// Parses the current token as a number, negated if a `-` preceded it, and consumes the token.
  mutating func number(negative: Bool, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let literal = token
    if literal.flag { throw gluedNumber(literal) }
    let value =
      literal.kind == .integer
      ? integer(literal, negative: negative, from: start) : decimal(literal, negative: negative)
    advance()
    return try expression(.literal(value), from: start)
  }

  /// The value of an integer; reports an error and returns 0 if it does not fit 64 bits.
  private mutating func integer(_ token: Token, negative: Bool, from start: Int) -> Value {
    var radix: UInt64 = 10
    var offset = token.start
    if lexer.byte(offset) == UInt8(ascii: "0") {
      switch lexer.byte(offset + 1) | 0x20 {
      case UInt8(ascii: "x"): radix = 16
      case UInt8(ascii: "o"): radix = 8
      case UInt8(ascii: "b"): radix = 2
      default: break
      }
      if radix != 10 { offset += 2 }
    }
    if offset == token.end {
      report(.invalidNumber, "digits must follow '\(text(token))'", token.range)
      return .int(0)
    }
    var magnitude: UInt64 = 0
    var overflow = false
    while offset < token.end {
      let byte = lexer.bytes[offset]
      offset += 1
      // A separator between two digits; the lexer has checked that in decimal numbers.
      if byte == UInt8(ascii: "_"), radix == 10 || isSeparator(at: offset - 1, token, digits: token.start + 2) {
        continue
      }
      let digit = Lexer.isDigit(byte) ? UInt64(byte &- 48) : UInt64((byte | 0x20) &- 87)
      if digit >= radix {
        report(.invalidNumber, "'\(shortened(text(token)))' is not a number", token.range)
        return .int(0)
      }
      let (product, first) = magnitude.multipliedReportingOverflow(by: radix)
      let (sum, second) = product.addingReportingOverflow(digit)
      overflow = overflow || first || second
      magnitude = sum
    }
    if !overflow, magnitude <= UInt64(Int64.max) {
      return .int(negative ? -Int64(magnitude) : Int64(magnitude))
    }
    if !overflow, negative, magnitude == Int64.min.magnitude { return .int(.min) }
    let range = SourceRange(start, token.end)
    report(
      .integerOverflow, "'\(shortened(text(range)))' does not fit in 64 bits", range,
      notes: [
        "integers go from -9223372036854775808 to 9223372036854775807; '1e19' is a Double, decimal('…') has 38 digits"
      ])
    return .int(0)
  }

  private func isSeparator(at offset: Int, _ token: Token, digits: Int) -> Bool {
    offset > digits && offset + 1 < token.end && lexer.byte(offset - 1) != UInt8(ascii: "_")
  }

  private func decimal(_ token: Token, negative: Bool) -> Value {
    let value = DecimalReader.double(lexer.bytes + token.start, count: token.end - token.start)
    return .double(negative ? -value : value)
  }

  private mutating func gluedNumber(_ token: Token) -> ParseFailure {
    var end = token.end
    while lexer.continuesName(end) || lexer.byte(end) == UInt8(ascii: ".") && lexer.continuesName(end + 1) {
      end += lexer.scalar(end).length
    }
    let range = SourceRange(token.start, end)
    let written = text(range)
    if let failure = lengthOutsideOfACircle(token, range) { return failure }
    return fail(
      .invalidNumber, "'\(shortened(written))' is neither a number nor a name", range,
      notes: ["a name cannot start with a digit"],
      fixes: [Fix(message: "if it is a text, write '\(written)' in quotes", range: range, replacement: "'\(written)'")])
  }

  /// Reports `100km` outside of a circle: distances are compared in metres.
  private mutating func lengthOutsideOfACircle(_ token: Token, _ range: SourceRange) -> ParseFailure? {
    let unit = text(SourceRange(token.end, range.upperBound)).lowercased()
    guard Self.units.contains(unit) else { return nil }
    let number = text(SourceRange(token.start, token.end)).filter { $0 != "_" }
    guard let count = Double(number) else { return nil }
    let metres = count * (unit == "km" ? 1000 : unit == "mi" ? 1609.344 : 1)
    let replacement = Int64(exactly: metres).map { "\($0)" } ?? "\(metres)"
    return fail(
      .invalidNumber, "'\(shortened(text(range)))' has a unit, which only the radius of geoCircle has", range,
      notes: ["distance(a, b) is in metres"],
      fixes: [Fix(message: "write \(replacement)", range: range, replacement: replacement)])
  }

  // MARK: Strings

  /// The value of a string or quoted-name token.
  mutating func string(_ token: Token) -> String {
    guard token.flag else { return text(token.start + 1, token.end - 1) }
    var output: [UInt8] = []
    output.reserveCapacity(token.end - token.start)
    var offset = token.start + 1
    let end = token.end - 1
    while offset < end {
      let byte = lexer.bytes[offset]
      if byte == UInt8(ascii: "\\") {
        offset = escape(at: offset, before: end, into: &output)
      } else {
        output.append(byte)
        offset += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes the escape at `offset` and returns its end.
  private mutating func escape(at offset: Int, before end: Int, into output: inout [UInt8]) -> Int {
    let letter = lexer.byte(offset + 1)
    var next = offset + 2
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): output.append(letter)
    case UInt8(ascii: "b") where readsPatterns: output += [UInt8(ascii: "\\"), letter]
    // A single digit refers back to a group, which the engine refuses by name; three are a byte in octal.
    case UInt8(ascii: "1")...UInt8(ascii: "9")
    where readsPatterns && !(isOctal(lexer.byte(offset + 2)) && isOctal(lexer.byte(offset + 3))):
      output += [UInt8(ascii: "\\"), letter]
    case UInt8(ascii: "/") where readsJSON: output.append(letter)
    case UInt8(ascii: "a"): output.append(7)
    case UInt8(ascii: "b"): output.append(8)
    case UInt8(ascii: "f"): output.append(12)
    case UInt8(ascii: "n"): output.append(10)
    case UInt8(ascii: "r"): output.append(13)
    case UInt8(ascii: "t"): output.append(9)
    case UInt8(ascii: "v"): output.append(11)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      next = offset + 1
      var value: UInt32 = 0
      while next < min(end, offset + 4), lexer.byte(next) &- 48 < 8 {
        value = value * 8 + UInt32(lexer.byte(next) - 48)
        next += 1
      }
      append(value, offset, next, &output)
    case UInt8(ascii: "x"): next = hexadecimal(offset, digits: 2, before: end, into: &output)
    case UInt8(ascii: "u") where lexer.byte(offset + 2) == UInt8(ascii: "{"):
      next = bracedHexadecimal(offset, before: end, into: &output)
    case UInt8(ascii: "u"): next = hexadecimal(offset, digits: 4, before: end, into: &output)
    default:
      let length = lexer.scalar(offset + 1).length
      next = min(offset + 1 + length, end)
      if readsPatterns {
        for place in offset..<next { output.append(lexer.bytes[place]) }
      } else {
        let range = SourceRange(offset, next)
        report(
          .invalidEscape, "'\(text(range))' is not an escape", range,
          notes: ["the escapes are \\\\ \\\" \\' \\a \\b \\f \\n \\r \\t \\v \\0 \\ooo \\xHH \\uHHHH \\u{H…}"],
          fixes: [
            Fix(
              message: "write '\\\\' for a backslash", range: SourceRange(offset, offset + 1), replacement: "\\\\")
          ])
      }
    }
    return next
  }

  private func isOctal(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 8 }

  private func hexadecimalValue(_ start: Int, digits: Int, before end: Int) -> UInt32? {
    guard start + digits <= end else { return nil }
    var value: UInt32 = 0
    for place in start..<start + digits {
      guard
        let digit = Unicode.Scalar(lexer.byte(place)).properties.isASCIIHexDigit
          ? Character(Unicode.Scalar(lexer.byte(place))).hexDigitValue : nil
      else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private mutating func hexadecimal(
    _ offset: Int, digits: Int, before end: Int, into output: inout [UInt8]
  ) -> Int {
    guard var value = hexadecimalValue(offset + 2, digits: digits, before: end) else {
      return badEscape(offset, min(offset + 2, end), "\(digits) hexadecimal digits must follow")
    }
    var next = offset + 2 + digits
    // A surrogate pair, as in JSON for scalars beyond U+FFFF.
    if 0xD800..<0xDC00 ~= value, lexer.byte(next) == UInt8(ascii: "\\"), lexer.byte(next + 1) == UInt8(ascii: "u"),
      let low = hexadecimalValue(next + 2, digits: 4, before: end), 0xDC00..<0xE000 ~= low
    {
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      next += 6
    }
    append(value, offset, next, &output)
    return next
  }

  private mutating func bracedHexadecimal(_ offset: Int, before end: Int, into output: inout [UInt8]) -> Int {
    var close = offset + 3
    while close < end, close < offset + 12, lexer.byte(close) != UInt8(ascii: "}") { close += 1 }
    let digits = close - offset - 3
    guard lexer.byte(close) == UInt8(ascii: "}"), 1...8 ~= digits,
      let value = hexadecimalValue(offset + 3, digits: digits, before: end)
    else { return badEscape(offset, min(close, end), "one to eight hexadecimal digits must stand in its braces") }
    append(value, offset, close + 1, &output)
    return close + 1
  }

  private mutating func append(_ value: UInt32, _ start: Int, _ end: Int, _ output: inout [UInt8]) {
    if let scalar = Unicode.Scalar(value) {
      output += UTF8.encode(scalar).map { Array($0) } ?? []
    } else {
      _ = badEscape(start, end, "it names no character")
    }
  }

  private mutating func badEscape(_ start: Int, _ end: Int, _ why: String) -> Int {
    let range = SourceRange(start, end)
    report(.invalidEscape, "'\(text(range))' is not an escape: \(why)", range)
    return end
  }
}
