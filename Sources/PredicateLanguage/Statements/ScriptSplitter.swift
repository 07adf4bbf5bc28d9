import Diagnostics

/// Cuts a script at its `;` and lines, with the lexer's own notion of strings and comments.
struct ScriptSplitter {
  private var lexer: Lexer
  private var line = 1
  /// The offset up to which lines have been counted.
  private var counted = 0

  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    lexer = Lexer(bytes, count: count, allowsComments: true)
  }

  mutating func pieces() -> [ScriptPiece] {
    var pieces: [ScriptPiece] = []
    while true {
      let token = lexer.next()
      switch token.kind {
      case .end: return pieces
      case .semicolon: continue
      case .dot where startsLine(token.start): pieces.append(command(from: token.start))
      default:
        // A dot before a digit begins a number, as in `.5 > x`, since no command begins with a digit.
        pieces.append(statement(from: token))
      }
    }
  }

  private func startsLine(_ offset: Int) -> Bool {
    var before = offset
    while before > 0 {
      before -= 1
      if lexer.byte(before) == UInt8(ascii: "\n") { return true }
      if !Lexer.isBlank(lexer.byte(before)) { return lexer.byte(before) == UInt8(ascii: ";") }
    }
    return true
  }

  /// A dot command is the rest of its line; its arguments are not part of the language.
  private mutating func command(from start: Int) -> ScriptPiece {
    var end = start
    while end < lexer.count, lexer.byte(end) != UInt8(ascii: "\n") { end += 1 }
    lexer.position = end
    while end > start, Lexer.isBlank(lexer.byte(end - 1)) { end -= 1 }
    return piece(.command, start, end, isTerminated: true, isComplete: true)
  }

  private mutating func statement(from first: Token) -> ScriptPiece {
    var token = first
    var last = first
    var depth = 0
    var isOpen = false
    var changesSchema = startsSchemaChange(first)
    while token.kind != .end, token.kind != .semicolon {
      switch token.kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
      case .unterminatedString, .unterminatedName, .unterminatedComment: isOpen = true
      default: break
      }
      if last.keyword == .explain, last.start == first.start, startsSchemaChange(token) { changesSchema = true }
      last = token
      token = lexer.next()
    }
    let isTerminated = token.kind == .semicolon
    let isComplete =
      isTerminated
      || !isOpen && depth <= 0
        && !(changesSchema ? schemaChangeWantsMore(last) : wantsMore(last, isOnly: last.start == first.start))
    return piece(.statement, first.start, last.end, isTerminated: isTerminated, isComplete: isComplete)
  }

  /// Whether a token must be followed by another: an operator, a comma, or a word such as WHERE.
  private func wantsMore(_ token: Token, isOnly: Bool) -> Bool {
    switch token.kind {
    case .comma, .dot, .colon, .plus, .minus, .star, .slash, .starStar, .shiftLeft, .shiftRight, .ampersand, .bar,
      .caret, .tilde, .bang, .ampersandAmpersand, .barBar, .equal, .notEqual, .less, .lessOrEqual, .greater,
      .greaterOrEqual:
      return true
    case .word:
      if token.keyword?.comparator != nil { return true }
      switch token.keyword {
      case .and, .or, .not, .where, .having, .by, .group, .sort, .sections, .select, .set, .as, .limit, .offset,
        .distinct:
        return true
      case .explain, .analyze, .delete, .update, .insert, .define: return isOnly
      default: return false
      }
    default: return false
    }
  }

  /// Whether a word begins a change of the schema, with another word or name after it.
  private func startsSchemaChange(_ token: Token) -> Bool {
    guard let word = schemaWord(token), SchemaWord.starts.contains(word) else { return false }
    var ahead = lexer
    let next = ahead.next()
    return next.kind == .escapedName || next.kind == .quotedName || next.kind == .word && next.keyword == nil
  }

  /// Whether a token of a change of the schema must be followed by another. Here `>` ends a type.
  private func schemaChangeWantsMore(_ token: Token) -> Bool {
    switch schemaWord(token) {
    case .on, .using, .to, .add: return true
    case .create, .alter, .drop, .rename, .index, .unique, .entity, .property: return false
    case nil: return token.kind != .greater && wantsMore(token, isOnly: false)
    }
  }

  private func schemaWord(_ token: Token) -> SchemaWord? {
    guard token.kind == .word, token.keyword == nil, token.end - token.start <= 8 else { return nil }
    let bytes = UnsafeBufferPointer(start: lexer.bytes + token.start, count: token.end - token.start)
    return SchemaWord(rawValue: String(decoding: bytes, as: UTF8.self).uppercased())
  }

  private mutating func piece(
    _ kind: ScriptPiece.Kind, _ start: Int, _ end: Int, isTerminated: Bool, isComplete: Bool
  ) -> ScriptPiece {
    while counted < start {
      if lexer.byte(counted) == UInt8(ascii: "\n") { line += 1 }
      counted += 1
    }
    let text = String(decoding: UnsafeBufferPointer(start: lexer.bytes + start, count: end - start), as: UTF8.self)
    return ScriptPiece(
      kind: kind, text: text, range: SourceRange(start, end), line: line, isTerminated: isTerminated,
      isComplete: isComplete)
  }
}
