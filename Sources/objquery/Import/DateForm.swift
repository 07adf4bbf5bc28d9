import ObjectStoreCore
internal import Values

/// A format of dates that import recognises in text. It does not know columns.
enum DateForm: String, CaseIterable {
  /// `2018-02-07`, `2018-02-07T01:02:03.5Z`, with an offset or without.
  case iso
  /// `02/07/2018`: the month first.
  case monthFirst
  /// `07/02/2018`: the day first.
  case dayFirst
  /// `2018/02/07`: the year first.
  case yearFirst
  /// `07.02.2018`: the day first.
  case dotted
  /// `Feb 7 2018`, `February 7, 2018`, `7 Feb 2018`, in English.
  case written

  /// How people describe it.
  var pattern: String {
    switch self {
    case .iso: "YYYY-MM-DD[Thh:mm:ss]"
    case .monthFirst: "MM/DD/YYYY"
    case .dayFirst: "DD/MM/YYYY"
    case .yearFirst: "YYYY/MM/DD"
    case .dotted: "DD.MM.YYYY"
    case .written: "Feb 7 2018 or 7 Feb 2018"
    }
  }

  /// The instant that `bytes` represent in this form. All but ISO 8601 may have a time of day behind a space: `10:20`,
  /// `10:20:30`.
  func instant(_ bytes: UnsafeRawBufferPointer) -> Instant? {
    switch self {
    case .iso:
      guard Self.looksISO(bytes) else { return nil }
      return ISO8601.instant(bytes)
    case .monthFirst, .dayFirst, .yearFirst, .dotted:
      // Quickly rejects nearly every text that is not a date.
      guard bytes.count >= 8, bytes.count <= 19, Self.isDigit(bytes[0]) else { return nil }
      var parts = DateParts(bytes[...])
      let separator = self == .dotted ? UInt8(ascii: ".") : UInt8(ascii: "/")
      guard let first = parts.number(), parts.take(separator), let second = parts.number(), parts.take(separator),
        let third = parts.number(), let time = parts.timeOfDay()
      else { return nil }
      return switch self {
      case .monthFirst: Self.instant(year: third, month: first, day: second, time)
      case .yearFirst: Self.instant(year: first, month: second, day: third, time)
      default: Self.instant(year: third, month: second, day: first, time)
      }
    case .written:
      guard bytes.count >= 8, bytes.count <= 30, Self.isDigit(bytes[bytes.count - 1]) else { return nil }
      return Self.written(bytes)
    }
  }

  private static func written(_ bytes: UnsafeRawBufferPointer) -> Instant? {
    var parts = DateParts(bytes[...])
    var (month, day) = (parts.month(), DateParts.Number?.none)
    if month != nil {
      parts.skipSpaces()
      day = parts.number()
    } else {
      day = parts.number()
      parts.skipSpaces()
      month = parts.month()
    }
    _ = parts.take(UInt8(ascii: ","))
    parts.skipSpaces()
    guard let month, let day, let year = parts.number(), let time = parts.timeOfDay() else { return nil }
    return instant(year: year, month: DateParts.Number(value: month, digits: 2), day: day, time)
  }

  private static func instant(
    year: DateParts.Number, month: DateParts.Number, day: DateParts.Number, _ time: DateParts.TimeOfDay
  ) -> Instant? {
    guard year.digits == 4, month.digits <= 2, day.digits <= 2,
      let date = CivilDate(
        year: year.value, month: month.value, day: day.value, hour: time.hour, minute: time.minute,
        second: time.second)
    else { return nil }
    return Instant(secondsSince1970: Double(date.secondsSince1970))
  }

  /// Whether the text may be ISO 8601: quickly rejects nearly every text that is not a date.
  private static func looksISO(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Years of more than four digits have a sign and six.
    let year = bytes.count >= 13 && !isDigit(bytes[0]) ? 7 : 4
    return bytes.count >= 10 && bytes[year] == UInt8(ascii: "-") && bytes[year + 3] == UInt8(ascii: "-")
      && isDigit(bytes[1]) && isDigit(bytes[year + 5])
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
