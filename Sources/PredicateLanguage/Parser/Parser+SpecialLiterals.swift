import Diagnostics
import Values

/// Literals with a syntax of their own: dates, UUIDs, data.
extension Parser {
  /// `2018-02-07@01:02:03`, `T123:45`, `B64"…"`.
  mutating func specialLiteral(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let value: Value
    switch token.kind {
    case .date: value = date(token)
    case .timestamp: value = timestamp(token)
    default:
      var content = token
      content.start += 3
      value = data(string(content), token.range)
    }
    return try literal(value, from: start)
  }

  private mutating func date(_ token: Token) -> Value {
    var offset = token.start
    let (year, month, day) = (field(&offset, token.end), field(&offset, token.end), field(&offset, token.end))
    let (hour, minute, second) = (field(&offset, token.end), field(&offset, token.end), field(&offset, token.end))
    let nanoseconds = field(&offset, token.end)
    guard nanoseconds < 1_000_000_000, !token.flag,
      let civil = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else {
      report(.invalidDate, "'\(text(token))' is not a date", token.range, notes: ["a field is out of its range"])
      return .null
    }
    return .date(Instant(secondsSince1970: civil.secondsSince1970, nanoseconds: nanoseconds))
  }

  /// Parses the digits at `offset` as a number, 0 at the end of the literal, and skips the separator after them.
  private func field(_ offset: inout Int, _ end: Int) -> Int {
    var value = 0
    while offset < end, Lexer.isDigit(lexer.byte(offset)) {
      // A number that would overflow is out of every field's range.
      value = min(value * 10 + Int(lexer.byte(offset) - 48), 1 << 40)
      offset += 1
    }
    offset += 1
    return value
  }

  private mutating func timestamp(_ token: Token) -> Value {
    let parts = text(token.start + 1, token.end).split(separator: ":").map { Int(String($0)) }
    guard parts.count == 2, let seconds = parts[0], let nanoseconds = parts[1],
      abs(Double(seconds)) < 1e15, -1_000_000_000 < nanoseconds, nanoseconds < 1_000_000_000,
      seconds == 0 || nanoseconds == 0 || seconds.signum() == nanoseconds.signum()
    else {
      report(
        .invalidDate, "'\(text(token))' is not a date", token.range,
        notes: [
          "the form is T<seconds since 1970>:<nanoseconds>, both with the same sign: T-1:-500000000 is a second and a half before 1970"
        ])
      return .null
    }
    return .date(Instant(secondsSince1970: seconds, nanoseconds: nanoseconds))
  }

  private mutating func data(_ text: String, _ range: SourceRange) -> Value {
    if let bytes = Base64.bytes(text) { return .data(bytes) }
    report(.invalidData, "this is not base64", range, notes: ["base64 has A–Z a–z 0–9 + / and = at its end"])
    return .null
  }

  /// `date("…")`, `uuid(…)`, `binary("…")`, `decimal("…")`.
  mutating func constructedLiteral(_ name: String, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    if name == "uuid", let bare = try bareUUID(from: start) { return bare }
    advance()
    guard token.kind == .string else {
      throw unexpected("'\(name)' needs a text in quotes, found \(describe(token))", code: .expectedText)
    }
    let written = string(token)
    let range = token.range
    advance()
    try close(.rightParenthesis, opened: open)
    let value: Value
    switch name {
    case "date":
      if let instant = ISO8601.instant(written) {
        value = .date(instant)
      } else {
        report(
          .invalidDate, "'\(shortened(written))' is not a date", range,
          notes: ["ISO 8601 is understood: \"2018-02-07\", \"2018-02-07T01:02:03Z\", \"2018-02-07T01:02:03.5+01:00\""])
        value = .null
      }
    case "uuid": value = uuid(written, range)
    case "decimal": value = decimal(written, range)
    default: value = .data(Array(written.utf8))
    }
    return try expression(.literal(value), from: start)
  }

  private mutating func decimal(_ written: String, _ range: SourceRange) -> Value {
    if let number = DecimalValue(written) { return .decimal(number) }
    let message: String
    switch Self.digits(written) {
    case nil: message = "'\(shortened(written))' is not a decimal number"
    case .some(let count) where count > 38:
      message = "this number has \(count) significant digits, and a Decimal has at most 38"
    case .some: message = "'\(shortened(written))' is too large or too small for a Decimal"
    }
    report(
      .invalidDecimal, message, range,
      notes: ["the form is decimal(\"12.50\") or decimal(\"1.5e-3\"), with at most 38 digits, from 1e-128 to 1e165"])
    return .null
  }

