import Diagnostics
import Values

/// Parses the start of an operand.
extension Parser {
  /// An operand with the signs, NOTs and quantifiers before it.
  mutating func prefix(_ minimum: Int) throws(ParseFailure) -> Node {
    let start = token.start
    switch token.kind {
    case .word: return try word(minimum, from: start)
    case .escapedName, .quotedName, .collectionOperator:
      return .value(try path(from: start))
    case .selector: return try call(from: start)
    case .integer, .decimal: return .value(try number(negative: false, from: start))
    case .string: return .value(try stringLiteral(from: start))
    case .leftParenthesis: return try parenthesised(from: start)
    case .minus: return .value(try negation(from: start))
    case .plus: return .value(try plus(from: start))
    case .tilde:
      advance()
      let operand = try operand(of: .complement, at: start)
      return .value(try expression(.unary(.complement, operand), from: start))
    case .bang: return try negatedPredicate(minimum, from: start)
    case .leftBrace: return .value(try list(from: start))
    case .leftBracket: return .value(try point(from: start))
    case .formatArgument, .dollarArgument, .colonArgument: return .value(try argument(from: start))
    case .date, .timestamp, .base64String: return .value(try specialLiteral(from: start))
    case .smartString: return .value(try smartString(from: start))
    default: throw expectedValue()
    }
  }

  /// An operand that starts with a word: by its meaning, or a name.
  private mutating func word(_ minimum: Int, from start: Int) throws(ParseFailure) -> Node {
    guard let keyword = token.keyword, keyword.isReserved, !isName(keyword) else {
      return startsCall() ? try call(from: start) : .value(try path(from: start))
    }
    switch keyword {
    case .isTrue, .yes: return .value(try wordLiteral(.bool(true), from: start))
    case .isFalse, .no: return .value(try wordLiteral(.bool(false), from: start))
    case .nil, .null: return .value(try wordLiteral(.null, from: start))
    case .inf, .infinity: return .value(try wordLiteral(.double(.infinity), from: start))
    case .nan: return .value(try wordLiteral(.double(.nan), from: start))
    case .this: return .value(try path(from: start))
    case .truePredicate, .falsePredicate:
      let word = text(token)
      advance()
      var constant = try predicate(.constant(keyword == .truePredicate), from: start)
      constant.word = word
      return .predicate(constant)
    case .not: return try negatedPredicate(minimum, from: start)
    default:
      if let quantifier = quantifier(keyword) {
        if minimum > Level.comparison { throw misplacedQuantifier() }
        return .predicate(try quantified(quantifier, from: start))
      }
      throw expectedValue()
    }
  }

