import Diagnostics
import Values

/// Operators of other languages in the position of a comparison operator. Each is reported and replaced by its
/// counterpart, so that the rest of the text is parsed too.
extension Parser {
  /// The meaning of a foreign word or sign.
  enum Foreign {
    /// An operator that is written otherwise here.
    case spelling(Comparator, written: String)
    /// `IS`, whose meaning depends on the next word.
    case identity
    /// An operator without a counterpart, with advice.
    case refused(String)
  }

  /// The meaning of the current word, which is not a keyword, between two values.
  func foreignComparator(after left: Node) -> Foreign? {
    guard case .value = left else { return nil }
    let word = text(token)
    if let (comparator, written) = phrase()?.meant ?? Self.foreignNames[word.lowercased()] {
      return .spelling(comparator, written: written)
    }
    if let known = Self.foreignWords[word.lowercased()] { return known }
    if word.uppercased().hasPrefix("UTI") { return Self.noUTI }
    // A misspelt operator has an operand after it; a stray word seldom does.
    guard let nearest = Suggestion.nearest(to: word, among: Self.wordOperators),
      startsOperandNext(orName: word.utf8.count > 3)
    else { return nil }
    return Keyword(spelling: nearest)?.comparator.map { .spelling($0, written: $0.rawValue) }
  }

  /// The operator that the current word and the next one form, such as STARTS WITH, and its end.
  private func phrase() -> (meant: (comparator: Comparator, written: String), end: Int)? {
    guard token.kind == .word else { return nil }
    var ahead = lexer
    let next = ahead.next()
    guard next.kind == .word else { return nil }
    return Self.foreignNames["\(text(token)) \(text(next))".lowercased()].map { ($0, next.end) }
  }

  private static let foreignNames = Comparator.written(for: \.between)

