import Diagnostics
import Values

/// The kinds of statement and how they begin; the clauses are in `Parser+Clauses`.
extension Parser {
  /// Parses a statement up to the end of the text.
  mutating func wholeStatement() throws(ParseFailure) -> StatementSyntax {
    if token.kind == .end || token.kind == .semicolon {
      throw fail(.emptyStatement, "there is no statement", token.range)
    }
    let statement = try statement()
    _ = take(.semicolon)
    if token.kind == .end { return statement }
    throw strayInStatement()
  }

  private mutating func statement() throws(ParseFailure) -> StatementSyntax {
    guard token.kind == .word else { return .select(try query()) }
    switch token.keyword {
    case .count where startsTarget(): return .count(try counted())
    case .count where takeCountOfSQL(): return .count(try query())
    case .explain where startsTarget(): return try explain()
    case .delete where startsTarget(): return .delete(try target(after: "DELETE", foreignWord: "from"))
    case .update where startsTarget(): return try update()
    case .insert where startsTarget(): return try insert()
    case .define where startsTarget(): return try define()
    case .begin where isAlone(): return simple(.begin)
    case .commit where isAlone(): return simple(.commit)
    case .rollback where isAlone(): return simple(.rollback)
    case .begin where reportTransactionOfSQL(): return simple(.begin)
    case .commit where reportTransactionOfSQL(): return simple(.commit)
    case .rollback where reportTransactionOfSQL(): return simple(.rollback)
    case .select where !isCompared() && (!hasDefaultEntity || selectsFrom()): throw try sqlSelect()
    default:
      if let change = try schemaStatement() { return .schema(change) }
      if let failure = foreignStatement() ?? misspeltStatement() { throw failure }
      return .select(try query())
    }
  }

  private mutating func simple(_ statement: StatementSyntax) -> StatementSyntax {
    advance()
    return statement
  }

