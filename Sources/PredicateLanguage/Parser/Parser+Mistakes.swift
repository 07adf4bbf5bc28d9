import Diagnostics
import Values

/// Common mistakes and habits from other languages, other than foreign operators.
extension Parser {
  // MARK: After an operand

  /// Whether the current token may follow an operand; reports it if not.
  mutating func checkStray(after node: Node) throws(ParseFailure) -> Bool {
    switch token.kind {
    case .end, .rightParenthesis, .rightBracket, .rightBrace, .comma, .ampersandAmpersand, .barBar: return true
    case .semicolon where isStatement: return true
    case .word:
      guard let keyword = token.keyword else {
        if isStatement, isForeignClause { return true }
        break
      }
      if keyword == .and || keyword == .or || keyword.startsClause && (isStatement || startsTail) { return true }
    default: break
    }
    if case .broken = node { return true }
    _ = stray(after: node)
    return false
  }

  /// Whether the word in hand is FILTER, SORT, DISTINCT, LIMIT or OFFSET with its parenthesis.
  var startsTail: Bool {
    switch token.keyword {
    case .filter, .sort, .distinct, .limit, .offset: break
    default: return false
    }
    guard token.kind == .word else { return false }
    var ahead = lexer
    return ahead.next().kind == .leftParenthesis
  }

  private mutating func stray(after node: Node) -> ParseFailure {
    let found = token
    if let failure = malformed(found) { return failure }
    if let failure = methodCall(after: node) { return failure }
    if found.kind == .word, let failure = strayWord(found, after: node) { return failure }
    if let failure = dateOfSQL(found) ?? strayCondition(found, after: node) { return failure }
    switch (node, found.kind) {
    case (.value, .string), (.value, .integer), (.value, .decimal), (.value, .formatArgument):
      return fail(
        .expectedOperator, "an operator is missing before \(describe(found))", found.range,
        notes: ["comparisons look like 'name == \"x\"', 'age > 5', 'place CONTAINS[c] \"x\"'"])
    case (_, .leftBrace), (_, .leftParenthesis):
      return fail(.expectedOperator, "an operator is missing before \(describe(found))", found.range)
    case (_, .semicolon):
      return fail(
        .unexpectedToken, "a predicate has no ';'", found.range,
        fixes: [Fix(message: "leave it out", range: found.range, replacement: "")])
    default:
      return fail(.unexpectedToken, "\(describe(found)) cannot follow here", found.range)
    }
  }

  /// Reports a value where a condition is needed.
  mutating func reportNoCondition(_ value: ExpressionSyntax) {
    var notes = ["a condition compares it with something, as in 'name == \"x\"'"]
    var fixes: [Fix] = []
    if case .literal(.string) = value.kind, textBefore(value.range.lowerBound) == "||" {
      notes = ["'||' is OR; 'concat(a, b)' joins texts"]
    } else if case .subquery(_, _, _, let tail) = value.kind, tail.steps.isEmpty {
      notes = ["SUBQUERY is the elements that its condition holds for"]
      let end = SourceRange(value.range.upperBound, value.range.upperBound)
      fixes = [
        Fix(
          message: "to ask whether there are any, write '.@count > 0' after it", range: end, replacement: ".@count > 0")
      ]
    }
    report(
      .expectedComparison, "\(quoted(text(value.range))) is a value, not a condition", value.range, notes: notes,
      fixes: fixes)
  }

  private mutating func strayWord(_ found: Token, after node: Node) -> ParseFailure? {
    let word = text(found)
    if let failure = foreignPrefix(before: found) { return failure }
    switch word.lowercased() {
    case "filter", "order", "sort", "sorted", "distinct", "limit", "offset":
      reportForeignTails()
      return ParseFailure()
    case "group", "where", "having", "select":
      return fail(
        .unexpectedClause, "a predicate has no \(word.uppercased())", found.range,
        notes: ["clauses belong to statements: '\(example.entity) WHERE … GROUP BY …'"])
    case "xor", "nand", "nor": return junctionOfSQL(found, after: node)
    case "when" where textBefore(found.start).lowercased() == "case":
      return fail(
        .unsupportedOperator, "there is no CASE", SourceRange(lastEnd - 4, found.end),
        notes: ["'TERNARY(\(example.condition), \"yes\", \"no\")' chooses between two values"])
    case "collate": return collation(found, after: node)
    case "escape":
      return fail(
        .unsupportedOperator, "there is no ESCAPE", found.range,
        notes: ["wildcards are escaped with '\\\\': LIKE '50\\\\*'"])
    default: break
    }
    guard case .predicate(let predicate) = node, case .comparison(let comparison) = predicate.kind,
      case .path(let path) = comparison.right.kind, path.variable == nil
    else { return nil }
    var end = found.end
    while token.kind == .word, token.keyword == nil {
      end = token.end
      advance()
    }
    let range = SourceRange(comparison.right.range.lowerBound, max(end, found.end))
    let words = text(range)
    return fail(
      .unquotedText, "a string is written in quotes", range,
      fixes: [Fix(message: "write \"\(shortened(words))\"", range: range, replacement: "\"\(words)\"")])
  }

