import Diagnostics
import Values

/// Slips around operators: ranges of Swift, signs run together, words that are nearly AND, OR or NOT.
extension Parser {
  /// The text right before an offset: a word, or a run of operator signs.
  func textBefore(_ offset: Int) -> String {
    var end = offset
    while end > 0, Lexer.isBlank(lexer.byte(end - 1)) { end -= 1 }
    var start = end
    if start > 0, Lexer.continuesWord(lexer.byte(start - 1)) {
      while start > 0, Lexer.continuesWord(lexer.byte(start - 1)) { start -= 1 }
    } else {
      while start > 0, "=!<>&|+-*/~".utf8.contains(lexer.byte(start - 1)) { start -= 1 }
    }
    return text(start, end)
  }

  // MARK: Ranges

  /// Whether the dot in hand is that of `...` or `..<`.
  var isRange: Bool { token.kind == .dot && lexer.byte(token.start + 1) == UInt8(ascii: ".") }

  /// Reports `10...20` as a right side, whose lower bound has been parsed, and parses it as the list of BETWEEN.
  mutating func range(
    _ left: ExpressionSyntax, _ comparator: SourceRange, from lower: ExpressionSyntax
  ) throws(ParseFailure) -> ExpressionSyntax {
    let sign = token.start
    let third = lexer.byte(sign + 2)
    let isOpen = third == UInt8(ascii: "<")
    lexer.position = sign + (isOpen || third == UInt8(ascii: ".") ? 3 : 2)
    lastEnd = lexer.position
    token = lexer.next()
    let upper = try value(Level.arithmetic)
    let whole = left.range.union(upper.range)
    let bounds = "{\(text(lower.range)), \(text(upper.range))}"
    let name = text(left.range)
    let fix =
      isOpen
      ? Fix(
        message: "write two comparisons", range: whole,
        replacement: "(\(name) >= \(text(lower.range)) AND \(name) < \(text(upper.range)))")
      : Fix(
        message: "write 'BETWEEN \(shortened(bounds))'", range: comparator.union(upper.range),
        replacement: "BETWEEN \(bounds)")
    report(
      .betweenBounds, "a range is written as two bounds in braces", lower.range.union(upper.range),
      notes: isOpen ? ["BETWEEN includes both of its bounds"] : [], fixes: [fix])
    return ExpressionSyntax(.list([lower, upper]), range: lower.range.union(upper.range))
  }

  /// Reports `IN 1, 2, 3`, whose first value has been parsed, and parses a list.
  mutating func bareList(_ first: ExpressionSyntax) throws(ParseFailure) -> ExpressionSyntax {
    var elements = [first]
    while take(.comma) { elements.append(try value(Level.arithmetic)) }
    let range = SourceRange(first.range.lowerBound, lastEnd)
    let inner = text(range)
    report(
      .listInParentheses, "a list is written in braces", range,
      fixes: [Fix(message: "write '{\(shortened(inner))}'", range: range, replacement: "{\(inner)}")])
    return ExpressionSyntax(.list(elements), range: range)
  }

  /// Reports `(s IN 1, 2)`, whose comma is in hand. Kept apart, so that a level of parentheses needs little of the stack.
  @inline(never)
  mutating func takeBareList(after node: Node) throws(ParseFailure) {
    if case .predicate(let condition) = node, let first = firstOfBareList(condition) { _ = try bareList(first) }
  }

  /// The value after IN at the end of a condition, if it is not a list; the current comma then makes it one.
  private func firstOfBareList(_ condition: PredicateSyntax) -> ExpressionSyntax? {
    switch condition.kind {
    case .and(let parts), .or(let parts): return parts.last.flatMap(firstOfBareList)
    case .not(let inner): return firstOfBareList(inner)
    case .comparison(let comparison):
      guard comparison.comparator == .isIn, case .literal = comparison.right.kind,
        comparison.right.range.upperBound == lastEnd
      else { return nil }
      return comparison.right
    case .constant, .truth, .named: return nil
    }
  }

  // MARK: Signs

  /// Whether the current token begins `=~`, `!~` or `=!`: operators of other languages that are two tokens here.
  var isRunTogether: Bool {
    switch token.kind {
    case .equal where token.end == token.start + 1:
      let next = lexer.byte(token.end)
      return next == UInt8(ascii: "!") || next == UInt8(ascii: "~") && quoteFollows(token.end + 1)
    case .bang: return lexer.byte(token.end) == UInt8(ascii: "~")
    default: return false
    }
  }

