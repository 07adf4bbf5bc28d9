import Diagnostics
import Values

extension SchemaParser {
  /// Reads the expression after `=`; nesting is bounded, since valid defaults are not deep.
  mutating func parseDefault(depth: Int = 0) -> DefaultSyntax? {
    let start = token.range
    guard depth < 4 else {
      report(.nestingTooDeep, "this default is nested too deep", at: start)
      return nil
    }
    if take(mark: "[") { return parseListDefault(from: start, depth: depth) }
    if token.isMark("."), case .word(let word, _) = peek(1).kind {
      take()
      take()
      switch word {
      case "infinity": return DefaultSyntax(kind: .floating(.infinity), range: start.union(previousRange))
      case "nan": return DefaultSyntax(kind: .floating(.nan), range: start.union(previousRange))
      case "now": return DefaultSyntax(kind: .generated(.now), range: start.union(previousRange))
      default: return notConstant(from: start)
      }
    }
    if case .word(let name, escaped: false) = token.kind, name != "nil", name != "true", name != "false" {
      return parseCallDefault(name, from: start, depth: depth)
    }
    if token.isMark("-"), peek(1).isMark(".") || peek(1).isWord("Double") || peek(1).isWord("Float") {
      take()
      guard var value = parseDefault(depth: depth + 1) else { return nil }
      guard case .floating(let number) = value.kind else { return notConstant(from: start) }
      value.kind = .floating(-number)
      return value
    }
    guard let value = parseLiteral() else { return nil }
    return DefaultSyntax(kind: .value(value), range: start.union(previousRange))
  }

  /// Reports that a default is not a constant, and skips it.
  private mutating func notConstant(from start: SourceRange) -> DefaultSyntax? {
    while token.kind != .end, !token.startsLine, !token.isMark(","), !token.isMark(";"), !token.isMark("}") {
      if token.isMark("(") { skipBrackets("(", ")") } else { take() }
    }
    report(
      .defaultNotConstant, "a default is a literal, so that it can be kept in the store",
      at: start.union(previousRange), notes: ["'Date()' and 'UUID()' are allowed too: each new object has its own"])
    return nil
  }

  /// Reads `nil`, `true`, `5`, `-2.5`, `"text"`.
  private mutating func parseLiteral() -> Value? {
    let start = token.range
    let isNegative = take(mark: "-")
    switch token.kind {
    case .integer(let magnitude):
      take()
      if let magnitude, isNegative ? magnitude <= Int64.min.magnitude : magnitude <= Int64.max.magnitude {
        return .int(isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(truncatingIfNeeded: magnitude))
      }
      report(.integerOverflow, "this number does not fit into 64 bits", at: start.union(previousRange))
      return nil
    case .number(let number):
      take()
      return .double(isNegative ? -number : number)
    case .string(let text) where !isNegative:
      take()
      return .string(text)
    case .word("nil", escaped: false) where !isNegative:
      take()
      return .null
    case .word("true", escaped: false) where !isNegative:
      take()
      return .bool(true)
    case .word("false", escaped: false) where !isNegative:
      take()
      return .bool(false)
    case .otherString:
      take()
      if !diagnostics.contains(where: { $0.range == previousRange }) {
        report(.defaultNotConstant, "a default is a plain string in one line", at: start.union(previousRange))
      }
      return nil
    default:
      _ = expected("a literal")
      return nil
    }
  }

  private mutating func parseListDefault(from start: SourceRange, depth: Int) -> DefaultSyntax? {
    if token.isMark(":"), peek(1).isMark("]") {
      take()
      take()
      return DefaultSyntax(kind: .dictionary([]), range: start.union(previousRange))
    }
    var values: [Value] = []
    while !token.isMark("]") {
      let place = token.range
      guard let value = parseElement(depth: depth) else { return nil }
      if values.isEmpty, take(mark: ":") { return parseDictionaryDefault(from: start, key: value, place, depth: depth) }
      values.append(value)
      if take(mark: ",") { continue }
      guard token.isMark("]") else {
        _ = expected("',' or ']'")
        return nil
      }
    }
    take()
    return DefaultSyntax(kind: .list(values), range: start.union(previousRange))
  }

  /// Reads `["a": 1, "b": 2]` from the first value on.
  private mutating func parseDictionaryDefault(
    from start: SourceRange, key: Value, _ place: SourceRange, depth: Int
  ) -> DefaultSyntax? {
    var key = key
    var place = place
    var fields: [EmbeddedField] = []
    var keys: Set<Value> = []
    while true {
      guard case .string(let name) = key else {
        report(.dictionaryKey, "the keys of a dictionary are strings", at: place)
        return nil
      }
      guard keys.insert(key).inserted else {
        report(.duplicateName, "this dictionary has the key \(SwiftLiteral.string(name)) twice", at: place)
        return nil
      }
      guard let value = parseElement(depth: depth) else { return nil }
      fields.append(EmbeddedField(name: name, value: value))
      if take(mark: ",") {
        if take(mark: "]") { break }
        place = token.range
        guard let next = parseElement(depth: depth), expect(mark: ":", "':'") else { return nil }
        key = next
      } else if expect(mark: "]", "',' or ']'") {
        break
      } else {
        return nil
      }
    }
    return DefaultSyntax(kind: .dictionary(fields), range: start.union(previousRange))
  }

