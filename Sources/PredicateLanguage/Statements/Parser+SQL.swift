import Diagnostics
import Values

/// Reports SQL syntax and suggests its counterpart.
extension Parser {
  private static let clauseWords = Keyword.allCases.filter { $0.startsClause && $0 != .filter }.map(\.rawValue)
  private static let statementWords =
    Keyword.allCases.filter(\.startsStatement).map(\.rawValue) + SchemaWord.starts.map(\.rawValue)
  /// Words that may follow a name. Before a misspelling of one of these, a name is an entity, not a misspelled
  /// statement.
  private static let followingWords =
    clauseWords + Keyword.allCases.filter { $0.comparator != nil || $0 == .and || $0 == .or }.map(\.rawValue)

  /// Whether the current word is a clause of SQL, or probably a misspelled clause of this language; both end a
  /// predicate.
  var isForeignClause: Bool {
    let word = text(token)
    switch word.lowercased() {
    case "order", "from", "join", "union", "intersect", "except", "fetch", "top", "nulls": return true
    default: return Suggestion.nearest(to: word, among: Self.clauseWords) != nil
    }
  }

  /// Consumes `ORDER BY`, `FROM Quake` and similar between clauses. An ORDER BY is parsed as SORT BY.
  mutating func takeForeignClause() throws(ParseFailure) -> Bool {
    let word = text(token)
    switch word.lowercased() {
    case "order":
      let isByNumber = sortsByNumber
      report(
        .foreignClause, "the clause is SORT BY", token.range,
        notes: isByNumber ? ["name what to sort by: a number is no column here"] : [],
        fixes: isByNumber ? [] : [Fix(message: "write 'SORT'", range: token.range, replacement: "SORT")])
      token.keyword = .sort
      return true
    case "from":
      throw fail(
        .foreignClause, "there is no FROM", token.range,
        notes: ["a statement starts with the entity: '\(example.entity) SELECT …'"])
    case "join":
      throw fail(
        .foreignClause, "there is no JOIN", token.range, notes: ["a path follows links: 'place.region.name == \"x\"'"]
      )
    case "union", "intersect", "except":
      throw fail(
        .foreignClause, "there is no \(word.uppercased())", token.range,
        notes: ["join the conditions with AND, OR, NOT"])
    case "fetch", "top":
      throw fail(.foreignClause, "there is no \(word.uppercased())", token.range, notes: ["write 'LIMIT 10'"])
    case "nulls":
      throw fail(
        .foreignClause, "there is no NULLS", token.range,
        notes: [
          "nil comes first, and last with DESC; another key decides otherwise: 'SORT BY TERNARY(a == nil, 1, 0), a'"
        ])
    default: return false
    }
  }

  /// Whether a number follows `ORDER BY`, which is the position of a column in SQL.
  private var sortsByNumber: Bool {
    var ahead = lexer
    return ahead.next().keyword == .by && ahead.next().kind == .integer
  }

  /// Reports the token after the end of a statement.
  mutating func strayInStatement() -> ParseFailure {
    if let failure = malformed(token) { return failure }
    switch token.kind {
    case .semicolon:
      return fail(.unexpectedToken, "one ';' ends a statement", token.range)
    case .word:
      let nearest = Suggestion.nearest(to: text(token), among: Self.clauseWords)
      return fail(
        .unknownClause, "\(describe(token)) is not a clause", token.range,
        notes: [
          "the clauses are WHERE, GROUP BY, HAVING, SORT BY, DISTINCT, OFFSET, LIMIT, SELECT and SECTIONS BY",
          "a condition follows WHERE, as in '\(example.entity) WHERE \(example.condition)'",
        ],
        fixes: nearest.map { [Fix(message: "write '\($0)'", range: token.range, replacement: $0)] } ?? [])
    case .rightParenthesis, .rightBracket, .rightBrace:
      return fail(
        .unopenedBracket, "\(describe(token)) closes nothing", token.range,
        fixes: [Fix(message: "leave it out", range: token.range, replacement: "")])
    case .leftBracket:
      return fail(
        .unexpectedToken, "\(describe(token)) cannot follow here", token.range,
        notes: ["options in brackets, such as [cd], go with the keys of SORT BY and SECTIONS BY"])
    default: return fail(.unexpectedToken, "\(describe(token)) cannot follow here", token.range)
    }
  }

  /// Reports `DELETE FROM` and `INSERT INTO` and skips the second word.
  mutating func reportForeign(_ word: String, after keyword: String) {
    guard token.kind == .word, text(token).lowercased() == word else { return }
    let range = SourceRange(lastEnd, token.end)
    report(
      .foreignClause, "\(keyword) is followed by the entity", range,
      fixes: [Fix(message: "leave '\(word.uppercased())' out", range: range, replacement: "")])
    advance()
  }

  /// Reports `COUNT(*) Quake …` and parses it as `COUNT Quake …`.
  mutating func takeCountOfSQL() -> Bool {
    var ahead = lexer
    guard ahead.next().kind == .leftParenthesis, ahead.next().kind == .star else { return false }
    let close = ahead.next()
    let next = ahead.next()
    let isAlone = hasDefaultEntity && (next.kind == .end || next.kind == .semicolon)
    guard close.kind == .rightParenthesis, isAlone || next.kind == .word && next.keyword?.comparator == nil else {
      return false
    }
    let range = SourceRange(token.start, close.end)
    report(
      .foreignClause, "COUNT is followed by the entity", range,
      fixes: [Fix(message: "write 'COUNT'", range: range, replacement: "COUNT")])
    for _ in 0..<4 { advance() }
    return true
  }

