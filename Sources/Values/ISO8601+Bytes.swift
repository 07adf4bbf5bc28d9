extension ISO8601 {
  /// Appends the ISO 8601 text of an instant.
  package static func append(_ instant: Instant, to text: inout TextBytes) {
    let before = text.count
    text.append(atMost: longestUsual) { usual(instant, $0) }
    if text.count == before { text.append(Self.text(instant)) }
  }

  /// `2018-02-07T01:02:03.123456Z`
  private static let longestUsual = 27

  /// Writes an instant with a four-digit year and a fraction of at most six digits, and returns the number of bytes; 0
  /// for any other instant.
  private static func usual(_ instant: Instant, _ place: UnsafeMutablePointer<UInt8>) -> Int {
    let seconds = instant.seconds
    // The years 0 to 9999, which also excludes NaN.
    guard seconds.magnitude < 3e11 else { return 0 }
    var whole = Int(seconds)
    if Double(whole) > seconds { whole -= 1 }
    guard let date = CivilDate(secondsSince1970: whole + Int(Instant.secondsFrom1970To2001)), 0...9999 ~= date.year
    else { return 0 }
    write(date.year, 4, place)
    place[4] = UInt8(ascii: "-")
    write(date.month, 2, place + 5)
    place[7] = UInt8(ascii: "-")
    write(date.day, 2, place + 8)
    place[10] = UInt8(ascii: "T")
    write(date.hour, 2, place + 11)
    place[13] = UInt8(ascii: ":")
    write(date.minute, 2, place + 14)
    place[16] = UInt8(ascii: ":")
    write(date.second, 2, place + 17)
    guard let fraction = usualFraction(of: seconds, above: whole, place + 19) else { return 0 }
    place[19 + fraction] = UInt8(ascii: "Z")
    return 20 + fraction
  }

  /// Writes the shortest fraction, such as `.5`, and returns the number of bytes; nil if it needs more than six digits.
  ///
  /// Within 68 years of 2001, a Double of seconds has a precision of less than a microsecond. So different fractions of
  /// six digits are different instants, and the matching one without trailing zeros is the shortest.
  private static func usualFraction(
    of seconds: Double, above whole: Int, _ place: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    let rest = seconds - Double(whole)
    guard rest > 0 else { return 0 }
    guard whole != -1, seconds.magnitude < 0x1p31 else { return nil }
    var (count, digits) = (Int(rest * 1e6 + 0.5), 6)
    guard count > 0, count < 1_000_000, Double(whole) + Double(count) / 1e6 == seconds else { return nil }
    while count % 10 == 0 { (count, digits) = (count / 10, digits - 1) }
    place.pointee = UInt8(ascii: ".")
    write(count, digits, place + 1)
    return 1 + digits
  }

  private static func write(_ number: Int, _ digits: Int, _ place: UnsafeMutablePointer<UInt8>) {
    NumberText.write(UInt64(truncatingIfNeeded: number), digits: digits, place)
  }
}
