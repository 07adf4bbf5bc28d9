import Diagnostics

/// Two statements of a script with no `;` between them, which are read as one that makes no sense.
///
/// Looked for only in a text that is no statement: what follows a whole statement, at the start of a line, and begins as
/// statements do, is the next one.
enum MissingSemicolon {
  /// An error about the first place in `text` where a `;` is missing; nil when that is not what is wrong with it.
  static func error(in text: String, defaultEntity: String?) -> DiagnosticError? {
    var text = text
    let found = text.withUTF8 { utf8 in
      guard let base = utf8.baseAddress, utf8.count <= SyntaxLimits.textBytes else { return nil as Place? }
      return place(Parser(base, count: utf8.count, isStatement: true))
    }
    guard let found, (try? StatementParser.whole(found.before, defaultEntity: defaultEntity)) != nil else { return nil }
    let end = SourceRange(found.offset, found.offset)
    return DiagnosticError(
      source: text,
      Diagnostic(
        code: .missingSemicolon, message: "a ';' is missing here: \(found.word) begins another statement", range: end,
        fixes: [Fix(message: "write ';'", range: end, replacement: ";")]))
  }

  /// Where a statement may end, the text up to there, and the word after it.
  private struct Place {
    var offset: Int
    var before: String
    var word: String
  }

  /// The first line that begins as a statement does, outside all brackets.
  private static func place(_ parser: Parser) -> Place? {
    var parser = parser
    parser.advance()
    while parser.token.kind != .end, parser.token.kind != .semicolon {
      if parser.openBrackets == 0, parser.startsLine(parser.token), parser.beginsStatement() {
        return Place(
          offset: parser.lastEnd, before: parser.text(0, parser.lastEnd), word: parser.describe(parser.token))
      }
      parser.advance()
    }
    return nil
  }
}

extension Parser {
  /// Whether there is a line break between a token and the one before it, which is the last that was taken.
  fileprivate func startsLine(_ token: Token) -> Bool {
    (lastEnd..<max(lastEnd, token.start)).contains { lexer.byte($0) == UInt8(ascii: "\n") }
  }

  /// Whether the token in hand begins a statement: the word of one, or the name of an entity and a clause.
  fileprivate func beginsStatement() -> Bool {
    guard token.kind == .word else { return false }
    var ahead = self
    ahead.advance()
    switch token.keyword {
    case .count, .explain, .delete, .update, .insert, .define: return startsTarget()
    case .begin, .commit, .rollback: return ahead.endsStatement || ahead.startsLine(ahead.token)
    case nil:
      return lexer.scalar(token.start).value.properties.isUppercase && (ahead.endsStatement || ahead.startsClause())
    default: return false
    }
  }

  private var endsStatement: Bool { token.kind == .end || token.kind == .semicolon }
}