  /// `EXISTS tasks` and `ANY OF tasks`: a word of other languages right before a path.
  private mutating func foreignPrefix(before found: Token) -> ParseFailure? {
    let last = textBefore(found.start)
    let range = SourceRange(lastEnd - last.utf8.count, lastEnd)
    let joint = textBefore(range.lowerBound).uppercased()
    switch last.lowercased() {
    case "exists":
      return fail(
        .unsupportedOperator, "there is no EXISTS", range,
        notes: [
          joint == "NOT" || joint == "!"
            ? "'tasks.@count == 0' asks whether there are none, 'name == nil' whether there is no value"
            : "'tasks.@count > 0' asks whether there are any, 'name != nil' whether there is a value"
        ])
    case "of" where ["ANY", "SOME", "ALL", "NONE"].contains(joint):
      return fail(
        .unexpectedToken, "\(joint) stands right before the path", range,
        fixes: [
          Fix(
            message: "leave '\(text(range))' out", range: SourceRange(range.lowerBound, found.start), replacement: "")
        ])
    default: return nil
    }
  }

  // MARK: Instead of an operand

  /// Reports the current token where a value should start.
  mutating func expectedValue() -> ParseFailure {
    let found = token
    let previous = lastEnd > 0 ? "" : " to begin with"
    switch found.kind {
    case .star, .slash:
      if let failure = lackingOperand(found) { return failure }
    default: break
    }
    switch found.kind {
    case .foreignOperator, .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual:
      // `= =`, `> =`: a single operator with a space inside.
      if found.start > lastEnd, let joined = tornOperator() { return joined }
      return fail(.expectedValue, "a value must come before \(describe(found))", found.range)
    case .star where lastEnd == 0 || isStatement:
      return fail(.expectedValue, "'*' is not a value", found.range, notes: ["the number of objects is '@count'"])
    case .percent:
      return fail(
        .invalidPlaceholder, "'%' alone stands for nothing", found.range,
        notes: ["arguments are %@ for a value and %K for a property's name; the remainder is modulus:by:(a, b)"])
    default:
      if let failure = malformed(found) { return failure }
      if let failure = lackingOperand(found) { return failure }
      return unexpected("expected a value\(previous), found \(describe(found))", code: .expectedValue)
    }
  }

  /// Reports `spot == {"longitude": 1}`: structs and dictionaries have this form in INSERT and SET only.
  mutating func objectInCondition() -> ParseFailure {
    fail(
      .unexpectedToken, "a JSON object belongs in INSERT and SET; it cannot be compared", token.range,
      notes: [
        "compare a struct property by property, as in 'home.city == \"x\"', a dictionary key by key: 'scores[\"a\"] > 1'"
      ])
  }

  private mutating func tornOperator() -> ParseFailure? {
    let pieces = text(lastEnd - 1, lastEnd) + text(token)
    guard let meant = ["==": "==", "!=": "!=", "<=": "<=", ">=": ">=", "=<": "<=", "=>": ">=", "<>": "!="][pieces]
    else { return nil }
    let range = SourceRange(lastEnd - 1, token.end)
    return fail(
      .unknownOperator, "'\(text(range))' is not an operator", range,
      fixes: [Fix(message: "write '\(meant)'", range: range, replacement: meant)])
  }

  mutating func misplacedQuantifier() -> ParseFailure {
    fail(
      .misplacedQuantifier, "\(text(token).uppercased()) stands before a whole comparison", token.range,
      notes: ["write 'ANY tasks.priority > 5', or right of an operator 'x == ANY {1, 2}'"])
  }

  mutating func unknownFormat(_ name: String) -> ParseFailure {
    let range = SourceRange(token.start, token.end)
    return fail(
      .invalidPlaceholder, "'%\(shortened(name))' is not a placeholder", range,
      notes: ["the placeholders are %@ %K %d %i %u %ld %lu %lld %llu %x %o %f %g %e %c"],
      fixes: [Fix(message: "write '%@'", range: range, replacement: "%@")])
  }

