import Diagnostics

/// Reports how SQL spells changes of a schema, and suggests the counterpart.
extension Parser {
  /// Whether the token in hand is that word of SQL.
  private func atWord(_ word: String) -> Bool { token.kind == .word && text(token).uppercased() == word }

  /// Whether the token in hand is one of those words of SQL.
  private func atWord(in words: [String]) -> Bool { token.kind == .word && words.contains(text(token).uppercased()) }

  private func isName(_ token: Token) -> Bool {
    token.kind == .word || token.kind == .escapedName || token.kind == .quotedName
  }

  private var next: Token {
    var ahead = lexer
    return ahead.next()
  }

  /// Reports the word in hand and consumes it.
  private mutating func leaveOut(_ message: String, from start: Int? = nil) {
    let range = SourceRange(start ?? lastEnd, token.end)
    let word = text(max(range.lowerBound, start ?? token.start), token.end)
    report(
      .foreignClause, message, range, fixes: [Fix(message: "leave '\(word)' out", range: range, replacement: "")])
    advance()
  }

  // MARK: Entities

  /// Consumes ENTITY; TABLE in its place is reported.
  mutating func takeEntityWord() -> Bool {
    if take(.entity) { return true }
    guard atWord("TABLE"), isName(next) else { return false }
    report(
      .foreignClause, "there are entities, not tables", token.range,
      fixes: [Fix(message: "write 'ENTITY'", range: token.range, replacement: "ENTITY")])
    advance()
    return true
  }

  /// Reports TABLE or ENTITY before the entity that a verb is followed by.
  ///
  /// - Parameter verbs: The words behind the entity; before one of them, the word in hand is the entity.
  mutating func reportTable(after verb: String, before verbs: [SchemaWord]) {
    let next = next
    guard atWord(in: ["TABLE", "ENTITY"]), isName(next) else { return }
    if next.kind == .word, let word = SchemaWord(rawValue: text(next).uppercased()), verbs.contains(word) { return }
    leaveOut("\(verb) is followed by the entity")
  }

  /// Reports `IF EXISTS` and `IF NOT EXISTS`, and consumes them.
  mutating func reportIfExists() {
    guard atWord("IF") else { return }
    var ahead = lexer
    var last = ahead.next()
    if last.keyword == .not { last = ahead.next() }
    guard last.kind == .word, text(last).uppercased() == "EXISTS", isName(ahead.next()) else { return }
    let start = lastEnd
    report(
      .foreignClause, "a statement says what is done, without IF", SourceRange(start, last.end),
      notes: ["leave '\(text(token.start, last.end))' out"])
    while token.start < last.end { advance() }
  }

  /// The error about CREATE TABLE and other objects of SQL; nil if none is in hand.
  mutating func foreignSchemaObject(_ verb: String) -> ParseFailure? {
    guard token.kind == .word else { return nil }
    let advice: String
    switch (verb, text(token).uppercased()) {
    case ("CREATE", "TABLE"), ("CREATE", "ENTITY"):
      advice =
        "entities come from models, from '.import --schema FILE', or from the data of an '.import'; "
        + "'ALTER Quake ADD felt: Int?' adds a property"
    case (_, "VIEW"): advice = "'LET big = magnitude > 6' gives a condition a name"
    case (_, "TRIGGER"), (_, "FUNCTION"), (_, "PROCEDURE"), (_, "SEQUENCE"), (_, "USER"), (_, "ROLE"):
      advice = "write 'CREATE INDEX ON Quake (magnitude)'"
    case (_, "DATABASE"), (_, "SCHEMA"): advice = "a store is a folder: '--create' makes it"
    case ("DROP", "COLUMN"), ("DROP", "PROPERTY"): advice = "write 'ALTER Quake DROP PROPERTY place'"
    default: return nil
    }
    return fail(.unknownStatement, "there is no \(verb) \(text(token).uppercased())", token.range, notes: [advice])
  }

  // MARK: Indexes

  /// Reports the name of an index, as in `CREATE INDEX by_net ON Quake (net)`, and consumes it.
  mutating func reportNameOfIndex(after verb: String) throws(ParseFailure) {
    if atWord("CONCURRENTLY") { leaveOut("an index is built in one commit") }
    reportIfExists()
    guard !at(.on), isName(token) else { return }
    guard next.kind == .word, text(next).uppercased() == SchemaWord.on.rawValue else {
      if let failure = pathOfIndex(verb) { throw failure }
      return
    }
    leaveOut("an index has no name but its properties")
  }

