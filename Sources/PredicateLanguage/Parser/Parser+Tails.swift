import Diagnostics
import Values

/// The tails after a predicate, and whole filters.
extension Parser {
  /// Parses a predicate with its tails, up to the end of the text.
  mutating func filter() throws(ParseFailure) -> FilterSyntax {
    var filter = FilterSyntax(predicate: nil)
    if token.kind == .end {
      throw fail(
        .emptyPredicate, "there is no predicate", token.range, notes: ["TRUEPREDICATE matches every object"])
    }
    try checkStart()
    if !startsTail { filter.predicate = try condition() }
    filter.tails = try tails()
    try expectEnd()
    return filter
  }

  /// Expects the end of the text; reports any other token.
  mutating func expectEnd() throws(ParseFailure) {
    switch token.kind {
    case .end: return
    case .rightParenthesis, .rightBracket, .rightBrace:
      throw fail(
        .unopenedBracket, "\(describe(token)) closes nothing", token.range,
        fixes: [Fix(message: "leave it out", range: token.range, replacement: "")])
    case .comma:
      if let failure = commaInNumber() { throw failure }
      throw fail(
        .unexpectedToken, "conditions are joined by AND or OR", token.range,
        fixes: [Fix(message: "write 'AND'", range: token.range, replacement: " AND")])
    default: throw unexpected("\(describe(token)) cannot follow here")
    }
  }

  /// `1,000` and `1,5`: a comma within digits.
  private mutating func commaInNumber() -> ParseFailure? {
    guard token.start > 0, Lexer.isDigit(lexer.byte(token.start - 1)), Lexer.isDigit(lexer.byte(token.end)) else {
      return nil
    }
    var end = token.end
    while Lexer.isDigit(lexer.byte(end)) { end += 1 }
    let replacement = end - token.end == 3 ? "_" : "."
    return fail(
      .invalidNumber, "a number has no comma in it", token.range,
      fixes: [Fix(message: "write '\(replacement)'", range: token.range, replacement: replacement)])
  }

  /// Parses all FILTER, SORT, DISTINCT, LIMIT and OFFSET tails, after those in `before`.
  mutating func tails(after before: [TailSyntax] = []) throws(ParseFailure) -> [TailSyntax] {
    var tails = before
    while startsTail, let keyword = token.keyword {
      advance()
      let open = token.start
      advance()
      switch keyword {
      case .filter: tails.append(.filter(try condition()))
      case .sort: tails.append(.sort(try sortKeys()))
      case .distinct: tails.append(.distinct(try expressions()))
      default: append(keyword, try count(), &tails)
      }
      try close(.rightParenthesis, opened: open)
    }
    return tails
  }

  /// Appends a LIMIT or OFFSET. Adjacent ones form a single window, in either order.
  private func append(_ keyword: Keyword, _ value: ExpressionSyntax, _ tails: inout [TailSyntax]) {
    if case .window(let offset, let limit) = tails.last {
      if keyword == .limit, limit == nil {
        tails[tails.count - 1] = .window(offset: offset, limit: value)
        return
      }
      if keyword == .offset, offset == nil {
        tails[tails.count - 1] = .window(offset: value, limit: limit)
        return
      }
    }
    tails.append(keyword == .limit ? .window(offset: nil, limit: value) : .window(offset: value, limit: nil))
  }

  /// `a.b DESC, c`
  mutating func sortKeys() throws(ParseFailure) -> [SortKeySyntax] {
    var keys: [SortKeySyntax] = []
    repeat {
      let name = try nameBefore(\.isDirection)
      let expression = if let name { name } else { try value(Level.arithmetic) }
      keys.append(SortKeySyntax(expression, ascending: takesAscending()))
    } while take(.comma)
    return keys
  }

  /// Consumes a direction, if there is one, and returns whether it is ascending.
  private mutating func takesAscending() -> Bool {
    if take(.descending) || take(.descendingInFull) { return false }
    if take(.ascending) || take(.ascendingInFull) { return true }
    guard token.kind == .word, token.keyword == nil, !(isStatement && isForeignClause) else { return true }
    let meant = Suggestion.nearest(to: text(token), of: Self.directions)
    report(
      .unknownDirection, "'\(shortened(text(token)))' is not a direction: the directions are ASC and DESC", token.range,
      notes: meant == nil ? ["a comma comes before another key"] : [],
      fixes: meant.map { isAscending in
        let word = isAscending ? "ASC" : "DESC"
        return [Fix(message: "write '\(word)'", range: token.range, replacement: word)]
      } ?? [])
    advance()
    return meant ?? true
  }

  /// The directions by their spellings, and whether they are ascending.
  private static let directions = [
    (spelling: "ASC", meaning: true), ("ASCENDING", true), ("DESC", false), ("DESCENDING", false), ("ASCEND", true),
    ("DESCEND", false),
  ]

  /// Values with commas between them.
  mutating func expressions() throws(ParseFailure) -> [ExpressionSyntax] {
    var expressions: [ExpressionSyntax] = []
    repeat { expressions.append(try value(Level.arithmetic)) } while take(.comma)
    return expressions
  }

  /// Parses a number of objects: an integer that is not negative, or an argument.
  mutating func count() throws(ParseFailure) -> ExpressionSyntax {
    let count = try value(Level.arithmetic)
    switch count.kind {
    case .literal(.int(let number)) where number >= 0 && !text(count.range).contains(where: { "+-".contains($0) }):
      break
    case .placeholder: break
    default:
      report(
        .invalidCount, "'\(shortened(text(count.range)))' is not a number of objects", count.range,
        notes: ["a whole number from 0 up is needed, or an argument"])
    }
    if token.kind == .comma {
      throw fail(
        .foreignClause, "LIMIT and OFFSET take one number each", token.range,
        notes: ["for 'LIMIT 40, 20' write 'OFFSET 40 LIMIT 20'"])
    }
    return count
  }
}
