import Diagnostics
import Values

/// Precedence climbing over all operators, from OR up to `**`.
extension Parser {
  /// Parses a value or a predicate whose operators bind at least as tightly as `minimum`.
  mutating func parse(_ minimum: Int) throws(ParseFailure) -> Node {
    let start = token.start
    var left = minimum <= Level.and ? try recovering() : try prefix(minimum)
    while true {
      let level = infixLevel(after: left)
      if level == Level.nothing || level < minimum { return left }
      switch level {
      case Level.or, Level.and: left = try junction(left, level, from: start)
      case Level.comparison: left = .predicate(try comparison(left, quantifier: nil, from: start))
      default: left = .value(try arithmetic(left, level, from: start))
      }
    }
  }

  /// The precedence of the current token as an operator; `Level.nothing` if it is not one.
  func infixLevel(after left: Node) -> Int {
    switch token.kind {
    case .end, .rightParenthesis, .comma, .rightBrace, .rightBracket, .semicolon: Level.nothing
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .foreignOperator, .assignment:
      Level.comparison
    case .ampersandAmpersand: Level.and
    case .barBar: Level.or
    case .bar: Level.arithmetic
    case .caret: Level.arithmetic + 1
    case .ampersand: Level.arithmetic + 2
    case .shiftLeft, .shiftRight: Level.arithmetic + 3
    case .plus, .minus: Level.arithmetic + 4
    case .star, .slash, .percent: Level.arithmetic + 5
    case .starStar: Level.arithmetic + 6
    case .bang: isRunTogether ? Level.comparison : Level.nothing
    case .formatArgument: isModulus(left) ? Level.arithmetic + 5 : Level.nothing
    case .word: wordLevel(after: left)
    case .invalid: lookalikeLevel
    default: Level.nothing
    }
  }

  private func wordLevel(after left: Node) -> Int {
    switch token.keyword {
    case .and: Level.and
    case .or: Level.or
    case .some(let keyword) where keyword.comparator != nil: Level.comparison
    case .not: isNegatedComparator ? Level.comparison : Level.nothing
    case nil: foreignComparator(after: left) == nil ? Level.nothing : Level.comparison
    default: Level.nothing
    }
  }

  // MARK: AND, OR

  /// Parses `left AND … AND …` to a single node.
  private mutating func junction(_ left: Node, _ level: Int, from start: Int) throws(ParseFailure) -> Node {
    // After an error on the left, a missing right side is not a second error.
    if case .broken = left, endsAfterToken() {
      advance()
      return .broken
    }
    var operands: [PredicateSyntax] = []
    operands.reserveCapacity(4)
    append(try predicate(of: left), level, &operands)
    while infixLevel(after: .broken) == level {
      advance()
      // An operand of OR may be a chain of AND, but not the reverse.
      let operandStart = token.start
      var operand = try recovering()
      if level == Level.or {
        while infixLevel(after: operand) == Level.and { operand = try junction(operand, Level.and, from: operandStart) }
      }
      append(try predicate(of: operand), level, &operands)
    }
    return .predicate(try predicate(level == Level.and ? .and(operands) : .or(operands), from: start))
  }

  private func endsAfterToken() -> Bool {
    var ahead = lexer
    return ahead.next().kind == .end
  }

  /// Appends an operand. Chains of one operator are flattened, even in parentheses.
  private func append(_ operand: PredicateSyntax, _ level: Int, _ operands: inout [PredicateSyntax]) {
    switch operand.kind {
    case .and(let inner) where level == Level.and: operands += inner
    case .or(let inner) where level == Level.or: operands += inner
    default: operands.append(operand)
    }
  }

  /// Parses an operand of AND or OR. After an error it continues at the next AND, OR, closing bracket or clause.
  mutating func recovering() throws(ParseFailure) -> Node {
    let brackets = openBrackets
    let depth = (nesting, variables.count, readsPatterns)
    do {
      let node = try parse(Level.not)
      if try checkStray(after: node) { return node }
    } catch {
      if isAborted { throw error }
    }
    (nesting, readsPatterns) = (depth.0, depth.2)
    variables.removeLast(variables.count - depth.1)
    skip(toBracketDepth: brackets)
    return .broken
  }

