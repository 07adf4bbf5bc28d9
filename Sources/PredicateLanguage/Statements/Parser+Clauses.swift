import Diagnostics
import Values

/// Parses the clauses of a query: in any order, each at most once.
extension Parser {
  /// Whether a clause or tail starts with the token in hand.
  func startsClause() -> Bool {
    guard token.kind == .word, let keyword = token.keyword, keyword.startsClause else { return false }
    if keyword == .where || keyword == .select || keyword == .having || keyword == .distinct {
      return !isNameByContext()
    }
    var ahead = lexer
    let next = ahead.next()
    switch keyword {
    case .sort: return next.kind == .word && next.keyword == .by || next.kind == .leftParenthesis
    case .filter: return next.kind == .leftParenthesis
    case .group, .sections: return next.kind == .word && next.keyword == .by
    default:
      switch next.kind {
      case .integer, .leftParenthesis, .formatArgument, .dollarArgument, .colonArgument, .minus: return true
      default: return false
      }
    }
  }

  /// Reads clauses into `query` until something else comes.
  mutating func clauses(_ query: inout SelectSyntax, afterWhere: Bool = false) throws(ParseFailure) {
    var seen: Set<Keyword> = afterWhere ? [.where] : []
    // Tails belong to the predicate before them; with no clause in between they may follow the entity too.
    query.filter.tails = try tails(after: query.filter.tails)
    while true {
      guard token.kind == .word else { return }
      if token.keyword == nil, try takeForeignClause() { continue }
      guard let keyword = token.keyword, keyword.startsClause else { return }
      if keyword == .filter { throw misplacedFilter() }
      if !seen.insert(keyword).inserted {
        throw fail(.duplicateClause, "there are two \(keyword.rawValue) clauses", token.range)
      }
      let start = token.start
      advance()
      switch keyword {
      case .where:
        query.filter.predicate = try condition()
        // `LIMIT(5) WHERE p OFFSET(2)`: the tails are applied in the order of the text.
        query.filter.tails = try tails(after: query.filter.tails)
      case .having: query.having = try condition()
      case .group: query.groupBy = try listAfterBy(keyword)
      case .sections:
        try takeBy(keyword)
        let key = try keyWithOptions()
        query.sectionsBy = key.expression
        query.sectionOptions = key.options
      case .sort: query.sortBy = try sortClause()
      case .distinct: query.distinct = try distinctClause()
      case .limit: query.limit = try count()
      case .offset: query.offset = try count()
      default: query.select = try selection(from: start)
      }
    }
  }

  /// Reports FILTER without parentheses, or after a clause: it is a tail whose position determines the objects it
  /// filters.
  private mutating func misplacedFilter() -> ParseFailure {
    let place = token.range
    advance()
    guard token.kind == .leftParenthesis else {
      return fail(
        .foreignClause, "FILTER is followed by a condition in parentheses", place,
        notes: [
          "as in '\(example.entity) SORT(\(example.key) DESC) LIMIT(9) FILTER(\(example.condition))'; "
            + "WHERE takes a condition without"
        ])
    }
    return fail(
      .foreignClause, "FILTER(…) is not a clause: write it before the clauses, with SORT(…), LIMIT(…) and the like",
      place,
      notes: ["as in '\(example.entity) LIMIT(9) FILTER(\(example.condition)) SELECT \(example.columns)'"])
  }

  private mutating func takeBy(_ keyword: Keyword) throws(ParseFailure) {
    if take(.by) { return }
    let place = SourceRange(lastEnd, lastEnd)
    report(
      .expectedBy, "\(keyword.rawValue) is followed by BY", place,
      fixes: [Fix(message: "write '\(keyword.rawValue) BY'", range: place, replacement: " BY")])
  }

  private mutating func listAfterBy(_ keyword: Keyword) throws(ParseFailure) -> [ExpressionSyntax] {
    try takeBy(keyword)
    return try expressions()
  }

  /// Parses `SORT BY a DESC, b`, or `SORT(a DESC)` that is not a tail.
  private mutating func sortClause() throws(ParseFailure) -> [SortKeySyntax] {
    guard token.kind == .leftParenthesis else {
      try takeBy(.sort)
      return try sortKeys()
    }
    let open = token.start
    advance()
    let keys = try sortKeys()
    try close(.rightParenthesis, opened: open)
    return keys
  }

  /// `DISTINCT a, b`, or `DISTINCT(a, b)`.
  private mutating func distinctClause() throws(ParseFailure) -> [ExpressionSyntax] {
    if at(.by), isFollowedByName() {
      let range = SourceRange(lastEnd, token.end)
      report(
        .foreignClause, "DISTINCT is followed by the values", range,
        fixes: [Fix(message: "leave 'BY' out", range: range, replacement: "")])
      advance()
    }
    guard token.kind == .leftParenthesis else { return try expressions() }
    let open = token.start
    advance()
    let values = try expressions()
    try close(.rightParenthesis, opened: open)
    return values
  }

  private func isFollowedByName() -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .word: return next.keyword == nil
    case .escapedName, .quotedName, .leftParenthesis: return true
    default: return false
    }
  }

  /// `SELECT a, b AS c`
  private mutating func selection(from start: Int) throws(ParseFailure) -> [SelectItemSyntax]? {
    var items: [SelectItemSyntax] = []
    var hasStar = false
    repeat {
      if token.kind == .star {
        let star = token.range
        advance()
        // Several stars are a single mistake.
        if !hasStar { reportStar(star, from: start, isAlone: items.isEmpty && token.kind != .comma) }
        hasStar = true
        continue
      }
      let start = token.start
      let name = try nameBefore { $0 == .as }
      let expression = if let name { name } else { try value(Level.arithmetic) }
      let written = text(start, lastEnd)
      if items.isEmpty, written.lowercased() == "distinct", token.kind == .word, !at(.as), !startsClause() {
        throw fail(
          .foreignClause, "DISTINCT is a clause of its own", SourceRange(start, lastEnd),
          notes: ["write 'DISTINCT \(text(token)) SELECT \(text(token))'"])
      }
      items.append(SelectItemSyntax(expression, heading: take(.as) ? try heading() : written))
    } while take(.comma)
    return hasStar && items.isEmpty ? nil : items
  }

  private mutating func reportStar(_ star: SourceRange, from start: Int, isAlone: Bool) {
    let whole = SourceRange(start, star.upperBound)
    report(
      .selectStar, "whole objects come without SELECT", isAlone ? whole : star,
      notes: isAlone ? [] : ["leave SELECT out for all properties, or name each that is wanted"],
      fixes: isAlone ? [Fix(message: "leave 'SELECT *' out", range: whole, replacement: "")] : [])
  }

  private mutating func heading() throws(ParseFailure) -> String {
    let heading: String
    switch token.kind {
    case .word: heading = text(token)
    case .escapedName: heading = text(token.start + 1, token.end)
    case .quotedName, .string: heading = string(token)
    default: throw unexpected("expected a name after AS, found \(describe(token))", code: .expectedName)
    }
    advance()
    return heading
  }
}
