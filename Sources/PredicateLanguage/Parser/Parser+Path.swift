import Diagnostics
import Values

/// Paths: names, indexes and collection operators.
extension Parser {
  /// The path that starts with the token in hand.
  mutating func path(from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    if at(.this) {
      advance()
      return try path(variable: nil, steps: [], from: start)
    }
    return try path(variable: nil, steps: [try step()], from: start)
  }

  /// Parses the rest of a path whose first `steps` have been parsed.
  mutating func path(
    variable: String?, steps: [PathSyntax.Step], from start: Int
  ) throws(ParseFailure) -> ExpressionSyntax {
    var path = PathSyntax(variable: variable, steps: steps)
    try continuePath(&path)
    return try expression(.path(path), from: start)
  }

  /// Reads `.name`, `[index]` and so on for as long as there are any.
  mutating func continuePath(_ path: inout PathSyntax) throws(ParseFailure) {
    while true {
      switch token.kind {
      case .dot:
        advance()
        path.steps.append(try step())
      case .leftBracket:
        if startsKeyOptions { return }
        if let failure = misspeltKeyOption() { throw failure }
        path.steps.append(try index())
      default: return
      }
    }
  }

  /// A name, escaped or not, a name argument, or a collection operator.
  private mutating func step() throws(ParseFailure) -> PathSyntax.Step {
    if let argument = try keyArgument() { return argument }
    let step = token
    let kind: PathSyntax.Step.Kind
    switch step.kind {
    case .word: kind = .name(text(step))
    case .escapedName: kind = .name(text(step.start + 1, step.end))
    case .quotedName: kind = .name(string(step))
    case .selector:
      // `a.b:(…)`: no name has a colon.
      throw unexpected("expected a name, found \(describe(step))", code: .expectedName)
    case .collectionOperator where text(step.start + 1, step.end).lowercased() == "percentile":
      try countNode()
      return try percentile()
    case .collectionOperator: kind = .operation(collectionOperator(step))
    default: throw unexpected("expected a name, found \(describe(step))", code: .expectedName)
    }
    try countNode()
    advance()
    return PathSyntax.Step(kind, range: step.range)
  }

  /// `[i]`, `["key"]`, `[FIRST]`, `[LAST]`, `[SIZE]`.
  private mutating func index() throws(ParseFailure) -> PathSyntax.Step {
    let start = token.start
    advance()
    try enter()
    try countNode()
    let kind: PathSyntax.Step.Kind
    if token.kind == .star, let failure = allElements(from: start) { throw failure }
    if let word = indexWord() {
      advance()
      kind = word
    } else {
      kind = .index(try value())
    }
    nesting -= 1
    try close(.rightBracket, opened: start)
    return PathSyntax.Step(kind, range: SourceRange(start, lastEnd))
  }

  /// Reports `tags[*]`, whose star is the current token: other languages write all elements this way.
  private mutating func allElements(from start: Int) -> ParseFailure? {
    var ahead = lexer
    let end = ahead.next()
    guard end.kind == .rightBracket else { return nil }
    let range = SourceRange(start, end.end)
    return fail(
      .expectedValue, "'[*]' is not an index: a path means all elements by itself", range,
      fixes: [Fix(message: "leave '[*]' out", range: range, replacement: "")])
  }

  private func indexWord() -> PathSyntax.Step.Kind? {
    guard token.kind == .word, let keyword = token.keyword else { return nil }
    var ahead = lexer
    guard ahead.next().kind == .rightBracket else { return nil }
    switch keyword {
    case .first: return .first
    case .last: return .last
    case .size: return .size
    default: return nil
    }
  }

  // MARK: Collection operators

