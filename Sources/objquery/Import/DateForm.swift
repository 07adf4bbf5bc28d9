import ObjectStoreCore

/// A format of dates that import recognises in text. It does not know columns.
enum DateForm: String, CaseIterable {
  /// `2018-02-07`, `2018-02-07T01:02:03.5Z`, with an offset or without.
  case iso
  /// `02/07/2018`: the month first.
  case monthFirst
  /// `07/02/2018`: the day first.
  case dayFirst

  /// How people describe it.
  var pattern: String {
    switch self {
    case .iso: "YYYY-MM-DD[Thh:mm:ss]"
    case .monthFirst: "MM/DD/YYYY"
    case .dayFirst: "DD/MM/YYYY"
    }
  }

  /// The instant that `bytes` represent in this form.
  func instant(_ bytes: UnsafeRawBufferPointer) -> Instant? {
    switch self {
    case .iso:
      guard Self.looksISO(bytes) else { return nil }
      return ISO8601.instant(bytes)
    case .monthFirst, .dayFirst:
      guard let (first, second, year) = Self.slashed(bytes) else { return nil }
      let (month, day) = self == .monthFirst ? (first, second) : (second, first)
      guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
      return Instant(secondsSince1970: Double(date.secondsSince1970))
    }
  }

  /// Whether the text may be ISO 8601: quickly rejects nearly every text that is not a date.
  private static func looksISO(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 10 && bytes.count <= 40 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
      && isDigit(bytes[0]) && isDigit(bytes[9])
  }

  /// The three numbers of `1/2/2018`.
  private static func slashed(_ bytes: UnsafeRawBufferPointer) -> (Int, Int, Int)? {
    guard bytes.count >= 8, bytes.count <= 10, isDigit(bytes[0]) else { return nil }
    var numbers = (0, 0, 0)
    var digits = (0, 0, 0)
    var part = 0
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        part += 1
        if part > 2 { return nil }
        continue
      }
      guard isDigit(byte) else { return nil }
      let digit = Int(byte - UInt8(ascii: "0"))
      switch part {
      case 0: (numbers.0, digits.0) = (numbers.0 * 10 + digit, digits.0 + 1)
      case 1: (numbers.1, digits.1) = (numbers.1 * 10 + digit, digits.1 + 1)
      default: (numbers.2, digits.2) = (numbers.2 * 10 + digit, digits.2 + 1)
      }
    }
    guard part == 2, 1...2 ~= digits.0, 1...2 ~= digits.1, digits.2 == 4 else { return nil }
    return numbers
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