  private func quoteFollows(_ offset: Int) -> Bool {
    var offset = offset
    while Lexer.isBlank(lexer.byte(offset)) { offset += 1 }
    return lexer.byte(offset) == UInt8(ascii: "'") || lexer.byte(offset) == UInt8(ascii: "\"")
  }

  /// Consumes both signs and returns their replacement.
  mutating func takeRunTogether(after left: ExpressionSyntax) -> (Comparator, SourceRange, isNegated: Bool) {
    let range = SourceRange(token.start, token.end + 1)
    let written = text(range)
    let isNegated = token.kind == .bang
    let comparator: Comparator = written == "=!" ? .notEqual : .matches
    report(
      .unknownOperator, "'\(written)' is not an operator", range,
      notes: comparator == .matches ? [Self.patternAdvice] : [],
      fixes: comparator == .matches ? [] : [Fix(message: "write '!='", range: range, replacement: "!=")])
    lexer.position = range.upperBound
    lastEnd = range.upperBound
    token = lexer.next()
    return (comparator, range, isNegated)
  }

  /// The sign in `a == 1 & b == 2` within the middle of a chained comparison, which was meant as AND or OR.
  func bitSign(in middle: ExpressionSyntax) -> SourceRange? {
    guard case .arithmetic(_, let steps) = middle.kind, let last = steps.last, steps.count == 1 else { return nil }
    return last.operation == .bitAnd || last.operation == .bitOr ? last.range : nil
  }

  mutating func reportBitSign(_ range: SourceRange) {
    let sign = text(range)
    let word = sign == "&" ? "AND" : "OR"
    report(
      .unknownOperator, "'\(sign)' computes with bits; conditions are joined by \(word)", range,
      fixes: [Fix(message: "write '\(word)'", range: range, replacement: word)])
  }

  // MARK: Words

  /// Reports a condition right after another one, with nothing or a misspelled word between them; nil for anything
  /// else.
  mutating func strayCondition(_ found: Token, after node: Node) -> ParseFailure? {
    if case .value(let value) = node { return misspeltPrefix(value) }
    guard case .predicate = node else { return nil }
    let word = text(found)
    if found.kind == .word, found.keyword == nil, startsCondition(after: lexer),
      let nearest = Suggestion.nearest(to: word, among: ["AND", "OR"])
    {
      return fail(
        .unknownOperator, "'\(shortened(word))' is not an operator", found.range,
        fixes: [Fix(message: "write '\(nearest)'", range: found.range, replacement: nearest)])
    }
    switch found.kind {
    case .word where found.keyword == nil || found.keyword == .not, .bang, .escapedName, .quotedName,
      .leftParenthesis:
      let place = SourceRange(found.start, found.start)
      return fail(
        .expectedOperator, "AND or OR is missing before \(describe(found))", found.range,
        fixes: [
          Fix(message: "write 'AND' before it", range: place, replacement: "AND "),
          Fix(message: "or 'OR'", range: place, replacement: "OR "),
        ])
    default: return nil
    }
  }

  private func startsCondition(after lexer: Lexer) -> Bool {
    var ahead = lexer
    switch ahead.next().kind {
    case .word, .escapedName, .quotedName, .leftParenthesis, .bang, .string, .integer, .decimal: return true
    default: return false
    }
  }

  /// Reports `NTO a == 1`: a single name before another word that is nearly a prefix operator.
  private mutating func misspeltPrefix(_ value: ExpressionSyntax) -> ParseFailure? {
    guard case .path(let path) = value.kind, path.variable == nil, path.steps.count == 1, token.kind == .word,
      case .name(let name) = path.steps[0].kind,
      let nearest = Suggestion.nearest(to: name, among: ["NOT", "ANY", "ALL", "NONE", "SOME"])
    else { return nil }
    if name.uppercased() == "ONE" {
      // The most similar keyword is NONE, whose meaning is different.
      return fail(
        .unknownOperator, "'\(name)' is not an operator", value.range,
        notes: ["that exactly one element satisfies something is SUBQUERY(path, $x, …).@count == 1"])
    }
    return fail(
      .unknownOperator, "'\(shortened(name))' is not an operator", value.range,
      fixes: [Fix(message: "write '\(nearest)'", range: value.range, replacement: nearest)])
  }
}