  /// Reads a single value within `[ ]`.
  private mutating func parseElement(depth: Int) -> Value? {
    guard let value = parseDefault(depth: depth + 1) else { return nil }
    switch value.kind {
    case .value(let value): return value
    case .floating(let number): return .double(number)
    case .list, .dictionary, .generated:
      report(.defaultNotConstant, "a list default holds literals only", at: value.range)
      return nil
    }
  }

  /// Reads `Date(…)`, `UUID(…)`, `Data(…)`, `Double.infinity` and the like.
  private mutating func parseCallDefault(_ name: String, from start: SourceRange, depth: Int) -> DefaultSyntax? {
    take()
    if take(mark: ".") {
      guard case .word(let member, _) = token.kind else { return notConstant(from: start) }
      take()
      let range = start.union(previousRange)
      switch (name, member) {
      case ("Date", "now"): return DefaultSyntax(kind: .generated(.now), range: range)
      case ("Double", "infinity"), ("Float", "infinity"): return DefaultSyntax(kind: .floating(.infinity), range: range)
      case ("Double", "nan"), ("Float", "nan"): return DefaultSyntax(kind: .floating(.nan), range: range)
      case ("Decimal", "nan"): return DefaultSyntax(kind: .value(.decimal(.nan)), range: range)
      default: return notConstant(from: start)
      }
    }
    let isKnown = ["Date", "UUID", "Data", "Decimal", "Set", "List", "Array", "Dictionary"].contains(name)
    guard isKnown, take(mark: "(") else { return notConstant(from: start) }
    if take(mark: ")") {
      let kind: DefaultSyntax.Kind
      switch name {
      case "Date": kind = .generated(.now)
      case "UUID": kind = .generated(.uuid)
      case "Data": kind = .value(.data([]))
      case "Decimal": kind = .value(.decimal(.zero))
      case "Set", "List", "Array": kind = .list([])
      case "Dictionary": kind = .dictionary([])
      default: return notConstant(from: start)
      }
      return DefaultSyntax(kind: kind, range: start.union(previousRange))
    }
    var label: String?
    if case .word(let word, _) = token.kind, peek(1).isMark(":") {
      label = word
      take()
      take()
    }
    guard let argument = parseDefault(depth: depth + 1), expect(mark: ")", "')'") else { return nil }
    guard let value = constant(name, label, argument.kind) else { return notConstant(from: start) }
    // `UUID(uuidString:)` and `Decimal(string:)` are optional, so Swift wants them unwrapped.
    _ = take(mark: "!")
    return DefaultSyntax(kind: .value(value), range: start.union(previousRange))
  }

  private func constant(_ name: String, _ label: String?, _ argument: DefaultSyntax.Kind) -> Value? {
    switch (name, label, argument) {
    case ("Date", "timeIntervalSinceReferenceDate", let number):
      return number.asDouble.map { .date(Instant(seconds: $0)) }
    case ("Date", "timeIntervalSince1970", let number):
      return number.asDouble.map { .date(Instant(secondsSince1970: $0)) }
    case ("UUID", "uuidString", .value(.string(let text))):
      return UUIDBytes(schemaText: text).map(Value.uuid)
    case ("Decimal", "string", .value(.string(let text))):
      return DecimalValue(text).map(Value.decimal)
    case ("Decimal", nil, .value(.int(let number))):
      return .decimal(DecimalValue(number))
    case ("Decimal", nil, .value(.double(let number))):
      return DecimalValue(shortest: number).map(Value.decimal)
    case ("Data", nil, .list(let values)):
      var bytes: [UInt8] = []
      for value in values {
        guard case .int(let number) = value, let byte = UInt8(exactly: number) else { return nil }
        bytes.append(byte)
      }
      return .data(bytes)
    default:
      return nil
    }
  }
}

extension DefaultSyntax.Kind {
  fileprivate var asDouble: Double? {
    switch self {
    case .value(.int(let number)): Double(number)
    case .value(.double(let number)): number
    case .floating(let number): number
    default: nil
    }
  }
}

extension UUIDBytes {
  /// The UUID of `8-4-4-4-12` hexadecimal digits.
  fileprivate init?(schemaText text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let high = UInt64(groups[0...2].joined(), radix: 16), let low = UInt64(groups[3...4].joined(), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// As Foundation prints it: `8-4-4-4-12` hexadecimal digits in upper case.
  var schemaText: String {
    let digits = [high, low].map { half in
      let text = String(half, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var text = ""
    for (offset, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(offset) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