  private mutating func skip(toBracketDepth depth: Int) {
    while token.kind != .end, token.kind != .semicolon {
      if openBrackets <= depth {
        switch token.kind {
        case .ampersandAmpersand, .barBar, .rightParenthesis, .rightBracket, .rightBrace, .comma: return
        case .word:
          switch token.keyword {
          case .and, .or: return
          case .some(let keyword) where isStatement && keyword.startsClause: return
          default: break
          }
        default: break
        }
      }
      advance()
    }
  }

  // MARK: Kinds of node

  /// The node as a predicate; a boolean value alone means `== TRUE`.
  mutating func predicate(of node: Node) throws(ParseFailure) -> PredicateSyntax {
    switch node {
    case .predicate(let predicate): return predicate
    case .broken: return PredicateSyntax(.constant(true))
    case .value(let value):
      switch value.kind {
      case .path, .ternary, .literal(.bool): break
      // A signed word can be a property's name, but its negation is not a condition.
      case .literal(let literal) where value.word != nil && literal != .double(-.infinity): break
      case .placeholder(.named(let name)): return PredicateSyntax(.named(name), range: value.range)
      case .placeholder:
        report(
          .placeholderAsPredicate, "'\(text(value.range))' cannot stand for a whole predicate", value.range,
          notes: ["an argument is a value: write 'property == \(text(value.range))', or join predicates as trees"])
      default:
        reportNoCondition(value)
      }
      try countNode()
      return PredicateSyntax(.truth(value), range: value.range)
    }
  }

  /// The node as a value.
  mutating func value(of node: Node, _ place: NeededPlace = .here) throws(ParseFailure) -> ExpressionSyntax {
    switch node {
    case .value(let value): return value
    case .broken: return ExpressionSyntax(.literal(.null))
    case .predicate(let predicate):
      // If no condition is allowed here, the word is a property's name.
      if let name = predicate.named { return name }
      throw fail(
        .predicateAsValue,
        "'\(shortened(text(predicate.range)))' is a condition, and a value is needed \(words(place))",
        predicate.range,
        notes: ["a condition cannot be compared or computed with; TERNARY(p, a, b) makes a value of it"])
    }
  }

  /// The position of a missing value, for the error message.
  enum NeededPlace {
    case here
    case before(SourceRange)
    case after(SourceRange)
  }

  private func words(_ place: NeededPlace) -> String {
    switch place {
    case .here: "here"
    case .before(let range): "before '\(text(range))'"
    case .after(let range): "after '\(text(range))'"
    }
  }

  /// Parses a value whose operators bind at least as tightly as `level`.
  mutating func value(_ level: Int = Level.nothing) throws(ParseFailure) -> ExpressionSyntax {
    try value(of: try parse(level))
  }

  /// Parses a whole predicate.
  mutating func condition() throws(ParseFailure) -> PredicateSyntax {
    try predicate(of: try parse(Level.nothing))
  }

  // MARK: Arithmetic

  /// Parses `left + a - b` to one node for operators of the same precedence.
  private mutating func arithmetic(_ left: Node, _ level: Int, from start: Int) throws(ParseFailure)
    -> ExpressionSyntax
  {
    var first = try value(of: left, .before(token.range))
    var steps: [ArithmeticStep] = []
    try enter()
    while infixLevel(after: .value(first)) == level {
      let symbol = token
      guard let operation = binaryOperator(symbol.kind) else {
        first = try modulus(first, steps, from: start)
        steps = []
        continue
      }
      // `(a - b) + c` is the chain `a - b + c`, parentheses or not.
      if steps.isEmpty, case .arithmetic(let inner, let before) = first.kind,
        before.last?.operation.precedence == operation.precedence
      {
        (first, steps) = (inner, before)
      }
      advance()
      let operand = try value(of: try parse(level + 1), .after(symbol.range))
      steps.append(ArithmeticStep(operation, range: symbol.range, operand))
      try countNode()
    }
    nesting -= 1
    return steps.isEmpty ? first : try expression(.arithmetic(first, steps), from: start)
  }

  private func binaryOperator(_ kind: Token.Kind) -> BinaryOperator? {
    switch kind {
    case .plus: .add
    case .minus: .subtract
    case .star: .multiply
    case .slash: .divide
    case .starStar: .power
    case .shiftLeft: .shiftLeft
    case .shiftRight: .shiftRight
    case .ampersand: .bitAnd
    case .bar: .bitOr
    case .caret: .bitXor
    default: nil
    }
  }
}
