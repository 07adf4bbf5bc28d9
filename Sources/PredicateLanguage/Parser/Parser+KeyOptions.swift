import Diagnostics

/// `name[cd]`, `name[numeric]`: the options behind the key of a sort or section.
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
    guard token.kind == .leftBracket, bracketsOfKey == openBrackets else { return nil }
    var offset = token.end
    while offset < lexer.count {
      let byte = lexer.byte(offset)
      if byte == UInt8(ascii: "]") {
        guard let options = SortOptions(spelling: text(token.end, offset)) else { return nil }
        var ahead = lexer
        ahead.position = offset + 1
        switch ahead.next().kind {
        case .comma, .rightParenthesis, .semicolon, .end, .word: return (options, offset + 1)
        default: return nil
        }
      }
      // Options are ASCII letters and blanks.
      guard Lexer.isBlank(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 else { return nil }
      offset += 1
    }
    return nil
  }
}
