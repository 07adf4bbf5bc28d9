import Diagnostics
import Values

/// Statements that change the schema.
extension Parser {
  /// Parses a statement that changes the schema; nil if the word in hand does not begin one.
  mutating func schemaStatement() throws(ParseFailure) -> SchemaStatementSyntax? {
    guard token.kind == .word, token.keyword == nil, let word = SchemaWord(rawValue: text(token).uppercased()),
      SchemaWord.starts.contains(word), startsSchemaTarget()
    else { return nil }
    advance()
    switch word {
    case .create: return .createIndex(try createdIndex())
    case .drop:
      if at(.index) || at(.unique) { return .dropIndex(try index(after: "DROP")) }
      if let failure = foreignSchemaObject("DROP") { throw failure }
      guard takeEntityWord() else {
        throw unexpected("expected INDEX or ENTITY, found \(describe(token))")
      }
      reportIfExists()
      return .dropEntity(try entityName())
    case .rename:
      reportTable(after: "RENAME", before: [.to])
      let name = try entityName()
      return .renameEntity(name, to: try newName())
    default:
      reportTable(after: "ALTER", before: [.add, .drop, .rename, .alter])
      reportIfExists()
      return try alteration(of: try entityName())
    }
  }

  /// Whether a name comes next that is no clause and no operator.
  private func startsSchemaTarget() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .escapedName, .quotedName: return true
    case .word:
      guard let keyword = next.keyword else { return true }
      return !keyword.startsClause && keyword.comparator == nil && keyword != .and && keyword != .or
    default: return false
    }
  }

  // MARK: Indexes

  private mutating func createdIndex() throws(ParseFailure) -> IndexedPathsSyntax {
    if let failure = foreignSchemaObject("CREATE") { throw failure }
    return try index(after: "CREATE")
  }

  /// `[UNIQUE] INDEX ON Quake (net, time) [USING kind]`
  private mutating func index(after verb: String) throws(ParseFailure) -> IndexedPathsSyntax {
    let isUnique = take(.unique)
    guard take(.index) else {
      throw unexpected("expected INDEX, found \(describe(token))")
    }
    try reportNameOfIndex(after: verb)
    guard take(.on) else {
      throw fail(
        .unexpectedToken, "expected ON and the entity, found \(describe(token))", token.range,
        notes: ["write '\(verb) INDEX ON Quake (magnitude)'"])
    }
    var index = IndexedPathsSyntax(try entityName(), [], isUnique: isUnique)
    if at(.using), let failure = kindOfSQL() { throw failure }
    let open = token.start
    guard take(.leftParenthesis) else {
      throw unexpected("expected the properties in parentheses, found \(describe(token))")
    }
    repeat {
      index.paths.append(try propertyPath())
      if let failure = orderOfIndex() { throw failure }
    } while take(.comma)
    try close(.rightParenthesis, opened: open)
    guard at(.using) else { return index }
    if isUnique {
      throw fail(
        .unexpectedToken, "a unique index is of one kind", token.range, notes: ["leave USING out, or leave UNIQUE out"])
    }
    advance()
    guard token.kind == .word else {
      throw unexpected("expected a kind of index, found \(describe(token))", code: .expectedName)
    }
    index.kind = NameSyntax(text(token), range: token.range)
    advance()
    return index
  }

  // MARK: Properties

  private mutating func alteration(of entity: NameSyntax) throws(ParseFailure) -> SchemaStatementSyntax {
    if take(.add) {
      reportWordBeforeName()
      return .addProperty(entity, try propertyDeclaration(needsColon: true))
    }
    if take(.rename) {
      if let failure = renamedEntityOfSQL(entity) { throw failure }
      reportWordBeforeName()
      let path = try propertyPath()
      return .renameProperty(entity, path, to: try newName())
    }
    if take(.drop) {
      try takeProperty(after: "DROP")
      reportIfExists()
      return .dropProperty(entity, try propertyPath())
    }
    if take(.alter) {
      try takeProperty(after: "ALTER")
      return .changeProperty(entity, try propertyDeclaration(needsColon: false))
    }
    throw fail(
      .unexpectedToken, "expected ADD, DROP PROPERTY, RENAME or ALTER PROPERTY, found \(describe(token))", token.range,
      notes: ["write 'ALTER \(entity.text) ADD felt: Int?'"])
  }

  /// Consumes PROPERTY; COLUMN, or neither, is reported.
  private mutating func takeProperty(after verb: String) throws(ParseFailure) {
    var ahead = lexer
    let next = ahead.next().kind
    let isNamed = next == .word || next == .escapedName || next == .quotedName
    if at(.property), isNamed || next == .end || next == .semicolon { return advance() }
    let isColumn = token.kind == .word && text(token).uppercased() == "COLUMN" && isNamed
    let place = isColumn ? token.range : SourceRange(token.start, token.start)
    report(
      .foreignClause, "\(verb) is followed by PROPERTY and the property's name", token.range,
      fixes: [
        Fix(message: "write 'PROPERTY'", range: place, replacement: isColumn ? "PROPERTY" : "PROPERTY ")
      ])
    if isColumn { advance() }
  }

  /// `felt: Int? = 0`
  private mutating func propertyDeclaration(needsColon: Bool) throws(ParseFailure) -> PropertyDeclarationSyntax {
    let path = try propertyPath()
    if !takeColon() {
      guard token.kind == .word || token.kind == .quotedName || token.kind == .leftBracket else {
        throw unexpected("expected ':' and a type, found \(describe(token))")
      }
      if needsColon {
        let place = SourceRange(lastEnd, lastEnd)
        report(
          .unexpectedToken, "expected ':' before the type", token.range,
          fixes: [Fix(message: "write ':'", range: place, replacement: ":")])
      } else {
        try reportWordsBeforeType(of: path)
      }
    }
    let start = token.start
    let text = try propertyType()
    let type = PropertyTypeSyntax(text, range: SourceRange(start, lastEnd))
    var declaration = PropertyDeclarationSyntax(path, type)
    try reportConstraintsOfSQL()
    guard token.kind == .equal, token.end == token.start + 1 else { return declaration }
    advance()
    declaration.initialValue = try propertyDefault()
    return declaration
  }

  /// Consumes a colon. To the lexer the colon and the word of `felt:Int` are one token, an argument `:name`.
  private mutating func takeColon() -> Bool {
    guard token.kind == .colonArgument else { return take(.colon) }
    lexer.position = token.start + 1
    lastEnd = lexer.position
    token = lexer.next()
    return true
  }

  /// Parses a type, whose canonical text it returns.
  private mutating func propertyType() throws(ParseFailure) -> String {
    try enter()
    defer { nesting -= 1 }
    var type: String
    let open = token.start
    if take(.leftBracket) {
      type = "[" + (try propertyType())
      if takeColon() { type += ": " + (try propertyType()) }
      type += "]"
      try close(.rightBracket, opened: open)
    } else {
      type = try typeName()
      if take(.less) {
        type += "<" + (try typeName()) + ">"
        guard take(.greater) else {
          throw unexpected("expected '>', found \(describe(token))")
        }
      }
    }
    if take(.question) { type += "?" }
    return type
  }

  private mutating func typeName() throws(ParseFailure) -> String {
    guard token.kind == .word || token.kind == .quotedName else {
      throw unexpected("expected a type, found \(describe(token))", code: .expectedName)
    }
    let name = token.kind == .word ? text(token) : string(token)
    let isPlain = Printer.isPlainName(name)
    advance()
    return isPlain ? name : "`" + Printer.escaped(name, quote: "`") + "`"
  }

  /// Parses what follows `=`: a value as JSON, or `now()` or `uuid()`.
  mutating func propertyDefault() throws(ParseFailure) -> PropertyDefaultSyntax {
    let start = token.start
    if token.kind == .word {
      var ahead = lexer
      let isCall = ahead.next().kind == .leftParenthesis && ahead.next().kind == .rightParenthesis
      let kind: PropertyDefaultSyntax.Kind? =
        switch text(token).uppercased() {
        case "NOW", "DATE": .now
        case "UUID": .uuid
        default: nil
        }
      if isCall, let kind {
        for _ in 0..<3 { advance() }
        return PropertyDefaultSyntax(kind, range: SourceRange(start, lastEnd))
      }
    }
    readsJSON = true
    let value = try jsonValue()
    readsJSON = false
    return PropertyDefaultSyntax(.value(value), range: SourceRange(start, lastEnd))
  }

  // MARK: Names

  /// `place`, `location.depth`
  private mutating func propertyPath() throws(ParseFailure) -> PropertyPathSyntax {
    var names = [try name("the name of a property")]
    while take(.dot) { names.append(try name("the name of a property")) }
    return PropertyPathSyntax(names)
  }

  /// `TO magnitude`
  private mutating func newName() throws(ParseFailure) -> NameSyntax {
    guard take(.to) else {
      throw unexpected("expected TO and the new name, found \(describe(token))")
    }
    return try name("the new name")
  }
}