  mutating func unknownFunction(_ written: String, _ range: SourceRange) -> ParseFailure {
    switch written.lowercased() {
    case "function":
      return fail(
        .unsupportedFunction, "FUNCTION is never executed", range,
        notes: ["call a function of the language by its name, as in 'uppercase(name)'"])
    case "oid", "objectid":
      return fail(
        .unsupportedFunction, "there is no type ObjectId", range, notes: ["compare the unique property, or a uuid(…)"]
      )
    case "castobject:totype:":
      return fail(
        .unsupportedCast, "there is no cast between types", range,
        notes: ["CAST makes dates only: CAST(592299475.5, \"NSDate\")"])
    default: break
    }
    if let failure = nullTest(range) ?? typeIdentifier(range) { return failure }
    let advice = functionAdvice(written)
    let nearest = advice == nil ? meantFunction(written) : nil
    if nearest == nil, written.contains(":") {
      return fail(
        .unsupportedFunction, "there is no function '\(shortened(written))'", range,
        notes: ["only the functions of the language are called, never a method"])
    }
    // The arguments of a selector follow the whole selector, which its name alone does not show.
    let selector = nearest.flatMap { $0.contains(":") ? FunctionTable.function($0) : nil }
    let note =
      advice ?? selector.map { "did you mean '\($0.call)'?" } ?? (nearest == nil ? PredicateFunction.listed : nil)
    return fail(
      .unknownFunction, "there is no function '\(shortened(written))'", range, notes: note.map { [$0] } ?? [],
      fixes: nearest.map { [Fix(message: "write '\($0)'", range: range, replacement: $0)] } ?? [])
  }

  // MARK: Quotation marks

  /// Reports typographic quotation marks, `“text”`, and parses a string.
  mutating func smartString(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    let (_, opening) = lexer.scalar(token.start)
    var closing = token.end - 1
    while lexer.byte(closing) & 0xC0 == 0x80 { closing -= 1 }
    let content = text(token.start + opening, closing)
    report(
      .smartQuotes, "typographic quotation marks do not make a string", token.range,
      fixes: [Fix(message: "write \"\(shortened(content))\"", range: token.range, replacement: "\"\(content)\"")])
    return try literal(.string(content), from: start)
  }

  /// `'O'Brien'`: a string with a word right behind it.
  mutating func checkApostrophe() throws(ParseFailure) {
    let literal = token
    var ahead = lexer
    let word = ahead.next()
    guard word.kind != .word || word.keyword == nil else { return }
    let quote = lexer.byte(literal.start)
    var end = literal.end
    while end < lexer.count, lexer.byte(end) != quote, lexer.byte(end) != UInt8(ascii: "\n") { end += 1 }
    let mark = text(literal.start, literal.start + 1)
    let note = "text from outside is best passed as an argument: '%@'"
    guard lexer.byte(end) == quote else {
      isAborted = true
      throw fail(
        .earlyQuote, "the string ends at this \(mark), and more text follows",
        SourceRange(literal.end - 1, literal.end), notes: ["inside a string it is written \\\(mark)", note])
    }
    let range = SourceRange(literal.start, end + 1)
    let other = quote == UInt8(ascii: "'") ? "\"" : "'"
    let content = text(literal.start + 1, end)
    let fixed =
      content.contains(other)
      ? mark + content.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\\" + mark) + mark
      : other + content + other
    report(
      .earlyQuote, "the string ends at this \(mark), and more text follows",
      SourceRange(literal.end - 1, literal.end), notes: [note],
      fixes: [Fix(message: "write \(shortened(fixed))", range: range, replacement: fixed)])
    token.end = end + 1
    lexer.position = end + 1
  }

  // MARK: Lists

  /// Reports `(1, 2)`, whose first element has been parsed, and parses a list.
  mutating func listInParentheses(_ first: ExpressionSyntax, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    var elements = [first]
    try enter()
    while take(.comma) { elements.append(try value()) }
    nesting -= 1
    try close(.rightParenthesis, opened: start)
    let range = SourceRange(start, lastEnd)
    let inner = text(start + 1, lastEnd - 1)
    report(
      .listInParentheses, "a list is written in braces", range,
      fixes: [Fix(message: "write '{\(shortened(inner))}'", range: range, replacement: "{\(inner)}")])
    return try expression(.list(elements), from: start)
  }

  /// Reports `()`, whose closing parenthesis is the current token, and returns an empty list.
  mutating func noList(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    advance()
    let range = SourceRange(start, lastEnd)
    report(
      .listInParentheses, "a list is written in braces, one of nothing too", range,
      fixes: [Fix(message: "write '{}'", range: range, replacement: "{}")])
    return try expression(.list([]), from: start)
  }
}
