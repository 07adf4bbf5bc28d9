package import Diagnostics

/// A part of a script with its kind, for colouring.
package struct TokenSpan: Hashable, Sendable {
  /// What a part of a script is, as far as its neighbours show.
  package enum Kind: String, CaseIterable, Sendable {
    case keyword, entity, property, type, function, aggregate, `operator`, string, number, date, constant, parameter,
      punctuation, comment, command, invalid
  }

  /// The kind.
  package var kind: Kind
  /// The range in the script.
  package var range: SourceRange

  init(_ kind: Kind, _ range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

extension StatementParser {
  /// The tokens, comments and dot commands of a script, in order. The script may have mistakes.
  ///
  /// - Parameter entities: The names of the entities that there are.
  package static func tokens(of script: String, entities: Set<String> = []) -> [TokenSpan] {
    let commands = split(script).filter { $0.kind == .command }.map(\.range)
    var script = script
    return script.withUTF8 { utf8 in
      guard let base = utf8.baseAddress else { return [] }
      var scanner = TokenScanner(base, count: utf8.count, commands: commands, entities: entities)
      return scanner.spans()
    }
  }
}

/// Reads the tokens of a script, and judges each by those beside it. It does not parse: the text is one that is being
/// written.
private struct TokenScanner {
  private var lexer: Lexer
  private let commands: [SourceRange]
  private let entities: Set<String>
  private var tokens: [Token] = []
  /// For each token, the index of the first token of its statement.
  private var starts: [Int] = []

  init(_ bytes: UnsafePointer<UInt8>, count: Int, commands: [SourceRange], entities: Set<String>) {
    lexer = Lexer(bytes, count: count, allowsComments: true)
    self.commands = commands
    self.entities = entities
  }

  mutating func spans() -> [TokenSpan] {
    var spans: [TokenSpan] = []
    var end = 0
    var start = 0
    var rest = commands[...]
    while true {
      let token = lexer.next()
      spans += comments(between: end, and: token.start)
      if token.kind == .end { break }
      if let command = rest.first, token.start == command.lowerBound {
        rest = rest.dropFirst()
        spans.append(TokenSpan(.command, command))
        lexer.position = command.upperBound
        start = tokens.count
      } else {
        tokens.append(token)
        starts.append(start)
        if token.kind == .semicolon { start = tokens.count }
      }
      end = lexer.position
    }
    spans += tokens.indices.map { TokenSpan(kind(at: $0), tokens[$0].range) }
    return spans.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func comments(between start: Int, and end: Int) -> [TokenSpan] {
    var spans: [TokenSpan] = []
    var offset = start
    while offset < min(end, lexer.count) {
      if let next = lexer.commentEnd(offset), next > offset {
        spans.append(TokenSpan(.comment, SourceRange(offset, next)))
        offset = next
      } else {
        offset += 1
      }
    }
    return spans
  }

  private func kind(at place: Int) -> TokenSpan.Kind {
    let token = tokens[place]
    switch token.kind {
    case .word: return wordKind(at: place)
    case .escapedName, .quotedName: return isEntityPlace(place) ? .entity : .property
    case .selector: return .function
    // The key in the object of an INSERT.
    case .string: return self.token(place + 1)?.kind == .colon ? .property : .string
    case .base64String: return .string
    case .integer, .decimal: return .number
    case .date, .timestamp: return .date
    case .formatArgument, .dollarArgument, .colonArgument: return .parameter
    case .collectionOperator: return .aggregate
    case .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket, .leftBrace, .rightBrace, .comma, .dot,
      .semicolon, .colon, .question:
      return .punctuation
    case .plus, .minus, .star, .slash, .starStar, .shiftLeft, .shiftRight, .ampersand, .bar, .caret, .tilde, .bang,
      .ampersandAmpersand, .barBar, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .operator
    case .end, .percent, .foreignOperator, .assignment, .smartString, .unterminatedString, .unterminatedName,
      .unterminatedComment, .invalid:
      return .invalid
    }
  }

  private func wordKind(at place: Int) -> TokenSpan.Kind {
    let token = tokens[place]
    let before = self.token(place - 1)
    let after = self.token(place + 1)
    if before?.kind == .dot { return .property }
    if let keyword = token.keyword {
      if keyword.isValue { return .constant }
      if keyword.comparator != nil { return .operator }
      return !keyword.isReserved && isNamePlace(before, after) ? .property : .keyword
    }
    let changesSchema = schemaWord(starts[place]).map(SchemaWord.starts.contains) ?? false
    // `Int?` in ALTER Quake ADD felt: Int?
    if changesSchema, before?.kind == .colon { return .type }
    if changesSchema, schemaWord(place) != nil, after?.kind != .colon { return .keyword }
    if entities.contains(text(token)) || isEntityPlace(place) { return .entity }
    if after?.kind == .leftParenthesis { return .function }
    // `CONTAINS[c]`
    if before?.kind == .leftBracket, self.token(place - 2)?.keyword?.comparator != nil { return .operator }
    return .property
  }

  /// Whether a word that may be a keyword stands where a property does: `count > 5`, `SORT BY size`.
  private func isNamePlace(_ before: Token?, _ after: Token?) -> Bool {
    switch before?.keyword {
    case .by, .select, .set: return true
    default: break
    }
    if before?.kind == .comma || after?.keyword?.comparator != nil { return true }
    switch after?.kind {
    case .dot, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .star, .slash: return true
    default: return false
    }
  }

  /// Whether a name stands where a statement names its entity.
  private func isEntityPlace(_ place: Int) -> Bool {
    let before = place > starts[place] ? token(place - 1) : nil
    switch before?.keyword {
    case .count, .explain, .analyze, .delete, .update, .insert: return true
    default: break
    }
    guard place == starts[place] else { return false }
    guard let after = token(place + 1), after.kind != .semicolon else { return true }
    return after.keyword?.startsClause ?? false
  }

  private func token(_ place: Int) -> Token? { tokens.indices.contains(place) ? tokens[place] : nil }

  private func schemaWord(_ place: Int) -> SchemaWord? {
    guard let token = token(place), token.kind == .word, token.keyword == nil, token.end - token.start <= 8 else {
      return nil
    }
    return SchemaWord(rawValue: text(token).uppercased())
  }

  private func text(_ token: Token) -> String {
    String(
      decoding: UnsafeBufferPointer(start: lexer.bytes + token.start, count: token.end - token.start), as: UTF8.self)
  }
}
