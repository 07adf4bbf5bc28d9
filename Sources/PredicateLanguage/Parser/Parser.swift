import Diagnostics
import Values

/// Thrown inside the parser after a diagnostic has been recorded; never leaves the parser.
struct ParseFailure: Error {}

/// The result of a production. A predicate is never an operand of a comparison or of arithmetic.
enum Node {
  case value(ExpressionSyntax)
  case predicate(PredicateSyntax)
  /// A part with a reported error. It fits everywhere, so that one mistake gives one error.
  case broken

  var range: SourceRange? {
    switch self {
    case .value(let expression): expression.range
    case .predicate(let predicate): predicate.range
    case .broken: nil
    }
  }
}

/// A precedence-climbing parser with one token of lookahead: its state, and the methods that all productions use.
///
/// The productions are in extensions, one family in each file. The parser does not depend on a schema. It never
/// backtracks, so its time is linear in the length of the text.
struct Parser {
  /// The maximum number of errors reported for one text.
  static let mostDiagnostics = 20

  /// Operator precedence, loosest first. Arithmetic continues above `comparison` by `BinaryOperator.precedence`.
  enum Level {
    static let nothing = 0
    static let or = 1
    static let and = 2
    static let not = 3
    static let comparison = 5
    static let arithmetic = 6
    static let operand = 14
  }

  var lexer: Lexer
  /// The current token.
  var token: Token
  /// The end of the token before the current one.
  var lastEnd = 0
  /// Whether the text is a statement, whose clauses end a predicate.
  let isStatement: Bool
  /// Whether a statement may leave its entity out.
  var hasDefaultEntity = false
  /// The names in examples; nil for those of the documentation.
  var storeExample: StatementExample?
  var example: StatementExample { storeExample ?? .documented }
  var diagnostics: [Diagnostic] = []
  /// Whether parsing cannot continue.
  var isAborted = false
  var nodes = 0
  var nesting = 0
  /// The number of open brackets, for error recovery.
  var openBrackets = 0
  /// The number of `%@` and similar placeholders so far.
  var formatArguments = 0
  /// Variables of the SUBQUERYs around.
  var variables: [String] = []
  /// Whether string literals are patterns of LIKE or MATCHES, where unknown escapes keep their backslash.
  var readsPatterns = false
  /// Whether the current operand is the right side of IN or BETWEEN, where brackets are probably meant as a list.
  var acceptsBrackets = false
  /// How many brackets are open around the key of a sort or section in hand, which options may follow.
  var bracketsOfKey: Int?
  /// Whether string literals are JSON, where a slash may be escaped.
  var readsJSON = false

  init(_ bytes: UnsafePointer<UInt8>, count: Int, isStatement: Bool, interruption: ParseInterruption? = nil) {
    lexer = Lexer(bytes, count: count, allowsComments: isStatement, interruption: interruption)
    self.isStatement = isStatement
    token = lexer.next()
  }

  /// Consumes the current token and reads the next one.
  @inline(__always)
  mutating func advance() {
    switch token.kind {
    case .leftParenthesis, .leftBracket, .leftBrace: openBrackets += 1
    case .rightParenthesis, .rightBracket, .rightBrace: openBrackets -= 1
    default: break
    }
    lastEnd = token.end
    token = lexer.next()
  }

  /// Consumes the current token if it has the given kind.
  @inline(__always)
  mutating func take(_ kind: Token.Kind) -> Bool {
    guard token.kind == kind else { return false }
    advance()
    return true
  }

  /// Whether the token in hand is that keyword.
  @inline(__always)
  func at(_ keyword: Keyword) -> Bool { token.kind == .word && token.keyword == keyword }

  /// Consumes the current token if it is the given keyword.
  mutating func take(_ keyword: Keyword) -> Bool {
    guard at(keyword) else { return false }
    advance()
    return true
  }

  /// The source text of a range.
  func text(_ start: Int, _ end: Int) -> String {
    guard start < end, end <= lexer.count else { return "" }
    lexer.count(end - start)
    return String(decoding: UnsafeBufferPointer(start: lexer.bytes + start, count: end - start), as: UTF8.self)
  }

  func text(_ range: SourceRange) -> String { text(range.lowerBound, range.upperBound) }

  func text(_ token: Token) -> String { text(token.start, token.end) }

  // MARK: Nodes

  /// An expression from `start` to the last consumed token.
  @inline(__always)
  mutating func expression(_ kind: ExpressionSyntax.Kind, from start: Int) throws(ParseFailure) -> ExpressionSyntax {
    try countNode()
    return ExpressionSyntax(kind, range: SourceRange(start, lastEnd))
  }

  /// A predicate from `start` to the last consumed token.
  @inline(__always)
  mutating func predicate(_ kind: PredicateSyntax.Kind, from start: Int) throws(ParseFailure) -> PredicateSyntax {
    try countNode()
    return PredicateSyntax(kind, range: SourceRange(start, lastEnd))
  }

  @inline(__always)
  mutating func countNode() throws(ParseFailure) {
    nodes += 1
    lexer.count(1)
    if nodes > SyntaxLimits.nodes { try tooManyNodes() }
  }

  @inline(never)
  private mutating func tooManyNodes() throws(ParseFailure) {
    isAborted = true
    report(SyntaxLimits.tooManyNodes(token.range))
    throw ParseFailure()
  }

  /// Enters a nesting level; callers leave it with `nesting -= 1`.
  @inline(__always)
  mutating func enter() throws(ParseFailure) {
    nesting += 1
    if nesting > SyntaxLimits.nesting { try tooDeep() }
  }