  /// Whether a `(` follows the word in hand.
  private func startsCall() -> Bool {
    var offset = token.end
    while Lexer.isBlank(lexer.byte(offset)) { offset += 1 }
    switch lexer.byte(offset) {
    case UInt8(ascii: "("): return true
    case 0x80..., UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "#"):
      // Blanks beyond ASCII, or a comment.
      var ahead = lexer
      return ahead.next().kind == .leftParenthesis
    default: return false
    }
  }

  // MARK: NOT, signs, parentheses

  private mutating func negatedPredicate(_ minimum: Int, from start: Int) throws(ParseFailure) -> Node {
    let symbol = token
    if minimum > Level.not {
      throw fail(
        .predicateAsValue, "\(describe(symbol)) makes a condition, and a value is needed here", symbol.range)
    }
    advance()
    try enter()
    let operand = try predicate(of: try parse(Level.not))
    nesting -= 1
    return .predicate(try predicate(.not(operand), from: start))
  }

  private mutating func negation(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    if token.kind == .integer || token.kind == .decimal { return try number(negative: true, from: start) }
    if at(.inf) || at(.infinity), let keyword = token.keyword, !isName(keyword) {
      return try wordLiteral(.double(-.infinity), from: start)
    }
    let operand = try operand(of: .negate, at: start)
    return try expression(.unary(.negate, operand), from: start)
  }

  /// Parses `+28`: a sign is allowed only before a number.
  private mutating func plus(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    if token.kind == .integer || token.kind == .decimal { return try number(negative: false, from: start) }
    let number: Double? = at(.inf) || at(.infinity) ? .infinity : at(.nan) ? .nan : nil
    if let number {
      var literal = try wordLiteral(.double(number), from: start)
      // A name has no such sign.
      literal.word = nil
      return literal
    }
    let place = SourceRange(start, start + 1)
    if let failure = malformed(token) ?? lackingOperand(token) { throw failure }
    throw fail(
      .expectedValue, "'+' stands between two values, or before a number", place,
      fixes: [Fix(message: "leave it out", range: place, replacement: "")])
  }

  /// Parses the operand of a sign. An operand that is printed in parentheses, such as one with another `-`, counts as
  /// two levels.
  private mutating func operand(of sign: UnaryOperator, at start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let levels = token.kind == .minus && !(sign == .complement && isBeforeNumber) ? 2 : 1
    for _ in 0..<levels { try enter() }
    let operand = try value(of: try parse(Level.operand), .after(SourceRange(start, start + 1)))
    nesting -= levels
    return operand
  }

  /// Whether a number follows the token in hand, which is then its sign.
  private var isBeforeNumber: Bool {
    var ahead = lexer
    let next = ahead.next()
    return next.kind == .integer || next.kind == .decimal || next.keyword == .inf || next.keyword == .infinity
  }

  private mutating func parenthesised(from start: Int) throws(ParseFailure) -> Node {
    advance()
    if token.kind == .rightParenthesis, textBefore(start).uppercased() == "IN" {
      return .value(try noList(from: start))
    }
    try enter()
    let node = try parse(Level.nothing)
    nesting -= 1
    if token.kind == .comma, case .value(let first) = node { return .value(try listInParentheses(first, from: start)) }
    if token.kind == .comma { try takeBareList(after: node) }
    try close(.rightParenthesis, opened: start)
    let goesOn = token.kind == .dot && !isRange || token.kind == .leftBracket && !startsKeyOptions
    // The parentheses belong to the range, so that a fix never removes only one of them.
    switch node {
    case .value(var value):
      value.range = SourceRange(start, lastEnd)
      return .value(goesOn ? try continued(value.named ?? value, from: start) : value)
    case .predicate(let constant) where goesOn && constant.word != nil:
      return .value(try continued(try self.value(of: .predicate(constant)), from: start))
    case .predicate(var predicate):
      predicate.range = SourceRange(start, lastEnd)
      return .predicate(predicate)
    case .broken: return .broken
    }
  }

  /// Parses the steps after a value in parentheses: `(a.b)[0]`, `(SUBQUERY(…)).@count`, and `.length` after any string.
  private mutating func continued(
    _ value: ExpressionSyntax, from start: Int
  ) throws(ParseFailure) -> ExpressionSyntax {
    switch value.kind {
    case .path(let path): return try self.path(variable: path.variable, steps: path.steps, from: start)
    case .subquery(let path, let variable, let predicate, var tail):
      try continuePath(&tail)
      return try expression(.subquery(path, variable: variable, predicate, tail: tail), from: start)
    default: break
    }
    let place = token.range
    let isText = take(.dot) && token.kind == .word && text(token).lowercased() == "length"
    if !isText, case .placeholder(.named) = value.kind { throw unknownVariable(value.range) }
    if isText {
      advance()
      return try expression(.call("length", [value]), from: start)
    }
    throw fail(
      .expectedPath, "nothing can follow \(quoted(text(value.range))), which is computed", place,
      notes: ["a path goes on behind parentheses, as in '(a.b)[0]', and '.length' stands behind any text"])
  }

  // MARK: Literals

  mutating func literal(_ value: Value, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    return try expression(.literal(value), from: start)
  }

  /// A constant that is written as a word.
  private mutating func wordLiteral(_ value: Value, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let word = text(token)
    var literal = try literal(value, from: start)
    literal.word = word
    return literal
  }

  private mutating func stringLiteral(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let value = Value.string(string(token))
    if lexer.continuesName(token.end) { try checkApostrophe() }
    return try literal(value, from: start)
  }

  /// `{a, b}`
  private mutating func list(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    if beginsObject { throw objectInCondition() }
    advance()
    let elements = try elements(until: .rightBrace, opened: start)
    return try expression(.list(elements), from: start)
  }

  /// `[longitude, latitude]`
  private mutating func point(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let isListMeant = acceptsBrackets
    acceptsBrackets = false
    advance()
    let elements = try elements(until: .rightBracket, opened: start)
    if elements.count != 2, !isListMeant {
      report(
        .wrongArgumentCount,
        "a point has two coordinates, and there \(elements.count == 1 ? "is" : "are") \(elements.count)",
        SourceRange(start, lastEnd),
        notes: ["write '[longitude, latitude]'; a list is written in braces, '{1, 2}'"])
    }
    return try expression(.point(elements), from: start)
  }

  /// Values with commas between them, up to and with the closing bracket.
  mutating func elements(until end: Token.Kind, opened: Int) throws(ParseFailure) -> [ExpressionSyntax] {
    var elements: [ExpressionSyntax] = []
    try enter()
    if token.kind != end {
      repeat {
        if token.kind == end {
          report(
            .unexpectedToken, "nothing follows this comma", SourceRange(lastEnd - 1, lastEnd),
            fixes: [Fix(message: "leave it out", range: SourceRange(lastEnd - 1, lastEnd), replacement: "")])
          break
        }
        elements.append(try element(until: end, opened: opened))
      } while take(.comma)
    }
    nesting -= 1
    try close(end, opened: opened)
    return elements
  }

  /// Parses one of several values. A comparison is reported as such; an AND is reported with the closing bracket.
  private mutating func element(until end: Token.Kind, opened: Int) throws(ParseFailure) -> ExpressionSyntax {
    let start = token.start
    let element = try value(Level.arithmetic)
    guard infixLevel(after: .value(element)) == Level.comparison else { return element }
    let place = lastEnd
    let condition = try comparison(.value(element), quantifier: nil, from: start)
    // `abs(x > 5` lacks its bracket before the operator.
    if endsUnclosed, !isClosedLater() { throw unclosed(end, opened: opened, at: place) }
    return try value(of: .predicate(condition))
  }

  // MARK: Arguments

  /// `%@`, `$0`, `$name`, `:name`, or the path that `%K`, `$K0` or a variable starts.
  private mutating func argument(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    if let step = try keyArgument() { return try path(variable: nil, steps: [step], from: start) }
    let name = text(token.start + 1, token.end)
    switch token.kind {
    case .formatArgument:
      guard Self.formats.contains(name) else { throw unknownFormat(name) }
      advance()
      formatArguments += 1
      return try expression(.placeholder(.sequential(formatArguments - 1, name)), from: start)
    case .dollarArgument where Lexer.isDigit(lexer.byte(start + 1)):
      guard let position = Int(name), position < 1_000_000 else {
        throw fail(.invalidPlaceholder, "there are never that many arguments", token.range)
      }
      advance()
      if token.kind == .dot, lexer.startsName(token.end) {
        let range = SourceRange(start, token.end)
        throw fail(
          .unknownVariable, "there is no variable '\(text(start, lastEnd))' here", SourceRange(start, lastEnd),
          notes: ["'$0' is an argument, and an argument has no properties; the object's are written by themselves"],
          fixes: [Fix(message: "leave '\(text(range))' out", range: range, replacement: "")])
      }
      return try expression(.placeholder(.positional(position)), from: start)
    case .dollarArgument where variables.contains(name):
      advance()
      return try path(variable: name, steps: [], from: start)
    default:
      advance()
      if token.kind == .dot || token.kind == .leftBracket { throw unknownVariable(SourceRange(start, lastEnd)) }
      return try expression(.placeholder(.named(name)), from: start)
    }
  }

  mutating func unknownVariable(_ range: SourceRange) -> ParseFailure {
    fail(
      .unknownVariable, "there is no variable '\(text(range))' here", range,
      notes: ["variables are those of SUBQUERY(path, $variable, …); an argument has no properties"])
  }

  /// Consumes `%K` or `$K0` as a step of a path.
  mutating func keyArgument() throws(ParseFailure) -> PathSyntax.Step? {
    let start = token.start
    switch token.kind {
    case .formatArgument where token.end == start + 2 && lexer.byte(start + 1) == UInt8(ascii: "K"):
      advance()
      formatArguments += 1
      try countNode()
      return PathSyntax.Step(.placeholder(.sequential(formatArguments - 1, "K")), range: SourceRange(start, lastEnd))
    case .dollarArgument where isKeyPosition(token):
      guard let position = Int(text(start + 2, token.end)), 0..<1_000_000 ~= position else {
        throw fail(.invalidPlaceholder, "there are never that many arguments", token.range)
      }
      advance()
      try countNode()
      return PathSyntax.Step(.placeholder(.positional(position)), range: SourceRange(start, lastEnd))
    default: return nil
    }
  }

  /// Whether a token is `$K0` or similar.
  func isKeyPosition(_ token: Token) -> Bool {
    guard token.kind == .dollarArgument, lexer.byte(token.start + 1) == UInt8(ascii: "K"), token.end > token.start + 2
    else { return false }
    return (token.start + 2..<token.end).allSatisfy { Lexer.isDigit(lexer.byte($0)) }
  }

  static let formats: Set<String> = [
    "@", "d", "i", "u", "ld", "lu", "lld", "llu", "x", "o", "f", "g", "e", "c",
  ]
}