  /// The number of significant digits of a decimal number that may be too long; nil for any other text.
  private static func digits(_ written: String) -> Int? {
    var rest = Substring(written)
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    let number = rest.prefix { $0 != "e" && $0 != "E" }
    var power = rest.dropFirst(number.count).dropFirst()
    if power.first == "-" || power.first == "+" { power.removeFirst() }
    let digits = number.filter { $0 != "." }
    guard number.count - digits.count <= 1, !digits.isEmpty, (digits + power).utf8.allSatisfy(Lexer.isDigit),
      number.count == rest.count || !power.isEmpty
    else { return nil }
    let zeros = digits.reversed().prefix { $0 == "0" }.count
    return max(0, digits.drop { $0 == "0" }.count - zeros)
  }

  private mutating func uuid(_ written: String, _ range: SourceRange) -> Value {
    if let uuid = UUIDBytes(written) { return .uuid(uuid) }
    report(
      .invalidUUID, "'\(shortened(written))' is not a UUID", range,
      notes: ["the form is uuid(550e8400-e29b-41d4-a716-446655440000)"])
    return .null
  }

  /// `uuid(550e8400-…)`: digits and letters that would be cut into numbers and names otherwise.
  private mutating func bareUUID(from start: Int) throws(ParseFailure) -> ExpressionSyntax? {
    var ahead = lexer
    let first = ahead.next().start
    var end = first
    while Lexer.continuesWord(lexer.byte(end)) || lexer.byte(end) == UInt8(ascii: "-") { end += 1 }
    guard end > first else { return nil }
    let open = token.start
    advance()
    lexer.position = end
    lastEnd = end
    token = lexer.next()
    let value = uuid(text(first, end), SourceRange(first, end))
    try close(.rightParenthesis, opened: open)
    return try expression(.literal(value), from: start)
  }

  /// `object("Person", 17)`: an object by its entity and number.
  mutating func object(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    guard token.kind == .string else {
      guard token.kind == .word else {
        throw unexpected(
          "'object' needs the name of an entity in quotes, found \(describe(token))", code: .expectedText)
      }
      let name = text(token)
      throw fail(
        .expectedText, "'object' needs the name of an entity in quotes, found \(describe(token))", token.range,
        fixes: [Fix(message: "write \"\(name)\"", range: token.range, replacement: "\"\(name)\"")])
    }
    let entity = string(token)
    advance()
    guard take(.comma), token.kind == .integer else {
      throw unexpected(
        "'object' needs the number of an object after the entity: object(\"\(shortened(entity))\", 17), found \(describe(token))"
      )
    }
    let number = try number(negative: false, from: token.start)
    try close(.rightParenthesis, opened: open)
    var value = Value.null
    if case .literal(.int(let count)) = number.kind {
      value = .object(ObjectReference(entity: entity, number: ObjectNumber(UInt64(bitPattern: count))))
    }
    return try expression(.literal(value), from: start)
  }

  /// `CAST(592299475.577120, "NSDate")`: seconds since 2001-01-01, as Apple prints dates.
  mutating func cast(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let open = token.start
    advance()
    try enter()
    let operand = try value(Level.arithmetic)
    nesting -= 1
    guard take(.comma), token.kind == .string else {
      throw unexpected("expected ', \"NSDate\"', found \(describe(token))", code: .unsupportedCast)
    }
    let type = string(token)
    let typeRange = token.range
    advance()
    try close(.rightParenthesis, opened: open)
    let seconds: Double? =
      switch operand.kind {
      case _ where isInParentheses(operand): nil
      case .literal(.double(let value)): value
      case .literal(.int(let value)): Double(value)
      default: nil
      }
    guard type == "NSDate" || type == "Date" else {
      let whole = SourceRange(start, lastEnd)
      let plain = text(operand.range)
      var fixes = [
        Fix(message: "write '\(shortened(plain))' by itself", range: whole, replacement: plain)
      ]
      if case .literal(.string) = operand.kind { fixes = [] }
      throw fail(
        .unsupportedCast, "there is no cast to '\(shortened(type))'", typeRange,
        notes: ["CAST makes dates only: CAST(592299475.5, \"NSDate\")"], fixes: fixes)
    }
    guard let seconds else {
      throw fail(.unsupportedCast, "a cast to NSDate needs a number of seconds since 2001-01-01", operand.range)
    }
    return try expression(.literal(.date(Instant(seconds: seconds))), from: start)
  }
}