  @inline(never)
  private mutating func tooDeep() throws(ParseFailure) {
    isAborted = true
    report(SyntaxLimits.tooDeep(token.range))
    throw ParseFailure()
  }

  // MARK: Errors

  /// Records a diagnostic.
  @inline(never)
  mutating func report(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) {
    report(Diagnostic(code: code, message: message, range: range, notes: notes, fixes: fixes))
  }

  private mutating func report(_ diagnostic: Diagnostic) {
    // Each position is reported once: consequences of an error are not further errors.
    if let last = diagnostics.last?.range, last == diagnostic.range { return }
    if diagnostics.count >= Self.mostDiagnostics { return }
    diagnostics.append(diagnostic)
    if diagnostics.count >= Self.mostDiagnostics { isAborted = true }
  }

  /// Records a diagnostic; to be thrown.
  @inline(never)
  mutating func fail(
    _ code: DiagnosticCode, _ message: String, _ range: SourceRange, notes: [String] = [], fixes: [Fix] = []
  ) -> ParseFailure {
    report(code, message, range, notes: notes, fixes: fixes)
    return ParseFailure()
  }

  /// A description of the current token: `'foo'`, `the end of the text`.
  func describe(_ token: Token) -> String {
    switch token.kind {
    case .end: "the end of the text"
    default: quoted(text(token))
    }
  }

  /// Whether an expression that is not an operation is in parentheses.
  func isInParentheses(_ expression: ExpressionSyntax) -> Bool {
    let path: PathSyntax? =
      switch expression.kind {
      case .path(let path), .subquery(_, _, _, tail: let path): path
      case .literal, .shape, .placeholder, .unary, .arithmetic, .call, .list, .point, .ternary: nil
      }
    // Those of the share at the end of `(a).@percentile(0.9)` are another pair.
    if let last = path?.steps.last, last.range.upperBound == expression.range.upperBound { return false }
    return lexer.byte(expression.range.lowerBound) == UInt8(ascii: "(")
      && lexer.byte(expression.range.upperBound - 1) == UInt8(ascii: ")")
  }

  /// A string in single quotes for a message; one with its own quotes stays as it is.
  func quoted(_ text: String) -> String {
    let short = shortened(text)
    return short.hasPrefix("'") || short.hasPrefix("\"") ? short : "'" + short + "'"
  }

  /// At most 40 characters of a string that is quoted in a message.
  func shortened(_ text: String) -> String { text.count <= 40 ? text : text.prefix(39) + "…" }

  /// Consumes a closing bracket, or reports the opening one that lacks it.
  @inline(__always)
  mutating func close(_ kind: Token.Kind, opened: Int) throws(ParseFailure) {
    if token.kind == kind { advance() } else { try unclosed(kind, opened: opened) }
  }

  @inline(never)
  private mutating func unclosed(_ kind: Token.Kind, opened: Int) throws(ParseFailure) {
    let (symbol, name) = Self.words(of: kind)
    // An error within the brackets, up to the end of the text, has already been reported.
    if token.kind == .end, diagnostics.last?.range == token.range { throw ParseFailure() }
    switch token.kind {
    case .rightParenthesis, .rightBracket, .rightBrace:
      throw fail(
        .unclosedBracket, "this \(name) is closed by '\(text(token))'", SourceRange(opened, opened + 1),
        fixes: [Fix(message: "write '\(symbol)'", range: token.range, replacement: symbol)])
    default: break
    }
    guard endsUnclosed else { throw unexpected("expected ',' or '\(symbol)', found \(describe(token))") }
    throw unclosed(kind, opened: opened, at: lastEnd)
  }

  /// Whether an open bracket is never closed here: a condition continues, or the text ends.
  var endsUnclosed: Bool {
    token.kind == .end || at(.and) || at(.or) || token.kind == .ampersandAmpersand || token.kind == .barBar
  }

  /// Whether an open bracket is closed later in the text.
  func isClosedLater() -> Bool {
    var (ahead, token, depth) = (lexer, token, 0)
    while token.kind != .end {
      switch token.kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
      default: break
      }
      if depth < 0 { return true }
      token = ahead.next()
    }
    return false
  }

  /// Reports a bracket that is never closed, and should be at `place`.
  mutating func unclosed(_ kind: Token.Kind, opened: Int, at place: Int) -> ParseFailure {
    let (symbol, name) = Self.words(of: kind)
    let isAtEnd = token.kind == .end && place == lastEnd
    return fail(
      .unclosedBracket, "this \(name) is never closed", SourceRange(opened, opened + 1),
      fixes: [
        Fix(
          message: "write '\(symbol)' \(isAtEnd ? "at the end" : "after \(quoted(textBefore(place)))")",
          range: SourceRange(place, place), replacement: symbol)
      ])
  }

  /// A closing bracket, and the name of the pair.
  private static func words(of kind: Token.Kind) -> (symbol: String, name: String) {
    switch kind {
    case .rightParenthesis: (")", "parenthesis")
    case .rightBracket: ("]", "bracket")
    default: ("}", "brace")
    }
  }

  /// An error about the token in hand, which no rule allows there.
  @inline(never)
  mutating func unexpected(_ message: String, code: DiagnosticCode = .unexpectedToken) -> ParseFailure {
    // An error in the token itself is reported before its position.
    if let failure = malformed(token) { return failure }
    return fail(code, message, token.range)
  }
}
