import Diagnostics

/// Tokens that are invalid in any position.
extension Parser {
  /// Reports an error in a token itself; nil if there is none.
  mutating func malformed(_ token: Token) -> ParseFailure? {
    switch token.kind {
    case .unterminatedString: return unterminatedString(token)
    case .unterminatedName:
      return fail(
        .unterminatedName, "this '`' is never closed", SourceRange(token.start, token.start + 1),
        fixes: [Fix(message: "write '`' after the name", range: SourceRange(token.end, token.end), replacement: "`")])
    case .unterminatedComment:
      isAborted = true
      return fail(.unterminatedComment, "this comment is never closed", SourceRange(token.start, token.start + 2))
    // A question mark belongs to types, which are read elsewhere.
    case .invalid, .question: return invalidCharacter(token)
    default: return nil
    }
  }

  private mutating func unterminatedString(_ token: Token) -> ParseFailure {
    isAborted = true
    let quote = text(token.start, token.start + 1)
    return fail(
      .unterminatedString, "this string is never closed", SourceRange(token.start, token.start + 1),
      notes: ["a quotation mark inside a string is written \\\(quote), or the text is passed as an argument: '%@'"],
      fixes: [
        Fix(
          message: "write \(quote) at its end", range: SourceRange(token.end, token.end),
          replacement: quote)
      ])
  }

  private mutating func invalidCharacter(_ token: Token) -> ParseFailure {
    let written = text(token)
    let (value, _) = lexer.scalar(token.start)
    if Lexer.isSmartQuote(value) {
      let fix = Fix(message: "write \"", range: token.range, replacement: "\"")
      return fail(.smartQuotes, "'\(written)' is not a quotation mark of the language", token.range, fixes: [fix])
    }
    switch value {
    case "@", "#", "$", ":":
      return fail(.invalidCharacter, "a name must follow '\(written)'", token.range)
    default: break
    }
    if let meant = Self.lookalikes[value] {
      let fix = Fix(message: "write '\(meant)'", range: token.range, replacement: meant)
      return fail(.invalidCharacter, "'\(written)' is not an operator", token.range, fixes: [fix])
    }
    if value == "?" {
      let isDouble = lexer.byte(token.end) == UInt8(ascii: "?")
      if !isDouble, lacksValue(before: token.start) { return foreignArgument(token) }
      return fail(
        .invalidCharacter, "'\(isDouble ? "??" : "?")' is not an operator",
        SourceRange(token.start, token.end + (isDouble ? 1 : 0)),
        notes: [isDouble ? "write 'TERNARY(a == nil, b, a)' for 'a ?? b'" : "write 'TERNARY(p, a, b)' for 'p ? a : b'"])
    }
    let shown = value.properties.generalCategory == .control ? "U+" + String(value.value, radix: 16) : written
    return fail(.invalidCharacter, "'\(shown)' has no meaning here", token.range)
  }

  /// Whether a value is still to come at an offset: an operator, an opening bracket, a comma or nothing is before it.
  private func lacksValue(before offset: Int) -> Bool {
    let before = textBefore(offset)
    return before.utf8.last.map { !Lexer.continuesWord($0) } ?? true || Keyword(spelling: before)?.comparator != nil
  }

  /// Reports `?` and `?1`, which are arguments in SQL.
  private mutating func foreignArgument(_ token: Token) -> ParseFailure {
    var end = token.end
    while Lexer.isDigit(lexer.byte(end)) { end += 1 }
    let range = SourceRange(token.start, end)
    let position = Int(text(token.end, end))
    let meant = position.map { $0 > 0 ? "$\($0 - 1)" : "$0" } ?? "%@"
    return fail(
      .invalidPlaceholder, "'\(shortened(text(range)))' is not an argument", range,
      notes: ["arguments are '%@' in their order, '$0' by position and '$name' by name"],
      fixes: [Fix(message: "write '\(meant)'", range: range, replacement: meant)])
  }

  private static let lookalikes: [Unicode.Scalar: String] = [
    "\u{2264}": "<=", "\u{2265}": ">=", "\u{2260}": "!=", "\u{2212}": "-", "\u{2013}": "-", "\u{2014}": "-",
    "\u{D7}": "*", "\u{F7}": "/", "\u{2227}": "AND", "\u{2228}": "OR", "\u{AC}": "NOT", "\u{2208}": "IN",
  ]
}