  /// `@percentile(0.9)`
  private mutating func percentile() throws(ParseFailure) -> PathSyntax.Step {
    let start = token.start
    let example = "a percentile is written with its share of the values, from 0 to 1, such as '@percentile(0.9)'"
    advance()
    guard token.kind == .leftParenthesis else {
      throw fail(.wrongArgumentCount, example, SourceRange(start, lastEnd))
    }
    let open = token.start
    advance()
    let number = token
    guard number.kind == .integer || number.kind == .decimal else {
      throw fail(.wrongArgumentCount, example, number.range)
    }
    // Numbers of other bases are whole.
    guard let fraction = Double(text(number).filter { $0 != "_" }) else {
      throw fail(.invalidNumber, "the share of a percentile is from 0 to 1, in decimal digits", number.range)
    }
    advance()
    try close(.rightParenthesis, opened: open)
    let exact = DecimalValue(shortest: fraction)
    if !(0...1 ~= fraction) || exact == nil {
      // 95 is how others write 0.95.
      let meant = 2...100 ~= fraction ? DecimalValue.quotient(exact ?? .zero, DecimalValue(100)) : nil
      report(
        .invalidNumber, "the share of a percentile is from 0 to 1", number.range,
        fixes: meant.map { [Fix(message: "write '\($0)'", range: number.range, replacement: "\($0)")] } ?? [])
    }
    return PathSyntax.Step(
      .operation("percentile(\(0...1 ~= fraction ? exact ?? .zero : .zero))"), range: SourceRange(start, lastEnd))
  }

  /// The canonical name of an `@` operator; an unknown one is reported and replaced by `@count`.
  private mutating func collectionOperator(_ token: Token) -> String {
    let written = text(token.start + 1, token.end)
    if let name = Self.collectionOperators[written.lowercased()] { return name }
    if written.lowercased().hasPrefix("unionof") || written.lowercased().hasPrefix("distinctunionof") {
      report(
        .unknownAggregate, "there is no operator '@\(written)'", token.range,
        notes: ["'@distinctUnionOfObjects' gives the distinct values; several to-many links flatten by themselves"])
      return "count"
    }
    if let advice = Self.foreignMembers[written.lowercased()] {
      report(.unknownAggregate, "there is no operator '@\(written)'", token.range, notes: [advice])
      return "count"
    }
    let nearest = Suggestion.nearest(to: written, of: Self.meantAggregates)
    let operators =
      FunctionTable.aggregates.compactMap(\.collectionOperator) + ["percentile(0.9)"] + Self.otherOperators
    report(
      .unknownAggregate, "there is no operator '@\(shortened(written))'", token.range,
      notes: ["the operators are " + operators.map { "@" + $0 }.joined(separator: " ")],
      fixes: nearest.map { [Fix(message: "write '@\($0)'", range: token.range, replacement: "@\($0)")] } ?? [])
    return nearest ?? "count"
  }

  /// Names that are members in other languages, with their form in this language.
  private static let foreignMembers = [
    "quantile": "a share of the values is '@percentile(0.9)'",
    "percentile_cont": "a share of the values is '@percentile(0.9)'",
    "p90": "it is written '@percentile(0.9)'", "p95": "it is written '@percentile(0.95)'",
    "p99": "it is written '@percentile(0.99)'",
    "first": "the first element is written [FIRST]", "last": "the last element is written [LAST]",
    "empty": "whether there are none is '@count == 0'", "isempty": "whether there are none is '@count == 0'",
    "any": "ANY goes before the path: 'ANY tasks.priority > 3'",
    "all": "ALL goes before the path: 'ALL tasks.priority > 3'",
  ]

  /// The meaning of each spelling, also of exact synonyms in other languages.
  private static let meantAggregates: [(spelling: String, meaning: String)] =
    collectionOperators.map { ($0.key, $0.value) }
    + FunctionTable.aggregates.flatMap { function in
      function.namesElsewhere.map { ($0, function.collectionOperator ?? function.name) }
    }
    + [("unique", "distinctUnionOfObjects"), ("distinct", "distinctUnionOfObjects")]

  /// The operators by their lowercased names, with their other spellings.
  static let collectionOperators: [String: String] = {
    var operators = ["size": "count", "allkeys": "keys", "allvalues": "values"]
    for name in otherOperators { operators[name.lowercased()] = name }
    for function in FunctionTable.aggregates {
      guard let name = function.collectionOperator else { continue }
      operators[function.name] = name
      operators[name] = name
    }
    return operators
  }()

  /// The operators that make no single value of many.
  private static let otherOperators = ["distinctUnionOfObjects", "keys", "values", "type", "links"]
}
