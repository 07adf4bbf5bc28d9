/// Numbers as the shortest text that reads back as the same number.
public enum NumberText {
  /// A Double always has a point or an exponent, so that it never looks like an integer; `inf`, `-inf`, `nan`.
  public static func text(_ number: Double) -> String { number.isNaN ? "nan" : number.description }

  /// A Float likewise, with as many digits as a Float needs.
  public static func text(_ number: Float) -> String { number.isNaN ? "nan" : number.description }

  /// Appends the text of a number.
  package static func append(_ number: Double, to text: inout TextBytes) {
    let before = text.count
    text.append(atMost: longestUsual) { usual(number, $0) }
    if text.count == before { text.append(Self.text(number)) }
  }

  /// Appends the digits of a whole number.
  package static func append(_ number: some FixedWidthInteger, to text: inout TextBytes) {
    if number < 0 { text.append(UInt8(ascii: "-")) }
    append(digits: UInt64(number.magnitude), to: &text)
  }

  private static func append(digits number: UInt64, to text: inout TextBytes) {
    text.append(atMost: 20) { place in
      let count = digitCount(number)
      write(number, digits: count, place)
      return count
    }
  }

  // MARK: The usual numbers

  private static let longestUsual = 20

  /// Writes a number with few decimals, and returns the number of bytes; 0 for any other number.
  ///
  /// Different decimals with at most fifteen digits are different Doubles. So a decimal equal to the number is unique,
  /// and without trailing zeros it is the shortest.
  private static func usual(_ number: Double, _ place: UnsafeMutablePointer<UInt8>) -> Int {
    let magnitude = number.magnitude
    guard magnitude < 1e9, magnitude >= 1e-4 || number == 0 else { return 0 }
    var decimals = magnitude < 1e6 ? 9 : 6
    let (unit, scale): (UInt64, Double) = magnitude < 1e6 ? (1_000_000_000, 1e9) : (1_000_000, 1e6)
    let scaled = UInt64(magnitude * scale + 0.5)
    // Both parts of the quotient are exact, so it equals the result of parsing the digits.
    guard Double(scaled) / scale == magnitude else { return 0 }
    var (whole, fraction) = scaled.quotientAndRemainder(dividingBy: unit)
    if fraction == 0 {
      decimals = 1
    } else {
      while fraction % 1000 == 0 { (fraction, decimals) = (fraction / 1000, decimals - 3) }
      while fraction % 10 == 0 { (fraction, decimals) = (fraction / 10, decimals - 1) }
    }
    var end = place
    if number.sign == .minus {
      end.pointee = UInt8(ascii: "-")
      end += 1
    }
    let count = digitCount(whole)
    write(whole, digits: count, end)
    end[count] = UInt8(ascii: ".")
    write(fraction, digits: decimals, end + count + 1)
    return end + count + 1 + decimals - place
  }

  // MARK: Digits

  private static func digitCount(_ number: UInt64) -> Int {
    var (count, rest) = (1, number)
    while rest >= 10 { (count, rest) = (count + 1, rest / 10) }
    return count
  }

  /// Writes the given number of last digits of a number, with leading zeros if it has fewer.
  static func write(_ number: UInt64, digits: Int, _ place: UnsafeMutablePointer<UInt8>) {
    var rest = number
    for position in stride(from: digits - 1, through: 0, by: -1) {
      let (shorter, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = shorter
    }
  }
}
