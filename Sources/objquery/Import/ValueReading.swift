import CSimdjson
import ObjectStoreCore
internal import Values

/// Converts one field of the data to a value of a column's type, or explains why it can't.
///
/// It knows the type and the date format; it knows neither the row nor whether nil is allowed.
struct ValueReading {
  let type: ScalarType
  let dates: DateReading?

  enum Outcome {
    case value(Value)
    case unfit(String)
  }

  func read(_ field: Field) -> Outcome {
    if field.kind == csj_null { return .value(.null) }
    if field.kind == csj_array { return .unfit("a list cannot be kept as \(type.rawValue)") }
    if field.kind == csj_object { return .unfit("an object cannot be kept as \(type.rawValue)") }
    switch type {
    case .string: return .value(.string(text(field)))
    case .bool: return bool(field).map { .value(.bool($0)) } ?? unfit(field, "true or false")
    case .int, .int8, .int16, .int32: return integer(field)
    case .double:
      guard let number = real(field) else { return unfit(field, "a number") }
      return number.isInfinite && isOfDigits(field) ? tooLarge(field) : .value(.double(number))
    case .float:
      guard let number = real(field) else { return unfit(field, "a number") }
      let rounded = Float(number)
      return rounded.isInfinite && isOfDigits(field) ? tooLarge(field) : .value(.float(rounded))
    case .decimal:
      return decimal(field).map { .value(.decimal($0)) } ?? unfit(field, "a decimal number of at most 38 digits")
    case .date: return date(field)
    case .uuid: return UUIDBytes(text(field)).map { .value(.uuid($0)) } ?? unfit(field, "a UUID")
    case .data: return Base64.bytes(text(field)).map { .value(.data($0)) } ?? unfit(field, "base64")
    }
  }

  private func text(_ field: Field) -> String {
    switch field.kind {
    case csj_bool: field.integer != 0 ? "true" : "false"
    case csj_integer: String(field.integer)
    case csj_real: field.length > 0 ? field.string : NumberText.text(field.real)
    default: field.string
    }
  }

  private func bool(_ field: Field) -> Bool? {
    switch field.kind {
    case csj_bool: field.integer != 0
    case csj_untyped, csj_quoted, csj_string: NumberReading.bool(field.bytes)
    default: nil
    }
  }

  private func integer(_ field: Field) -> Outcome {
    let number: Int64?
    switch field.kind {
    case csj_integer: number = field.integer
    // A Double may be the integer nearest to what is written.
    case csj_real where field.real.magnitude >= 0x1p53 && field.length > 0:
      number = DecimalValue(utf8: field.bytes).flatMap { Int64($0.description) }
    case csj_real: number = Int64(exactly: field.real)
    case csj_untyped, csj_quoted: number = field.withNumber(NumberReading.integer)
    default: number = nil
    }
    guard let number else {
      let isNumber = [csj_real, csj_untyped, csj_quoted].contains(field.kind)
      let isWide = isNumber && field.withNumber(NumberReading.isWhole)
      return isWide ? tooLarge(field) : unfit(field, "a whole number")
    }
    let fits: Bool =
      switch type {
      case .int8: Int8(exactly: number) != nil
      case .int16: Int16(exactly: number) != nil
      case .int32: Int32(exactly: number) != nil
      default: true
      }
    return fits ? .value(.int(number)) : .unfit("\(number) does not fit \(type.rawValue)")
  }

  private func real(_ field: Field) -> Double? {
    switch field.kind {
    case csj_integer: Double(field.integer)
    case csj_real: field.real
    case csj_untyped, csj_quoted: field.withNumber(NumberReading.real)
    case csj_string: NumberReading.isSpecial(field.bytes) ? NumberReading.real(field.bytes) : nil
    default: nil
    }
  }

  /// Whether a number is written in digits, and not as infinity.
  private func isOfDigits(_ field: Field) -> Bool {
    field.kind == csj_integer || field.kind == csj_real || !NumberReading.isSpecial(field.bytes)
  }

  private func tooLarge(_ field: Field) -> Outcome { .unfit("\(text(field)) does not fit \(type.rawValue)") }

  private func decimal(_ field: Field) -> DecimalValue? {
    switch field.kind {
    case csj_integer: DecimalValue(field.integer)
    // The digits as written, of which a Double keeps only the first.
    case csj_real: field.length > 0 ? DecimalValue(utf8: field.bytes) : DecimalValue(shortest: field.real)
    case csj_untyped, csj_quoted, csj_string: field.withNumber { DecimalValue(utf8: $0) }
    default: nil
    }
  }

  private func date(_ field: Field) -> Outcome {
    switch dates {
    case .milliseconds:
      guard let number = real(field), number.isFinite else { return unfit(field, "milliseconds since 1970") }
      // Shifted to 2001 as milliseconds, which is exact: seconds with a fraction would be rounded twice.
      return .value(.date(Instant(seconds: (number - Instant.secondsFrom1970To2001 * 1000) / 1000)))
    case .seconds:
      guard let number = real(field), number.isFinite else { return unfit(field, "seconds since 1970") }
      return .value(.date(Instant(secondsSince1970: number)))
    case .text(let form):
      guard field.length > 0, let instant = form.instant(field.bytes) ?? distant(field) else {
        return unfit(field, "a date written \(form.pattern)")
      }
      return .value(.date(instant))
    case nil:
      if field.length > 0, let instant = DateForm.iso.instant(field.bytes) ?? distant(field) {
        return .value(.date(instant))
      }
      let hint = field.kind == csj_integer || field.kind == csj_real ? "; for numbers say --date …:ms or :s" : ""
      return .unfit("\(quoted(text(field))) is not a date written \(DateForm.iso.pattern)\(hint)")
    }
  }

  /// An instant beyond all years, which is written as seconds.
  private func distant(_ field: Field) -> Instant? {
    guard field.kind != csj_real, let number = NumberReading.real(field.bytes) else { return nil }
    let instant = Instant(seconds: number)
    return ISO8601.text(instant) == field.string ? instant : nil
  }

  private func unfit(_ field: Field, _ expected: String) -> Outcome {
    .unfit("\(quoted(text(field))) is not \(expected)")
  }
}