  /// Whether the current keyword begins a statement: its target follows, not an operator.
  func startsTarget() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .end, .semicolon, .quotedName, .escapedName: return true
    case .word: return next.keyword?.comparator == nil && next.keyword != .and && next.keyword != .or
    case .leftParenthesis: return hasDefaultEntity && token.keyword != .count
    default: return hasDefaultEntity && !isNameByContext()
    }
  }

  /// Whether a comparison's operator or a dot follows the word in hand, which is a property's name then.
  private func isCompared() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .dot, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return true
    default: return next.keyword?.comparator != nil
    }
  }

  /// Whether the current SELECT has a FROM, as in SQL.
  private func selectsFrom() -> Bool {
    var ahead = lexer
    while case let next = ahead.next(), next.kind != .end, next.kind != .semicolon {
      if next.kind == .word, next.keyword == nil, text(next).lowercased() == "from" { return true }
    }
    return false
  }

  /// Whether the current word is the last one.
  private func isAlone() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    return next.kind == .end || next.kind == .semicolon
  }

  // MARK: Statements

  private mutating func counted() throws(ParseFailure) -> SelectSyntax {
    advance()
    return try query()
  }

  private mutating func explain() throws(ParseFailure) -> StatementSyntax {
    advance()
    reportQueryPlan()
    let analyze = at(.analyze) && startsTarget() || reportMisspeltAnalyze()
    if analyze { advance() }
    if at(.explain), startsTarget() {
      throw fail(.unexpectedToken, "EXPLAIN explains a statement, not another EXPLAIN", token.range)
    }
    let explained = try statement()
    return .explain(analyze: analyze, explained)
  }

  /// DELETE, with a SQL word after it perhaps.
  private mutating func target(after keyword: String, foreignWord: String) throws(ParseFailure) -> SelectSyntax {
    advance()
    reportForeign(foreignWord, after: keyword)
    return try query()
  }

  /// `UPDATE Quake SET felt = 0, magnitude = magnitude + 0.1 WHERE …`
  private mutating func update() throws(ParseFailure) -> StatementSyntax {
    advance()
    var query = SelectSyntax(entity: at(.set) && hasDefaultEntity ? nil : try entityName())
    guard take(.set) else {
      throw unexpected("expected SET, found \(describe(token))", code: .expectedSet)
    }
    var assignments: [AssignmentSyntax] = []
    repeat { assignments.append(try assignment()) } while take(.comma)
    try clauses(&query)
    return .update(query, assignments)
  }

  private mutating func assignment() throws(ParseFailure) -> AssignmentSyntax {
    let start = token.start
    let target = try path(from: start)
    guard case .path(let path) = target.kind else { throw unexpected("expected a property to set") }
    try takeAssignment(to: text(target.range), "a property is set with '='")
    return AssignmentSyntax(
      path: path, range: target.range,
      value: try beginsObject
        ? dictionary()
        : beginsObjects ? objects() : token.kind == .leftBracket ? bracketedList() : value(Level.arithmetic))
  }

  /// Whether the current brace begins a JSON object that is not empty: a list has no `:` after its first element.
  var beginsObject: Bool {
    guard token.kind == .leftBrace else { return false }
    var ahead = lexer
    return Self.isMember(&ahead)
  }

  /// Whether a name and a colon come next.
  private static func isMember(_ lexer: inout Lexer) -> Bool {
    switch lexer.next().kind {
    case .string, .word, .quotedName: break
    default: return false
    }
    let sign = lexer.next().kind
    return sign == .colon || sign == .colonArgument
  }

  /// Whether the current bracket begins a list of JSON objects, or an empty list: a point has two coordinates.
  private var beginsObjects: Bool {
    guard token.kind == .leftBracket else { return false }
    var ahead = lexer
    switch ahead.next().kind {
    case .rightBracket: return true
    case .leftBrace: return Self.isMember(&ahead)
    default: return false
    }
  }

  /// Parses `[{"a": 1}, {"a": 2}]`, the value of a list of structs.
  private mutating func objects() throws(ParseFailure) -> ExpressionSyntax {
    let start = token.start
    readsJSON = true
    let value = try jsonObjects()
    readsJSON = false
    let range = SourceRange(start, lastEnd)
    // An empty list is the same in both notations.
    return ExpressionSyntax(value == .list([]) ? .list([]) : .literal(value), range: range)
  }

  /// Parses `[1, 2, 3]`: a list in JSON notation with expressions as elements. No assigned value begins with a point.
  private mutating func bracketedList() throws(ParseFailure) -> ExpressionSyntax {
    let start = token.start
    advance()
    try enter()
    var elements: [ExpressionSyntax] = []
    repeat { elements.append(try value(Level.arithmetic)) } while take(.comma)
    nesting -= 1
    try close(.rightBracket, opened: start)
    return ExpressionSyntax(.list(elements), range: SourceRange(start, lastEnd))
  }

  /// Parses `{"a": 1}`, the value of a dictionary or a struct.
  private mutating func dictionary() throws(ParseFailure) -> ExpressionSyntax {
    let start = token.start
    readsJSON = true
    let fields = try jsonObject()
    readsJSON = false
    let value = Value.embedded(fields.map { EmbeddedField(name: $0.name.text, value: $0.value) })
    return ExpressionSyntax(.literal(value), range: SourceRange(start, lastEnd))
  }

  /// Consumes the `=` of an UPDATE or LET; `==` and `:=` are reported and treated as `=`.
  ///
  /// - Parameter property: The property that is set; nil for LET, which computes nothing.
  private mutating func takeAssignment(to property: String?, _ message: String) throws(ParseFailure) {
    let sign = token
    switch sign.kind {
    case .equal where sign.end == sign.start + 1: advance()
    case .equal, .assignment:
      report(
        .unknownOperator, message, sign.range,
        fixes: [Fix(message: "write '='", range: sign.range, replacement: "=")])
      advance()
    case .plus, .minus, .star, .slash:
      guard lexer.byte(sign.end) == UInt8(ascii: "=") else { fallthrough }
      let written = text(sign) + "="
      throw fail(
        .expectedAssignment, "'\(written)' is not an operator: \(message)", SourceRange(sign.start, sign.end + 1),
        notes: property.map { ["to compute with the value before, name it: 'SET \($0) = \($0) \(text(sign)) …'"] } ?? []
      )
    default: throw unexpected("expected '=', found \(describe(sign))", code: .expectedAssignment)
    }
  }

  /// `INSERT Quake {"code": "x1", "magnitude": 5}`
  private mutating func insert() throws(ParseFailure) -> StatementSyntax {
    advance()
    reportForeign("into", after: "INSERT")
    let entity = try entityName()
    guard token.kind == .leftBrace else {
      throw fail(
        .expectedObject, "expected an object in braces, found \(describe(token))", token.range,
        notes: ["write 'INSERT \(entity.text) {\"property\": value}'"])
    }
    readsJSON = true
    let fields = try jsonObject()
    readsJSON = false
    return .insert(entity, fields)
  }

  /// `LET big = magnitude > 6`
  private mutating func define() throws(ParseFailure) -> StatementSyntax {
    advance()
    let name = try name("a name for the predicate")
    try takeAssignment(to: nil, "a predicate is named with '='")
    return .define(name, try condition())
  }

  // MARK: Names

  /// An entity's name.
  mutating func entityName() throws(ParseFailure) -> NameSyntax { try name("the name of an entity") }

  /// A name in any of its spellings.
  mutating func name(_ what: String) throws(ParseFailure) -> NameSyntax {
    let range = token.range
    let name: String
    switch token.kind {
    case .word: name = text(token)
    case .escapedName: name = text(token.start + 1, token.end)
    case .quotedName: name = string(token)
    default: throw unexpected("expected \(what), found \(describe(token))", code: .expectedName)
    }
    advance()
    return NameSyntax(name, range: range)
  }

  // MARK: Queries

  /// Parses `Quake WHERE …` or, with a default entity, clauses or a predicate alone.
  private mutating func query() throws(ParseFailure) -> SelectSyntax {
    if startsEntity() {
      var query = SelectSyntax(entity: try entityName())
      try clauses(&query)
      return query
    }
    guard hasDefaultEntity else { throw noEntity() }
    if token.kind == .end || token.kind == .semicolon { return SelectSyntax(entity: nil) }
    if startsClause() {
      var query = SelectSyntax(entity: nil)
      try clauses(&query)
      return query
    }
    return try barePredicate()
  }

  /// Whether the current token is an entity's name: a name followed by a clause or nothing. With a default entity it
  /// must also start with a capital, since a boolean property may stand alone.
  private func startsEntity() -> Bool {
    switch token.kind {
    case .word, .escapedName, .quotedName: break
    default: return false
    }
    if hasDefaultEntity, startsClause() || token.kind == .word && token.keyword?.isReserved == true { return false }
    if hasDefaultEntity, token.kind == .word, !lexer.scalar(token.start).value.properties.isUppercase { return false }
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .end, .semicolon, .unterminatedComment: return token.keyword?.isReserved != true
    case .word:
      if next.keyword?.startsClause == true { return true }
      // `NOT set` is the negation of a property named `set`.
      if token.keyword?.isReserved == true { return false }
      return next.keyword == nil || next.keyword == .set || next.keyword == .by
    default: return false
    }
  }

  private mutating func barePredicate() throws(ParseFailure) -> SelectSyntax {
    guard hasDefaultEntity else { throw noEntity() }
    var query = SelectSyntax(entity: nil)
    query.filter.predicate = try condition()
    try clauses(&query, afterWhere: true)
    return query
  }

  private mutating func noEntity() -> ParseFailure {
    if let failure = malformed(token) { return failure }
    if token.kind == .end || token.kind == .semicolon {
      return fail(.expectedName, "expected the name of an entity, found \(describe(token))", token.range)
    }
    if let failure = methodOfEntity() { return failure }
    var notes = ["write '\(example.entity) WHERE \(example.condition)', or '.use \(example.entity)' first"]
    if token.kind == .word, token.keyword != nil {
      let word = text(token)
      notes.append("\(word) is a word of the language; an entity of that name is written `\(word)`")
    }
    return fail(.missingEntity, "a statement starts with the name of an entity", token.range, notes: notes)
  }
}
