import Diagnostics

/// `SELECT … FROM …` of SQL, and what it is here.
extension Parser {
  /// A column of a SELECT of SQL: its tokens.
  private struct SQLColumn {
    var tokens: [Token]

    var first: Token? { tokens.first }
  }

  /// Reports `SELECT a, b FROM Quake …`. It is mended if every column is the same here.
  mutating func sqlSelect() throws(ParseFailure) -> ParseFailure {
    let start = token.start
    advance()
    guard let columns = try columnsOfSQL() else {
      return fail(
        .foreignClause, "a statement starts with the entity", SourceRange(start, start + 6),
        notes: ["write '\(example.entity) WHERE … SELECT \(example.columns)'"])
    }
    let entity = text(token)
    let range = SourceRange(start, token.end)
    guard let replacement = statement(of: columns, from: entity) else {
      return fail(
        .foreignClause, "a statement starts with the entity", range,
        notes: columns.contains(where: countsValues)
          ? ["COUNT of a property leaves nil out: write 'COUNT \(entity) WHERE … != nil'"]
          : ["write '\(entity) WHERE … SELECT …', with one entity, and columns without its name before them"])
    }
    return fail(
      .foreignClause, "a statement starts with the entity", range,
      fixes: [Fix(message: "write '\(shortened(replacement))'", range: range, replacement: replacement)])
  }

  /// Consumes the columns and FROM, up to the entity; nil if there is none.
  private mutating func columnsOfSQL() throws(ParseFailure) -> [SQLColumn]? {
    var columns = [SQLColumn(tokens: [])]
    var depth = 0
    while token.kind != .end, token.kind != .semicolon {
      if depth == 0, token.kind == .word, text(token).lowercased() == "from" {
        advance()
        return token.kind == .word ? columns : nil
      }
      if let failure = malformed(token) { throw failure }
      switch token.kind {
      case .leftParenthesis, .leftBrace, .leftBracket: depth += 1
      case .rightParenthesis, .rightBrace, .rightBracket: depth -= 1
      default: break
      }
      if depth == 0, token.kind == .comma {
        columns.append(SQLColumn(tokens: []))
      } else {
        columns[columns.count - 1].tokens.append(token)
      }
      advance()
    }
    return nil
  }

  /// The beginning of the statement that means the same; nil if there is none, or it is not certain.
  private func statement(of columns: [SQLColumn], from entity: String) -> String? {
    guard endsSource() else { return nil }
    var columns = columns
    if columns.count == 1, columns[0].tokens.map(\.kind) == [.star] { return entity }
    let isDistinct = columns[0].first?.keyword == .distinct && columns[0].tokens.count > 1
    if isDistinct { columns[0].tokens.removeFirst() }
    var items: [String] = []
    for column in columns {
      guard let item = item(of: column, from: entity) else { return nil }
      items.append(item)
    }
    let list = items.joined(separator: ", ")
    if isDistinct {
      // Names and aggregates belong to the rows, which come after DISTINCT here.
      let isPlain = columns.allSatisfy {
        $0.tokens.allSatisfy { $0.keyword == nil && $0.kind == .word || $0.kind == .dot }
      }
      return isPlain ? "\(entity) DISTINCT \(list) SELECT \(list)" : nil
    }
    // COUNT counts what is left by GROUP BY and LIMIT; in SQL they apply to the row with the number.
    return list == "@count" && !hasClausesOfRows() ? "COUNT \(entity)" : "\(entity) SELECT \(list)"
  }

  /// A column as it is written here; nil if there is none.
  private func item(of column: SQLColumn, from entity: String) -> String? {
    let tokens = column.tokens
    guard let first = tokens.first, let last = tokens.last else { return nil }
    // A name in double quotes would be a text here, and the entity's name a property.
    let isForeign = tokens.indices.contains { place in
      let token = tokens[place]
      if token.kind == .string {
        return lexer.byte(token.start) == UInt8(ascii: "\"") && !(place > 0 && tokens[place - 1].keyword == .as)
      }
      return token.kind == .star && (place == 0 || tokens.count == place + 1)
        || token.kind == .word && text(token) == entity && place + 1 < tokens.count && tokens[place + 1].kind == .dot
    }
    guard !isForeign else { return nil }
    guard tokens.count > 3, tokens[1].kind == .leftParenthesis,
      let close = tokens.firstIndex(where: { $0.kind == .rightParenthesis }),
      let aggregate = Self.aggregatesOfSQL[text(first).lowercased()]
    else {
      // A call that counts or adds up objects may be anywhere in a longer expression.
      let calls = tokens.indices.dropLast().contains {
        tokens[$0 + 1].kind == .leftParenthesis && Self.aggregatesOfSQL[text(tokens[$0]).lowercased()] != nil
      }
      return calls ? nil : text(first.start, last.end)
    }
    let argument = tokens[2..<close]
    let rest = tokens[(close + 1)...]
    guard rest.isEmpty || rest.first?.keyword == .as else { return nil }
    let name = rest.isEmpty ? "" : " " + text(rest[rest.startIndex].start, last.end)
    if aggregate == "@count" { return argument.map(\.kind) == [.star] ? aggregate + name : nil }
    guard let begin = argument.first, let end = argument.last,
      argument.allSatisfy({ $0.kind == .word && $0.keyword == nil || $0.kind == .dot })
    else { return nil }
    return "\(aggregate).\(text(begin.start, end.end))\(name)"
  }

  private static let aggregatesOfSQL = [
    "count": "@count", "avg": "@avg", "sum": "@sum", "min": "@min", "max": "@max",
  ]

  private func countsValues(_ column: SQLColumn) -> Bool {
    column.tokens.count > 2 && column.first?.keyword == .count && column.tokens[1].kind == .leftParenthesis
      && column.tokens[2].kind != .star
  }

  /// Whether nothing of FROM follows the entity: no other name, no comma, no JOIN.
  private func endsSource() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .end, .semicolon: return true
    case .word: return next.keyword?.startsClause == true || text(next).lowercased() == "order"
    default: return false
    }
  }

  /// Whether the rest of the statement has clauses that apply to rows of a SELECT.
  private func hasClausesOfRows() -> Bool {
    var ahead = lexer
    while case let next = ahead.next(), next.kind != .end, next.kind != .semicolon {
      guard next.kind == .word else { continue }
      switch next.keyword {
      case .group, .having, .limit, .offset, .sort, .distinct, .sections: return true
      case nil where text(next).lowercased() == "order": return true
      default: continue
      }
    }
    return false
  }
}