  /// Whether TRANSACTION or WORK ends the statement that the current keyword is; it is reported.
  mutating func reportTransactionOfSQL() -> Bool {
    var ahead = lexer
    let word = ahead.next()
    let end = ahead.next().kind
    guard word.kind == .word, ["TRANSACTION", "WORK"].contains(text(word).uppercased()),
      end == .end || end == .semicolon
    else { return false }
    let range = SourceRange(token.end, word.end)
    report(
      .foreignClause, "\(text(token).uppercased()) is a statement by itself", range,
      fixes: [Fix(message: "leave '\(text(word))' out", range: range, replacement: "")])
    advance()
    return true
  }

  /// Reports `EXPLAIN QUERY PLAN` and skips the two words.
  mutating func reportQueryPlan() {
    var ahead = lexer
    let word = ahead.next()
    guard token.kind == .word, text(token).uppercased() == "QUERY", word.kind == .word,
      text(word).uppercased() == "PLAN"
    else { return }
    let range = SourceRange(lastEnd, word.end)
    report(
      .foreignClause, "EXPLAIN is followed by the statement", range,
      fixes: [Fix(message: "leave 'QUERY PLAN' out", range: range, replacement: "")])
    advance()
    advance()
  }

  /// Reports `T.filter("g > 5")`, and mends it if the condition is one by itself; nil for anything else.
  mutating func methodOfEntity() -> ParseFailure? {
    var ahead = lexer
    guard token.kind == .word, ahead.next().kind == .dot, case let method = ahead.next(), method.kind == .word,
      ["filter", "where"].contains(text(method).lowercased()), ahead.next().kind == .leftParenthesis,
      case let condition = ahead.next(), condition.kind == .string
    else { return nil }
    let close = ahead.next()
    let next = ahead.next()
    let inner = string(condition)
    let range = SourceRange(token.start, method.end)
    let written = "\(text(token)) WHERE \(inner)"
    // Arguments, a call on the result, or a condition with a mistake of its own are left to the user.
    guard close.kind == .rightParenthesis, next.kind != .dot, let filter = try? PredicateParser.filter(inner),
      filter.predicate != nil, filter.placeholders().isEmpty
    else {
      return fail(.missingEntity, "a statement calls no methods", range, notes: ["write '\(shortened(written))'"])
    }
    return fail(
      .missingEntity, "a statement calls no methods", range,
      fixes: [
        Fix(
          message: "write '\(shortened(written))'", range: SourceRange(token.start, close.end), replacement: written)
      ])
  }

  /// Reports a word that is probably a misspelled statement: a name follows it, which cannot follow an entity.
  mutating func misspeltStatement() -> ParseFailure? {
    guard token.keyword == nil, let nearest = Suggestion.nearest(to: text(token), among: Self.statementWords) else {
      return nil
    }
    var ahead = lexer
    let next = ahead.next()
    guard next.kind == .word, next.keyword == nil, next.start > token.end,
      Suggestion.nearest(to: text(next), among: Self.followingWords) == nil
    else { return nil }
    return fail(
      .unknownStatement, "there is no statement \(text(token).uppercased())", token.range,
      fixes: [Fix(message: "write '\(nearest)'", range: token.range, replacement: nearest)])
  }

  /// Whether the word in hand is probably a misspelt ANALYZE, which is reported: a statement follows it.
  mutating func reportMisspeltAnalyze() -> Bool {
    let meant = Keyword.analyze.rawValue
    guard token.kind == .word, token.keyword == nil, Suggestion.nearest(to: text(token), among: [meant]) != nil else {
      return false
    }
    var ahead = lexer
    let next = ahead.next()
    guard next.kind == .word, next.keyword?.startsStatement ?? true else { return false }
    report(
      .unknownStatement, "there is no EXPLAIN \(text(token).uppercased())", token.range,
      fixes: [Fix(message: "write '\(meant)'", range: token.range, replacement: meant)])
    return true
  }

  /// A word that starts a statement elsewhere; nil when the word in hand may be an entity.
  mutating func foreignStatement() -> ParseFailure? {
    guard token.keyword == nil || at(.filter) else { return nil }
    let advice: String
    switch text(token).lowercased() {
    case "show", "describe", "desc": advice = "'.types' lists the entities, '.schema \(example.entity)' shows one"
    case "create": advice = "write 'CREATE INDEX ON \(example.entity) (magnitude)'"
    case "alter": advice = "write 'ALTER \(example.entity) ADD felt: Int?'"
    case "drop":
      advice =
        "write 'DROP ENTITY \(example.entity)', 'DROP INDEX ON \(example.entity) (magnitude)' or "
        + "'ALTER \(example.entity) DROP PROPERTY place'"
    case "quit", "exit": advice = "'.quit' leaves"
    case "help": advice = "'.help' helps"
    case "find", "filter": advice = "write '\(example.entity) WHERE \(example.condition)'"
    case "start": advice = "'BEGIN' starts a transaction"
    default: return nil
    }
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .end, .semicolon: break
    case .word where next.keyword == nil || next.keyword == .set: break
    default: return nil
    }
    return fail(.unknownStatement, "there is no statement \(text(token).uppercased())", token.range, notes: [advice])
  }
}
