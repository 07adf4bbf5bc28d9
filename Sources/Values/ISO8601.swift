/// Instants as ISO 8601 text: reads the common forms and prints one form. It knows no other calendars.
public enum ISO8601 {
  /// The instant that `text` represents, or nil when it is not a date.
  ///
  /// A date, optionally followed by `T` or a space and a time, with or without seconds, a fraction, and an offset or
  /// `Z`. A date alone is midnight; without an offset the time is UTC.
  public static func instant(_ text: String) -> Instant? {
    var text = text
    return text.withUTF8 { instant(UnsafeRawBufferPointer($0)) }
  }

  /// The same, for UTF-8 bytes.
  public static func instant(_ utf8: UnsafeRawBufferPointer) -> Instant? {
    guard utf8.count <= longest else { return nil }
    if let usual = usual(utf8) { return usual }
    var reader = Reader(bytes: utf8)
    return reader.instant()
  }

  /// The instant for text in the form that `text` usually writes, `2018-02-07T01:02:03.5Z` with a short fraction or
  /// none; nil for any other text.
  private static func usual(_ utf8: UnsafeRawBufferPointer) -> Instant? {
    let count = utf8.count
    guard count >= 20, count <= 36, utf8[count - 1] == UInt8(ascii: "Z"), utf8[4] == UInt8(ascii: "-"),
      utf8[7] == UInt8(ascii: "-"), utf8[10] == UInt8(ascii: "T"), utf8[13] == UInt8(ascii: ":"),
      utf8[16] == UInt8(ascii: ":")
    else { return nil }
    var isNumber = true
    func digit(_ position: Int) -> Int {
      let digit = utf8[position] &- 48
      isNumber = isNumber && digit < 10
      return Int(digit)
    }
    func two(_ position: Int) -> Int { digit(position) * 10 + digit(position + 1) }
    let date = CivilDate(
      year: two(0) * 100 + two(2), month: two(5), day: two(8), hour: two(11), minute: two(14), second: two(17))
    guard isNumber, let date else { return nil }
    let whole = Double(date.secondsSince1970) - Instant.secondsFrom1970To2001
    if count == 20 { return Instant(seconds: whole) }
    guard utf8[19] == UInt8(ascii: "."), count > 21, whole != -1 else { return nil }
    // Of at most fifteen digits both they as a number and the power of ten below are exact.
    var (number, scale) = (0, 1.0)
    for position in 20..<count - 1 {
      number = number * 10 + digit(position)
      scale *= 10
    }
    return isNumber ? Instant(seconds: whole + Double(number) / scale) : nil
  }

  /// An upper bound for the number of bytes of an instant, including the smallest fractions.
  private static let longest = 400

  /// `2018-02-07T01:02:03.5Z`: UTC, with the shortest fraction that reads back as the same instant.
  ///
  /// Instants outside the years 0 to 9999 have a sign and a six-digit year; those outside the range of `CivilDate`, or
  /// not finite, are printed as seconds.
  public static func text(_ instant: Instant) -> String {
    let whole = instant.seconds.rounded(.down)
    guard whole.isFinite, abs(whole) < 1e14,
      let date = CivilDate(secondsSince1970: Int(whole) + Int(Instant.secondsFrom1970To2001))
    else { return NumberText.text(instant.seconds) }
    let base = day(date) + "T" + two(date.hour) + ":" + two(date.minute) + ":" + two(date.second)
    return base + fraction(of: instant.seconds, above: whole) + "Z"
  }

  private static func day(_ date: CivilDate) -> String {
    let year =
      if 0...9999 ~= date.year {
        padded(date.year, 4)
      } else {
        (date.year < 0 ? "-" : "+") + padded(abs(date.year), 6)
      }
    return year + "-" + two(date.month) + "-" + two(date.day)
  }

  /// The shortest fraction, such as `.5`, that added to `whole` gives `seconds`; empty when they are equal.
  private static func fraction(of seconds: Double, above whole: Double) -> String {
    let rest = seconds - whole
    guard rest > 0 else { return "" }
    var scale: UInt64 = 1
    for digits in 1...18 {
      scale *= 10
      let count = (rest * Double(scale)).rounded()
      guard count < Double(scale) else { continue }
      // Both parts of the quotient are exact, so it equals the result of parsing the digits.
      let isEqual =
        whole == -1
        ? Self.seconds(whole, fraction: padded(Int(count), digits)) == seconds
        : whole + count / Double(scale) == seconds
      if isEqual { return "." + padded(Int(count), digits) }
    }
    // Only next to the year 2001 itself is a Double of seconds so fine that eighteen digits do not hold it.
    return "." + (whole == -1 ? complement(decimals(-seconds)) : decimals(rest))
  }

