import Diagnostics

/// Finds two statements of a script without `;` between them, which are read as one invalid statement.
///
/// It is used only for texts that are not valid statements. If a whole statement is followed by text that begins like a
/// statement at the start of a line, that text is the next statement.
enum MissingSemicolon {
  /// The error about the first missing `;` in `text`; nil if there is none.
  static func error(
    in text: String, defaultEntity: String?, _ interruption: ParseInterruption? = nil
  ) -> DiagnosticError? {
    var text = text
    let found = text.withUTF8 { utf8 in
      guard let base = utf8.baseAddress, utf8.count <= SyntaxLimits.textBytes else { return nil as Place? }
      return place(Parser(base, count: utf8.count, isStatement: true, interruption: interruption))
    }
    guard let found, (try? StatementParser.whole(found.before, defaultEntity: defaultEntity, interruption)) != nil
    else {
      return nil
    }
    let end = SourceRange(found.offset, found.offset)
    return DiagnosticError(
      source: text,
      Diagnostic(
        code: .missingSemicolon, message: "a ';' is missing here: \(found.word) begins another statement", range: end,
        fixes: [Fix(message: "write ';'", range: end, replacement: ";")]))
  }

  /// A possible end of a statement: its offset, the text up to there, and the next word.
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
  /// Whether there is a line break between the last consumed token and another one.
  fileprivate func startsLine(_ token: Token) -> Bool {
    (lastEnd..<max(lastEnd, token.start)).contains { lexer.byte($0) == UInt8(ascii: "\n") }
  }

  /// Whether the current token begins a statement: a statement's keyword, or an entity's name and a clause.
  fileprivate func beginsStatement() -> Bool {
    guard token.kind == .word else { return false }
    var ahead = self
    ahead.advance()
    switch token.keyword {
    case .count, .explain, .delete, .update, .insert, .define: return startsTarget()
    case .begin, .commit, .rollback: return ahead.endsStatement || ahead.startsLine(ahead.token)
    case nil:
      if let word = SchemaWord(rawValue: text(token).uppercased()), SchemaWord.starts.contains(word) {
        return ahead.beginsSchemaChange(after: word)
      }
      return lexer.scalar(token.start).value.properties.isUppercase && (ahead.endsStatement || ahead.startsClause())
    default: return false
    }
  }

  /// Whether the words of a change of the schema follow: within one, ALTER is followed by PROPERTY.
  private func beginsSchemaChange(after word: SchemaWord) -> Bool {
    switch word {
    case .create: return at(.index) || at(.unique)
    case .drop: return at(.index) || at(.unique) || at(.entity)
    case .alter: return token.kind == .word && token.keyword == nil && !at(.property)
    case .rename, .index, .unique, .on, .using, .entity, .property, .add, .to: return false
    }
  }

  private var endsStatement: Bool { token.kind == .end || token.kind == .semicolon }
}