  /// The error about `DROP INDEX Quake.net+time` and `DROP INDEX Quake (net)`: how other commands name an index.
  private mutating func pathOfIndex(_ verb: String) -> ParseFailure? {
    let start = token.start
    let entity = text(token)
    if next.kind == .leftParenthesis {
      return fail(
        .unexpectedToken, "expected ON before the entity", token.range,
        fixes: [Fix(message: "write 'ON'", range: SourceRange(start, start), replacement: "ON ")])
    }
    guard next.kind == .dot else { return nil }
    advance()
    var end = lastEnd
    let first = token.end
    while token.kind == .dot || token.kind == .plus || isName(token) {
      end = token.end
      advance()
    }
    let paths = text(first, end).split(separator: "+").joined(separator: ", ")
    let range = SourceRange(start, end)
    return fail(
      .unexpectedToken, "an index is named by its entity and its properties", range,
      fixes: [
        Fix(
          message: "write 'ON \(shortened("\(entity) (\(paths))"))'", range: range,
          replacement: "ON \(entity) (\(paths))")
      ])
  }

  /// The error about USING before the properties.
  mutating func kindOfSQL() -> ParseFailure? {
    fail(
      .unexpectedToken, "USING stands behind the properties", token.range,
      notes: ["write 'CREATE INDEX ON Quake (place) USING trigram'"])
  }

  /// The error about ASC, DESC or WHERE in or behind the properties of an index.
  mutating func orderOfIndex() -> ParseFailure? {
    guard token.kind == .word else { return nil }
    if token.keyword?.isDirection == true {
      return fail(
        .foreignClause, "an index is read in either direction", token.range,
        fixes: [Fix(message: "leave '\(text(token))' out", range: SourceRange(lastEnd, token.end), replacement: "")])
    }
    return nil
  }

  // MARK: Properties

  /// Reports COLUMN or PROPERTY before the name that ADD or RENAME is followed by, and consumes it.
  mutating func reportWordBeforeName() {
    guard atWord(in: ["COLUMN", "PROPERTY"]), isName(next) else { return }
    // `RENAME property TO kind` is about a property of that name.
    if next.kind == .word, text(next).uppercased() == SchemaWord.to.rawValue { return }
    leaveOut("the property's name follows")
    reportIfExists()
  }

  /// The error about `ALTER Quake RENAME TO Earthquake`.
  mutating func renamedEntityOfSQL(_ entity: NameSyntax) -> ParseFailure? {
    guard at(.to), isName(next) else { return nil }
    if next.kind == .word, text(next).uppercased() == SchemaWord.to.rawValue { return nil }
    return fail(
      .foreignClause, "an entity is renamed by a statement of its own", token.range,
      notes: ["write 'RENAME \(entity.text) TO \(text(next))'"])
  }

  /// Reports TYPE and `SET DATA TYPE` before a type, and consumes them; other changes of a column are errors.
  mutating func reportWordsBeforeType(of path: PropertyPathSyntax) throws(ParseFailure) {
    let start = lastEnd
    let second = next
    if atWord("TYPE"), isName(second) || second.kind == .leftBracket {
      return leaveOut("the type follows the property")
    }
    guard atWord(in: ["SET", "DROP"]), second.kind == .word else { return }
    var ahead = lexer
    _ = ahead.next()
    if text(second).uppercased() == "DATA", case let third = ahead.next(), text(third).uppercased() == "TYPE" {
      advance()
      advance()
      return leaveOut("the type follows the property", from: start)
    }
    throw fail(
      .foreignClause, "a property is declared as a whole", SourceRange(token.start, second.end),
      notes: ["write its type, and its default, as in 'ALTER PROPERTY \(path.text): Int = 0'; 'Int?' may be nil"])
  }

  /// Reports `NOT NULL`, `NULL`, `DEFAULT`, `UNIQUE` and other constraints behind a type.
  mutating func reportConstraintsOfSQL() throws(ParseFailure) {
    while token.kind == .word || token.kind == .leftParenthesis {
      if token.kind == .leftParenthesis {
        throw fail(
          .foreignClause, "a type has no length", token.range,
          notes: ["a String is of any length, a Decimal has up to 38 digits"])
      }
      if token.keyword == .not, next.keyword == .null {
        report(
          .foreignClause, "a type without '?' is never nil", SourceRange(token.start, next.end),
          notes: ["leave '\(text(token.start, next.end))' out"])
        advance()
        advance()
      } else if token.keyword == .null {
        let range = SourceRange(lastEnd, token.end)
        report(
          .foreignClause, "a type with '?' may be nil", range,
          fixes: [Fix(message: "write '?'", range: range, replacement: "?")])
        advance()
      } else if atWord("DEFAULT") {
        report(.foreignClause, "a default follows '='", token.range, notes: ["write '= 0' instead of 'DEFAULT 0'"])
        advance()
        _ = try propertyDefault()
      } else if atWord(in: ["UNIQUE", "PRIMARY"]) {
        throw fail(
          .foreignClause, "an index makes a property unique", token.range,
          notes: ["write 'CREATE UNIQUE INDEX ON Quake (code)' after it"])
      } else if atWord(in: ["REFERENCES", "FOREIGN"]) {
        throw fail(
          .foreignClause, "a link is a type", token.range, notes: ["write 'region: Link<Region>?', or 'List<Region>'"])
      } else {
        return
      }
    }
  }
}