  private func startsOperandNext(orName: Bool) -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .word: return orName && (next.keyword == nil || next.keyword?.isValue == true)
    case .string, .integer, .decimal, .formatArgument, .dollarArgument, .colonArgument, .leftBrace, .leftBracket,
      .smartString, .date, .timestamp:
      return true
    default: return false
    }
  }

  private static let wordOperators = Comparator.allCases.map(\.rawValue).filter {
    $0.utf8.allSatisfy(Lexer.continuesWord)
  }

  private static let noUTI = Foreign.refused("there are no uniform type identifiers here; compare texts instead")

  /// The advice for other languages' pattern operators, which search in a string; MATCHES applies to the whole string.
  static let patternAdvice =
    "MATCHES takes a regular expression for the whole text; for a part of it write MATCHES '.*a.*', or CONTAINS 'a'"

  private static let foreignWords: [String: Foreign] = [
    "is": .identity, "regexp": .refused(patternAdvice), "regex": .refused(patternAdvice),
    "rlike": .refused(patternAdvice),
    "tokenmatches": .refused("there is no matching by tokens; TEXT searches words, and MATCHES takes a pattern"),
  ]

  /// Whether the current NOT precedes a comparison operator: `x NOT IN …`.
  var isNegatedComparator: Bool {
    var ahead = lexer
    let next = ahead.next()
    return next.kind == .word && next.keyword?.comparator != nil
  }

  /// The precedence of a sign beyond ASCII that looks like a comparison operator.
  var lookalikeLevel: Int {
    switch lexer.scalar(token.start).value {
    case "\u{2264}", "\u{2265}", "\u{2260}", "\u{2208}": Level.comparison
    default: Level.nothing
    }
  }

  /// Consumes the foreign operator and returns its replacement.
  mutating func takeForeignComparator(
    after left: ExpressionSyntax
  ) throws(ParseFailure) -> (Comparator, SourceRange, isNegated: Bool) {
    let symbol = token
    let written = text(symbol)
    switch symbol.kind {
    case .foreignOperator:
      if written == "~=" {
        report(
          .unknownOperator, "'~=' is not an operator", symbol.range,
          notes: ["LIKE has wildcards, MATCHES takes a regular expression"])
        advance()
        return (.like, symbol.range, false)
      }
      let comparator = written == "!==" ? Comparator.notEqual : .equal
      return takeSpelling(comparator, written: comparator.rawValue)
    case .invalid:
      let comparator: Comparator =
        switch lexer.scalar(symbol.start).value {
        case "\u{2264}": .lessOrEqual
        case "\u{2265}": .greaterOrEqual
        case "\u{2260}": .notEqual
        default: .isIn
        }
      return takeSpelling(comparator, written: comparator.rawValue)
    case .assignment:
      throw fail(
        .unsupportedOperator, "a predicate assigns nothing", symbol.range,
        fixes: [Fix(message: "to compare, write '=='", range: symbol.range, replacement: "==")])
    case .word where symbol.keyword == .not: return takeNegatedComparator(after: left)
    default: break
    }
    switch foreignComparator(after: .value(left)) {
    case .spelling(let comparator, let meant):
      if written.lowercased().hasSuffix("null") { return takeNullTest(symbol.range, comparator) }
      return takeSpelling(comparator, written: meant)
    case .identity: return takeIdentity()
    case .refused(let why):
      var end = symbol.end
      while Lexer.continuesWord(lexer.byte(end)) || lexer.byte(end) == UInt8(ascii: "-") { end += 1 }
      let whole = SourceRange(symbol.start, end)
      throw fail(.unsupportedOperator, "there is no operator '\(shortened(text(whole)))'", whole, notes: [why])
    case nil: throw unexpected("expected an operator, found \(describe(symbol))")
    }
  }

  private mutating func takeSpelling(
    _ comparator: Comparator, written meant: String
  ) -> (Comparator, SourceRange, isNegated: Bool) {
    let end = phrase()?.end ?? token.end
    let range = SourceRange(token.start, end)
    report(
      .unknownOperator, "'\(shortened(text(range)))' is not an operator", range,
      fixes: [Fix(message: "write '\(meant)'", range: range, replacement: meant)])
    if token.end < end { advance() }
    advance()
    return (comparator, range, false)
  }

  /// `x ISNULL`, `x NOTNULL`: they have no right side, so a nil is inserted.
  private mutating func takeNullTest(
    _ range: SourceRange, _ comparator: Comparator
  ) -> (Comparator, SourceRange, isNegated: Bool) {
    reportNull(range, comparator)
    token = Token(kind: .word, keyword: .nil, flag: false, start: token.end, end: token.end)
    return (comparator, range, false)
  }

  /// `IS NULL`, `IS NOT NULL`, `IS x`.
  private mutating func takeIdentity() -> (Comparator, SourceRange, isNegated: Bool) {
    let start = token.start
    advance()
    let comparator: Comparator = take(.not) ? .notEqual : .equal
    if at(.nil) || at(.null) {
      reportNull(SourceRange(start, token.end), comparator)
      return (comparator, SourceRange(start, lastEnd), false)
    }
    let range = SourceRange(start, lastEnd)
    if token.kind == .word, text(token).lowercased() == "empty" {
      let isNegated = comparator == .notEqual
      report(
        .unknownOperator, "'\(text(range)) \(text(token))' is not an operator", SourceRange(start, token.end),
        notes: [
          "whether there are \(isNegated ? "any" : "none") is '.@count \(isNegated ? ">" : "==") 0' after the path"
        ])
      return (comparator, range, false)
    }
    report(
      .unknownOperator, "'\(text(range))' is not an operator", range,
      fixes: [Fix(message: "write '\(comparator.rawValue)'", range: range, replacement: comparator.rawValue)])
    return (comparator, range, false)
  }

  private mutating func reportNull(_ range: SourceRange, _ comparator: Comparator) {
    let replacement = "\(comparator.rawValue) nil"
    report(
      .isNull, "nil is compared like any value", range,
      fixes: [Fix(message: "write '\(replacement)'", range: range, replacement: replacement)])
  }

  /// `x NOT IN {…}`
  private mutating func takeNegatedComparator(
    after left: ExpressionSyntax
  ) -> (Comparator, SourceRange, isNegated: Bool) {
    let not = token.range
    advance()
    let range = SourceRange(not.lowerBound, token.end)
    let comparator = token.keyword?.comparator ?? .isIn
    let replacement = "NOT \(text(left.range)) \(comparator.rawValue)"
    let whole = left.range.union(token.range)
    report(
      .negatedOperator, "NOT goes before the whole comparison", range,
      fixes: [Fix(message: "write '\(shortened(replacement)) …'", range: whole, replacement: replacement)])
    advance()
    return (comparator, range, true)
  }

  // MARK: %

  /// Whether the current `%b`, after a value, is meant as a modulus.
  func isModulus(_ left: Node) -> Bool {
    guard case .value = left else { return false }
    return lexer.byte(token.start + 1) != UInt8(ascii: "@") && lexer.byte(token.start + 1) != UInt8(ascii: "K")
  }

  /// Reports `a % b` and replaces it by `modulus:by:(a, b)`.
  mutating func modulus(
    _ first: ExpressionSyntax, _ steps: [ArithmeticStep], from start: Int
  ) throws(ParseFailure) -> ExpressionSyntax {
    let left = steps.isEmpty ? first : try expression(.arithmetic(first, steps), from: start)
    let symbol = SourceRange(token.start, token.start + 1)
    // `%b` was read as one token: the part after the sign is read again, as a value.
    lexer.position = symbol.upperBound
    lastEnd = symbol.upperBound
    token = lexer.next()
    let right = try value(of: try parse(Level.operand))
    let whole = left.range.union(right.range)
    let replacement = "modulus:by:(\(text(left.range)), \(text(right.range)))"
    report(
      .percentModulus, "'%' is for arguments, never for the remainder", symbol,
      fixes: [Fix(message: "write '\(shortened(replacement))'", range: whole, replacement: replacement)])
    return try expression(.call("modulus:by:", [left, right]), from: start)
  }
}
