import Diagnostics
import Values

/// Calls as in other languages: methods of values, functions by other names, and statements instead of a predicate.
extension Parser {
  // MARK: Methods

  /// Reports `place.contains('x')`: the current token is the parenthesis after a path that ends in a method's name.
  mutating func methodCall(after node: Node) -> ParseFailure? {
    guard token.kind == .leftParenthesis, case .value(let value) = node, case .path(let path) = value.kind,
      path.steps.count > 1, let last = path.steps.last, case .name(let method) = last.kind
    else { return nil }
    let receiver = text(value.range.lowerBound, last.range.lowerBound - 1)
    var ahead = lexer
    let argument = ahead.next()
    var fixes: [Fix] = []
    if argument.kind == .rightParenthesis {
      let whole = SourceRange(value.range.lowerBound, argument.end)
      if let function = Self.methodFunctions[method.lowercased()] {
        let replacement = "\(function)(\(receiver))"
        fixes = [Fix(message: "write '\(shortened(replacement))'", range: whole, replacement: replacement)]
      } else if let aggregate = Self.methodAggregates[method.lowercased()] {
        fixes = [counted(aggregate, from: last.range.lowerBound, to: argument.end)]
      }
    } else if argument.kind == .star, Self.methodAggregates[method.lowercased()] != nil,
      case let close = ahead.next(), close.kind == .rightParenthesis
    {
      fixes = [counted("@count", from: last.range.lowerBound, to: close.end)]
    } else if let meant = Self.methodOperators[method.lowercased()], isSimple(argument),
      case let close = ahead.next(), close.kind == .rightParenthesis
    {
      let replacement = "\(receiver) \(meant) \(text(argument))"
      fixes = [
        Fix(
          message: "write \(shortened(replacement))", range: SourceRange(value.range.lowerBound, close.end),
          replacement: replacement)
      ]
    }
    return fail(
      .unsupportedFunction, "values have no methods here, so '\(shortened(method))' cannot be called",
      last.range, notes: ["there are operators, 'place CONTAINS \"x\"', and functions, 'uppercase(place)'"],
      fixes: fixes)
  }

  /// Writes an aggregate instead of a method.
  private func counted(_ aggregate: String, from start: Int, to end: Int) -> Fix {
    Fix(message: "write '\(aggregate)'", range: SourceRange(start, end), replacement: aggregate)
  }

  private func isSimple(_ token: Token) -> Bool {
    switch token.kind {
    case .string, .integer, .decimal, .formatArgument, .dollarArgument, .colonArgument: true
    case .word: token.keyword == nil
    default: false
    }
  }

  private static let methodOperators = Comparator.written(for: \.methods).mapValues(\.written)

  private static let methodFunctions = [
    "lowercased": "lowercase", "lower": "lowercase", "tolowercase": "lowercase", "uppercased": "uppercase",
    "upper": "uppercase", "touppercase": "uppercase", "length": "length", "abs": "abs", "magnitude": "abs",
    "rounded": "round",
  ]

  private static let methodAggregates = ["count": "@count", "size": "@count"]

  // MARK: Functions

  /// The function of this language that has the written name in other languages, that is the only one with the written
  /// prefix, or that is spelled most similarly.
  func meantFunction(_ written: String) -> String? {
    let lowered = written.lowercased()
    if let other = Self.otherFunctionNames[lowered] { return other }
    let functions = FunctionTable.all.map(\.name)
    // Only functions are completed, not constructs: 'sub(a, b)' is not meant to be SUBQUERY.
    let beginning = lowered.utf8.count < 3 ? [] : functions.filter { $0.lowercased().hasPrefix(lowered) }
    if beginning.count == 1 { return beginning.first }
    let own = (functions + FunctionTable.constructs).map { (spelling: $0, meaning: $0) }
    return Suggestion.nearest(
      to: written, of: own + Self.otherFunctionNames.map { (spelling: $0.key, meaning: $0.value) })
  }

  /// Advice for a function without a counterpart.
  func functionAdvice(_ written: String) -> String? {
    switch written.lowercased() {
    case "concat_ws": "write the separator between the texts: 'concat(a, ', ', b)'"
    case "instr", "charindex", "position", "locate": Self.searchOperators + " and LIKE look inside a text"
    case "substr", "mid", "left", "right":
      "'substring(a, 0, 3)' is the first three characters: positions are counted from 0, like those of elements"
    case "nullif": "write 'TERNARY(a == b, nil, a)'"
    case "date_trunc", "datetrunc", "date_bin", "strftime", "date_format", "to_char":
      "'bucket(time, 'day')' is the start of the day; year, month, day, weekday, hour, minute and second are its parts"
    case "percentile", "quantile", "percentile_cont", "percentile_disc", "approx_quantile":
      "write it after the path of a collection, or before that of a group's property: '@percentile(0.9).x'"
    case "exists": "'tasks.@count > 0' asks whether there are any, 'name != nil' whether there is a value"
    case "sub", "subtract", "minus", "add", "plus", "mul", "multiply", "times", "div", "divide":
      "numbers are computed by signs: 'a - b', 'a + b', 'a * b', 'a / b'"
    case "ltrim", "rtrim": "'trim(a)' leaves out the white space at both ends"
    default: nil
    }
  }

