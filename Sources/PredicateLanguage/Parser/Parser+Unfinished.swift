import Diagnostics

/// Reports texts that end too early, with the missing part and what could stand there.
extension Parser {
  /// Reports a missing operand after an operator, a comma or a clause, depending on the text before.
  mutating func lackingOperand(_ found: Token) -> ParseFailure? {
    let before = textBefore(lastEnd)
    let word = before.uppercased()
    let place = describe(found)
    switch word {
    case "AND", "OR", "&&", "||":
      if found.kind == .word, found.keyword == .and || found.keyword == .or {
        let isDouble = word == text(found).uppercased()
        return fail(
          .expectedValue, "a condition must stand between '\(before)' and \(place)", found.range,
          fixes: isDouble
            ? [Fix(message: "leave one out", range: SourceRange(lastEnd, found.end), replacement: "")] : [])
      }
      return lacking("a condition", after: before, found)
    case "!", "WHERE", "HAVING": return lacking("a condition", after: before, found)
    case "/" where found.kind == .slash && found.start == lastEnd,
      "/" where found.kind == .star && found.start == lastEnd:
      isAborted = true
      let range = SourceRange(lastEnd - 1, lexer.count)
      return fail(
        .unexpectedToken, "a predicate has no comments", SourceRange(lastEnd - 1, found.end),
        notes: ["they are part of statements and of query files"],
        fixes: [Fix(message: "leave it out", range: range, replacement: "")])
    default: return endsTooEarly(found) ? lackingValue(after: before, word, found) : nil
    }
  }

  /// Whether the current operand cannot continue.
  private func endsTooEarly(_ found: Token) -> Bool {
    switch found.kind {
    case .end, .semicolon, .rightParenthesis, .rightBracket, .rightBrace, .comma, .ampersandAmpersand, .barBar: true
    case .word: found.keyword == .and || found.keyword == .or
    default: false
    }
  }

  private mutating func lackingValue(after before: String, _ word: String, _ found: Token) -> ParseFailure? {
    let last = lexer.byte(lastEnd - 1)
    switch word {
    case "": break
    case "BY", "DISTINCT", "SELECT": return lacking("a property", after: before, "\(before) name", found)
    case "LIMIT", "OFFSET": return lacking("a number", after: before, "\(before) 10", found)
    case "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>": return lacking("a value", after: before, found)
    default:
      if let comparator = Keyword(spelling: before)?.comparator {
        return lacking("a value", after: before, "\(word) \(Self.exampleOperand(of: comparator))", found)
      }
      if "+-*/~%&|^<>=!".utf8.contains(last) { return lacking("a value", after: before, found) }
    }
    guard found.kind == .end, last == UInt8(ascii: "(") || last == UInt8(ascii: ",") || last == UInt8(ascii: "{")
    else { return nil }
    return lacking(
      last == UInt8(ascii: "(") ? "a condition or a value" : "a value", after: text(lastEnd - 1, lastEnd), nil, found)
  }

  private mutating func lacking(_ what: String, after before: String, _ found: Token) -> ParseFailure {
    let example = what == "a condition" ? "\(before) name == \"x\"" : "\(before) 5"
    return lacking(what, after: before, example, found)
  }

  private mutating func lacking(
    _ what: String, after before: String, _ example: String?, _ found: Token
  ) -> ParseFailure {
    fail(
      .expectedValue, "\(what) must follow '\(before)', found \(describe(found))", found.range,
      notes: example.map { ["as in '\($0)'"] } ?? [])
  }

  private static func exampleOperand(of comparator: Comparator) -> String {
    switch comparator {
    case .isIn: "{1, 2}"
    case .between: "{1, 5}"
    case .like: "\"*x*\""
    case .matches: "\"[a-z]+\""
    case .geoWithin: "geoCircle([2.35, 48.86], 10km)"
    default: "\"x\""
    }
  }
}
