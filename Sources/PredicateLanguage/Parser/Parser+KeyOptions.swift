import Diagnostics

/// `name[cd]`, `name[cd, numeric]`: the options behind the key of a sort or section.
extension Parser {
  /// A value and its options.
  mutating func keyWithOptions() throws(ParseFailure) -> SortKeySyntax {
    let around = bracketsOfKey
    bracketsOfKey = openBrackets
    defer { bracketsOfKey = around }
    var key = SortKeySyntax(try value(Level.arithmetic))
    guard let (options, end) = keyOptions() else { return key }
    key.options = options
    key.optionsRange = SourceRange(token.start, end)
    lexer.position = end
    lastEnd = end
    token = lexer.next()
    return key
  }

  /// Whether the bracket in hand holds the options of a key, and is no index. An index of such a name stands in
  /// parentheses with its path: `(codes[c])`.
  var startsKeyOptions: Bool { keyOptions() != nil }

  /// The options in the bracket in hand, and where it ends: behind them the key ends.
  private func keyOptions() -> (SortOptions, end: Int)? {
    guard let content = bracketBehindKey(), let options = SortOptions(spelling: text(content)) else { return nil }
    return (options, content.upperBound + 1)
  }

  /// The content of the bracket in hand, if that consists of words and commas and ends a key.
  private func bracketBehindKey() -> SourceRange? {
    guard token.kind == .leftBracket, bracketsOfKey == openBrackets else { return nil }
    var offset = token.end
    while offset < lexer.count {
      let byte = lexer.byte(offset)
      if byte == UInt8(ascii: "]") {
        var ahead = lexer
        ahead.position = offset + 1
        switch ahead.next().kind {
        case .comma, .rightParenthesis, .semicolon, .end, .word: return SourceRange(token.end, offset)
        default: return nil
        }
      }
      // Options are ASCII letters, separated by blanks and commas.
      guard Lexer.isBlank(byte) || byte == UInt8(ascii: ",") || (byte | 0x20) &- UInt8(ascii: "a") < 26 else {
        return nil
      }
      offset += 1
    }
    return nil
  }

  /// Reports the first misspelt option in the bracket in hand. An index has no commas, so that such a bracket can be
  /// nothing but options.
  mutating func misspeltKeyOption() -> ParseFailure? {
    guard let content = bracketBehindKey() else { return nil }
    var start = content.lowerBound
    var hasComma = false
    var misspelt: SourceRange?
    for offset in content.lowerBound...content.upperBound {
      let byte = lexer.byte(offset)
      if byte == UInt8(ascii: ",") { hasComma = true }
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || Lexer.isBlank(byte) else { continue }
      if start < offset, misspelt == nil, SortOptions(word: text(start, offset)) == nil {
        misspelt = SourceRange(start, offset)
      }
      start = offset + 1
    }
    guard hasComma else { return nil }
    guard let misspelt else {
      return fail(
        .unknownOption, "an option is missing beside the comma in '[\(shortened(text(content)))]'", content,
        notes: [SortOptions.explanation])
    }
    let meant = SortOptions.nearest(to: text(misspelt))
    return fail(
      .unknownOption, "\(quoted(text(misspelt))) is not an option of a key", misspelt, notes: [SortOptions.explanation],
      fixes: meant.map { [Fix(message: "write '\($0)'", range: misspelt, replacement: $0)] } ?? [])
  }
}