  private static let searchOperators = Comparator.stringOperators.filter { $0 != .like && $0 != .matches }
    .map(\.rawValue).joined(separator: ", ")

  /// The functions by their names in other languages. Where that of an aggregate is also one of a function of one value,
  /// as `length`, the latter is meant.
  private static let otherFunctionNames = otherNames.merging(
    FunctionTable.aggregates.flatMap { aggregate in
      aggregate.namesElsewhere.filter { FunctionTable.function($0) == nil }.map { ($0, aggregate.name) }
    }
  ) { first, _ in first }

  private static let otherNames = [
    "upper": "uppercase", "lower": "lowercase", "lcase": "lowercase", "ucase": "uppercase", "len": "length",
    "strlen": "length", "char_length": "length", "ceil": "ceiling",
    "pow": "raise:toPower:", "power": "raise:toPower:", "mod": "modulus:by:", "truncate": "trunc", "if": "TERNARY",
    "iif": "TERNARY", "log10": "log", "getdate": "now", "current_timestamp": "now",
    "ifnull": "coalesce", "nvl": "coalesce", "dayofweek": "weekday", "dayofmonth": "day",
    "dist": "distance",
  ]

  /// Reports `ISNULL(x)` as a test of one value.
  mutating func nullTest(_ name: SourceRange) -> ParseFailure? {
    let written = text(name).lowercased()
    guard written == "isnull" || written == "isnil" || written == "isnotnull" else { return nil }
    var ahead = lexer
    var argument = ahead.next()
    if argument.kind == .leftParenthesis { argument = ahead.next() }
    let close = ahead.next()
    let sign = written == "isnotnull" ? "!=" : "=="
    guard isSimple(argument), close.kind == .rightParenthesis else {
      return fail(.isNull, "nil is compared like any value", name, notes: ["write 'x \(sign) nil'"])
    }
    let replacement = "\(text(argument)) \(sign) nil"
    return fail(
      .isNull, "nil is compared like any value", SourceRange(name.lowerBound, close.end),
      fixes: [
        Fix(
          message: "write '\(shortened(replacement))'", range: SourceRange(name.lowerBound, close.end),
          replacement: replacement)
      ])
  }

  // MARK: Statements

  /// Reports a statement, or a clause without its parentheses, at the start of a predicate.
  mutating func checkStart() throws(ParseFailure) {
    guard !isStatement, token.kind == .word else { return }
    var ahead = lexer
    let second = ahead.next()
    switch second.kind {
    case .word where second.keyword == nil && text(second).lowercased() != "is": break
    case .word where second.keyword == .by: break
    case .star:
      // `select * 2 > 5` is arithmetic.
      let third = ahead.next()
      guard third.kind == .word, text(third).lowercased() == "from" else { return }
    default: return
    }
    let word = text(token).uppercased()
    switch word {
    case "SELECT", "WHERE", "FROM", "CREATE", "INSERT", "UPDATE", "DELETE", "DROP", "ALTER": break
    case "SORT", "ORDER":
      reportForeignTails()
      throw ParseFailure()
    default: return
    }
    var fixes: [Fix] = []
    if let start = conditionStart() {
      fixes = [
        Fix(message: "leave all but the condition out", range: SourceRange(token.start, start), replacement: "")
      ]
    }
    isAborted = true
    throw fail(
      .unexpectedClause, "a predicate is only the condition, without \(word)", token.range,
      notes: word == "CREATE" || word == "DROP" || word == "ALTER"
        ? ["indexes and properties are declared in the schema"] : [], fixes: fixes)
  }

  /// The start of the condition after WHERE, if only a condition follows.
  private func conditionStart() -> Int? {
    var ahead = lexer
    var token = token
    while token.kind != .end {
      let next = ahead.next()
      if token.kind == .word, text(token).uppercased() == "WHERE" { return next.kind == .end ? nil : next.start }
      token = next
    }
    return nil
  }

  /// Reports `ORDER BY a DESC LIMIT 10` after a predicate, each clause with its form in this language. Returns false if
  /// the current words are not such clauses.
  @discardableResult
  mutating func reportForeignTails() -> Bool {
    var found = false
    while token.kind == .word, let name = Self.tailNames[text(token).lowercased()], !startsTail {
      found = true
      let word = token
      let start = token.start
      advance()
      if token.kind == .word, text(token).lowercased() == "by" { advance() }
      let argument = token.start
      while token.kind != .end, token.kind != .semicolon,
        !(token.kind == .word && Self.tailNames[text(token).lowercased()] != nil)
      {
        advance()
      }
      let range = SourceRange(start, max(lastEnd, word.end))
      let replacement = "\(name)(\(text(argument, lastEnd)))"
      report(
        .unexpectedClause,
        text(word).uppercased() == name
          ? "the argument of \(name) after a predicate stands in parentheses"
          : "\(text(word).uppercased()) is written \(name)(…) after a predicate", word.range,
        fixes: lastEnd > argument
          ? [Fix(message: "write '\(shortened(replacement))'", range: range, replacement: replacement)] : [])
      if isAborted { return true }
    }
    return found
  }

  private static let tailNames = [
    "filter": "FILTER", "order": "SORT", "sort": "SORT", "sorted": "SORT", "distinct": "DISTINCT", "limit": "LIMIT",
    "offset": "OFFSET",
  ]
}