  /// Combines whole seconds and the digits of a fraction into one number.
  ///
  /// In the last second before the reference date, a sum would lose precision, so the distance from the date is
  /// computed from the digits instead.
  fileprivate static func seconds(_ whole: Double, fraction digits: String) -> Double? {
    if whole == -1, digits.contains(where: { $0 != "0" }) { return Double("0." + complement(digits)).map { -$0 } }
    return Double("0." + digits).map { whole + $0 }
  }

  /// The digits of 1 less the fraction of these digits, which are not all zero.
  private static func complement(_ digits: String) -> String {
    var bytes = Array(digits.utf8)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    for index in bytes.indices {
      // Nine less each digit, ten less the last: 48 + 9 − (digit − 48).
      bytes[index] = (index == bytes.count - 1 ? 106 : 105) - bytes[index]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The digits behind the point of a number below 1.
  private static func decimals(_ rest: Double) -> String {
    let pieces = rest.description.split(separator: "e")
    let exponent = pieces.count > 1 ? -(Int(pieces[1]) ?? 0) : 0
    let digits = pieces[0].split(separator: ".").joined()
    return exponent == 0 ? String(digits.dropFirst()) : String(repeating: "0", count: exponent - 1) + digits
  }

  private static func two(_ number: Int) -> String { padded(number, 2) }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension ISO8601 {
  /// Reads one text from left to right.
  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }
    var isAtEnd: Bool { position == bytes.count }

    mutating func instant() -> Instant? {
      guard let (year, month, day) = date() else { return nil }
      guard !isAtEnd else {
        return CivilDate(year: year, month: month, day: day).map {
          Instant(secondsSince1970: $0.secondsSince1970, nanoseconds: 0)
        }
      }
      guard take("T") || take("t") || take(" "), let (hour, minute, second) = time() else { return nil }
      guard let fraction = fraction(), let offset = offset(), isAtEnd,
        let civil = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      else { return nil }
      let whole = Double(civil.secondsSince1970 - offset) - Instant.secondsFrom1970To2001
      if whole != -1, let short = short(fraction) { return Instant(seconds: whole + short) }
      let digits = fraction.isEmpty ? "0" : String(decoding: bytes[fraction], as: UTF8.self)
      return ISO8601.seconds(whole, fraction: digits).map(Instant.init(seconds:))
    }

    /// The fraction given by these digits, if both the digits as a number and the power of ten are exact: then the
    /// quotient equals the result of parsing the text.
    private func short(_ digits: Range<Int>) -> Double? {
      guard digits.count <= 15 else { return nil }
      var (number, scale) = (0, 1.0)
      for position in digits {
        number = number * 10 + Int(bytes[position] - 48)
        scale *= 10
      }
      return Double(number) / scale
    }

    private mutating func date() -> (Int, Int, Int)? {
      var sign = 1
      var width = 4
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        sign = byte == UInt8(ascii: "-") ? -1 : 1
        width = 6
        position += 1
      }
      guard let year = number(width) else { return nil }
      let isExtended = take("-")
      guard let month = number(2), take("-") == isExtended, let day = number(2) else { return nil }
      return (sign * year, month, day)
    }

    private mutating func time() -> (Int, Int, Int)? {
      guard let hour = number(2) else { return nil }
      let isExtended = take(":")
      guard let minute = number(2) else { return nil }
      guard isExtended ? take(":") : Lexing.isDigit(byte) else { return (hour, minute, 0) }
      guard let second = number(2) else { return nil }
      return (hour, minute, second)
    }

    /// The range of the digits of a fraction of a second, empty when there is none; nil when no digit follows the
    /// point.
    private mutating func fraction() -> Range<Int>? {
      guard take(".") || take(",") else { return position..<position }
      let start = position
      while Lexing.isDigit(byte) { position += 1 }
      return position > start ? start..<position : nil
    }

    /// Seconds east of UTC.
    private mutating func offset() -> Int? {
      if isAtEnd { return 0 }
      if take("Z") || take("z") { return 0 }
      let sign: Int
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours <= 23 else { return nil }
      if isAtEnd { return sign * hours * 3600 }
      _ = take(":")
      guard let minutes = number(2), minutes <= 59 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      var value = 0
      for _ in 0..<digits {
        guard Lexing.isDigit(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
        position += 1
      }
      return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard byte == UInt8(ascii: character), !isAtEnd else { return false }
      position += 1
      return true
    }
  }

  private enum Lexing {
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
  }
}
