import Values

/// Constants.
extension Printer {
  mutating func print(_ value: Value) {
    switch value {
    case .null: print(Keyword.nil)
    case .bool(let isTrue): print(isTrue ? Keyword.isTrue : .isFalse)
    case .int(let number): output += String(number)
    // Printed as the equal Double, since it is parsed as a Double.
    case .float(let number): print(Double(number))
    case .double(let number): print(number)
    case .decimal(let number): output += "decimal(\"\(number)\")"
    case .string(let text): output += "\"" + Printer.escaped(text, quote: "\"") + "\""
    case .date(let instant): print(instant)
    case .uuid(let uuid): output += "uuid(\"\(uuid)\")"
    case .data(let bytes): output += "B64\"\(Base64.text(bytes))\""
    case .object(let object):
      output += "object(\"" + Printer.escaped(object.entity, quote: "\"") + "\", \(object.number.rawValue))"
    case .list(let elements):
      output += "{"
      for (index, element) in elements.enumerated() {
        if index > 0 { output += ", " }
        print(element)
      }
      output += "}"
    case .embedded(let fields):
      // There is no such literal; this form is for display only.
      output += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { output += ", " }
        output += "\"" + Printer.escaped(field.name, quote: "\"") + "\": "
        print(field.value)
      }
      output += "}"
    }
  }

  private mutating func print(_ instant: Instant) {
    let text = usesISO8601 ? ISO8601.text(instant) : ""
    // An instant outside the calendar is printed as seconds.
    if usesISO8601, ISO8601.instant(text) == instant {
      output += "date(\"\(text)\")"
    } else {
      output += "CAST(\(Printer.decimals(instant.seconds)), \"NSDate\")"
    }
  }

  /// The text with quotes, backslashes and control characters escaped.
  static func escaped(_ text: String, quote: Unicode.Scalar) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      if scalar == quote || scalar == "\\" {
        escaped += "\\"
        escaped.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory == .control {
        escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A number without an exponent, with six decimals or as many as an exact round trip needs.
  static func decimals(_ number: Double) -> String {
    guard number.isFinite else { return NumberText.text(number) }
    let pieces = number.magnitude.description.split(separator: "e")
    let exponent = pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0
    let mantissa = pieces[0].split(separator: ".")
    var digits = mantissa.joined()
    // The position of the point among the digits.
    var point = mantissa[0].count + exponent
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    if digits.count < point { digits += String(repeating: "0", count: point - digits.count) }
    var fraction = String(digits.dropFirst(point))
    while fraction.count > 6, fraction.last == "0" { fraction.removeLast() }
    if fraction.count < 6 { fraction += String(repeating: "0", count: 6 - fraction.count) }
    return (number.sign == .minus ? "-" : "") + digits.prefix(point) + "." + fraction
  }
}
