internal import Values

/// Rounds numbers to some decimal places, halves away from zero, for `round(x, places)`. Negative places are tens,
/// hundreds and so on.
enum DecimalPlaces {
  /// A Double is rounded by the digits that it is written with: 2.675 to two places is 2.68, though the Double is a
  /// little less than that.
  static func round(_ number: Double, _ places: Int64) -> Double {
    if 0...15 ~= places, let power = powers[checked: Int(places)] {
      let scaled = number * power
      let whole = scaled.rounded(.toNearestOrAwayFromZero)
      // Far enough from a half, the product is on the same side of it as the digits. A quotient of whole numbers that
      // are exact as Doubles is the Double nearest to its digits.
      if scaled.magnitude < 0x1p40, ((scaled - scaled.rounded(.towardZero)).magnitude - 0.5).magnitude > 0x1p-10 {
        return whole / power
      }
    }
    return byDigits(number.magnitude.description, number, places)
  }

  /// A Float is rounded by its own digits: the Double that equals it has others.
  static func round(_ float: Float, _ places: Int64) -> Double {
    let number = Double(float)
    if 0...15 ~= places, let power = powers[checked: Int(places)] {
      let scaled = number * power
      let whole = scaled.rounded(.toNearestOrAwayFromZero)
      // The digits of a Float differ from its value by at most half of a unit in its last place.
      let fraction = (scaled - scaled.rounded(.towardZero)).magnitude
      if scaled.magnitude < 0x1p40, (fraction - 0.5).magnitude > 0x1p-10 + scaled.magnitude * 0x1p-23 {
        return whole / power
      }
    }
    return byDigits(float.magnitude.description, Double(float.description) ?? number, places)
  }

  private static let powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]

  /// Rounds a number by the text of its magnitude.
  private static func byDigits(_ text: String, _ number: Double, _ places: Int64) -> Double {
    guard number.isFinite, number != 0 else { return number }
    // The digits with the position of the point among them.
    let pieces = text.split(separator: "e")
    let parts = (pieces.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts.first ?? ""
    var digits = (whole + (parts.count > 1 ? parts[1] : "")).utf8.map { Int($0) - 48 }
    let point = whole.utf8.count + (pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0)
    // A Double has no digits beyond these places.
    let kept = point + Int(min(max(places, -2_000), 2_000))
    if kept >= digits.count { return number }
    if kept < 0 { return 0 }
    let isUp = digits[kept] >= 5
    digits.removeLast(digits.count - kept)
    var exponent = point - kept
    if isUp {
      while digits.last == 9 {
        digits.removeLast()
        exponent += 1
      }
      if let last = digits.popLast() { digits.append(last + 1) } else { digits = [1] }
    }
    if digits.isEmpty { return 0 }
    let text = digits.map(String.init).joined() + "e\(exponent)"
    return (Double(text) ?? .nan) * (number < 0 ? -1 : 1)
  }

  /// An Int stays as it is with places after the point; nil on overflow.
  static func round(_ number: Int64, _ places: Int64) -> Int64? {
    if places >= 0 || number == 0 { return number }
    // An Int has 19 digits, and a half of the next power is more than any.
    if places < -19 { return 0 }
    var power = UInt64(1)
    for _ in 0..<places.magnitude { power *= 10 }
    let rest = number.magnitude % power
    let base = number.magnitude - rest
    let (magnitude, isOver) = rest >= power - rest ? base.addingReportingOverflow(power) : (base, false)
    if isOver { return nil }
    return number < 0 ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
  }

  /// Exact; nil where the result has too many digits.
  static func round(_ number: DecimalValue, _ places: Int64) -> DecimalValue? {
    number.rounded(toPlaces: Int(min(max(places, -2_000), 2_000)))
  }
}

extension Array {
  fileprivate subscript(checked place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
