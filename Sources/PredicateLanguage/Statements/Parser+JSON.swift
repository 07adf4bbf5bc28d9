import Diagnostics
import Values

/// The object of an INSERT, the dictionary and the list of structs of an UPDATE, as JSON.
extension Parser {
  /// `{"code": "x1", "magnitude": 5}`; the token in hand is its brace.
  mutating func jsonObject() throws(ParseFailure) -> [ObjectFieldSyntax] {
    let open = token.start
    advance()
    try enter()
    var fields: [ObjectFieldSyntax] = []
    var names: Set<String> = []
    if token.kind != .rightBrace {
      repeat {
        let name = try jsonName()
        if !names.insert(name.text).inserted {
          report(.duplicateProperty, "'\(shortened(name.text))' is there twice", name.range)
        }
        let start = token.start
        let value = try jsonValue()
        fields.append(ObjectFieldSyntax(name: name, value: value, valueRange: SourceRange(start, lastEnd)))
      } while take(.comma)
    }
    nesting -= 1
    try close(.rightBrace, opened: open)
    return fields
  }

  /// `[{"name": "x"}, …]`; the token in hand is its bracket.
  mutating func jsonObjects() throws(ParseFailure) -> Value {
    let open = token.start
    advance()
    try enter()
    var objects: [Value] = []
    if token.kind != .rightBracket {
      repeat {
        try countNode()
        guard token.kind == .leftBrace else {
          throw unexpected("expected an object in braces, found \(describe(token))", code: .invalidJSON)
        }
        objects.append(.embedded(try jsonObject().map { EmbeddedField(name: $0.name.text, value: $0.value) }))
      } while take(.comma)
    }
    nesting -= 1
    try close(.rightBracket, opened: open)
    return .list(objects)
  }

  /// A name, in quotes or without, and its colon.
  mutating func jsonName() throws(ParseFailure) -> NameSyntax {
    let range = token.range
    let name: String
    switch token.kind {
    case .string: name = string(token)
    case .word: name = text(token)
    case .quotedName: name = string(token)
    default: throw unexpected("expected a property's name in quotes, found \(describe(token))", code: .invalidJSON)
    }
    advance()
    // `{code:x}`: for the lexer the colon and the word are one token, an argument `:name`.
    if token.kind == .colonArgument {
      lexer.position = token.start + 1
      lastEnd = lexer.position
      token = lexer.next()
    } else if !take(.colon) {
      throw unexpected("expected ':', found \(describe(token))", code: .invalidJSON)
    }
    return NameSyntax(name, range: range)
  }

  /// A number with more digits than a Double has, which a property may want all.
  private func exact(_ token: Token, isNegative: Bool, as value: Value) -> Value {
    guard case .double(let number) = value, token.kind == .decimal,
      let exact = DecimalValue((isNegative ? "-" : "") + text(token).filter { $0 != "_" }),
      exact != DecimalValue(shortest: number)
    else { return value }
    return .decimal(exact)
  }

  /// What stands for `decimal('4')`, `uuid(…)`, `date('…')` and their like in JSON: the text in quotes, and the range
  /// of the whole call.
  private mutating func calledLiteral(_ word: String) -> (String, SourceRange)? {
    guard ["decimal", "uuid", "date", "cast", "data"].contains(word.lowercased()) else { return nil }
    var ahead = lexer
    guard ahead.next().kind == .leftParenthesis else { return nil }
    let argument = ahead.next()
    let close = ahead.next()
    guard close.kind == .rightParenthesis,
      argument.kind == .string || argument.kind == .word || argument.kind == .decimal
        || argument.kind == .integer
    else { return nil }
    let content = argument.kind == .string ? string(argument) : text(argument)
    return (JSONText.quoted(content), SourceRange(token.start, close.end))
  }

  mutating func jsonValue() throws(ParseFailure) -> Value {
    try countNode()
    let start = token.start
    switch token.kind {
    case .string:
      let value = Value.string(string(token))
      advance()
      return value
    case .integer, .decimal, .minus:
      let isNegative = take(.minus)
      if isNegative, at(.inf) || at(.infinity) {
        advance()
        return .double(-.infinity)
      }
      guard token.kind == .integer || token.kind == .decimal else { break }
      let written = token
      if case .literal(let value) = try number(negative: isNegative, from: start).kind {
        return exact(written, isNegative: isNegative, as: value)
      }
    case .word:
      let value: Value? =
        switch token.keyword {
        case .isTrue: .bool(true)
        case .isFalse: .bool(false)
        case .null, .nil: .null
        case .inf, .infinity: .double(.infinity)
        case .nan: .double(.nan)
        default: nil
        }
      if let value {
        advance()
        return value
      }
      let word = text(token)
      if let (literal, range) = calledLiteral(word) {
        throw fail(
          .invalidJSON, "an object in JSON has values in it, no functions", range,
          notes: ["the property's type says how the text is read"],
          fixes: [Fix(message: "write \(literal)", range: range, replacement: literal)])
      }
      throw fail(
        .invalidJSON, "'\(shortened(word))' is not a value", token.range, notes: ["a string is written in quotes"],
        fixes: [Fix(message: "write \"\(shortened(word))\"", range: token.range, replacement: "\"\(word)\"")])
    case .leftBrace:
      return .embedded(try jsonObject().map { EmbeddedField(name: $0.name.text, value: $0.value) })
    case .leftBracket:
      advance()
      try enter()
      var elements: [Value] = []
      if token.kind != .rightBracket {
        repeat { elements.append(try jsonValue()) } while take(.comma)
      }
      nesting -= 1
      try close(.rightBracket, opened: start)
      return .list(elements)
    case .formatArgument, .dollarArgument, .colonArgument:
      throw fail(
        .invalidJSON, "an object in JSON has values in it, no arguments", token.range,
        notes: [
          "import many objects with '.import'; in UPDATE the whole dictionary may be one argument, as in '= $d'"
        ])
    default: break
    }
    throw unexpected("expected a value, found \(describe(token))", code: .invalidJSON)
  }
}
