/// Decides whether a keyword is a property's name, by the tokens that follow.
///
/// The decision must be made when the word is read, from a few tokens, so that parsing is linear. If they leave it
/// open, the word is a keyword, and a name must be written `#not`.
extension Parser {
  /// Whether the current reserved word, at the start of an operand, is a property's name.
  func isName(_ keyword: Keyword) -> Bool {
    var ahead = lexer
    let next = ahead.next()
    switch keyword {
    case .this: return false
    case .isTrue, .yes, .isFalse, .no, .nil, .null, .inf, .infinity, .nan, .truePredicate, .falsePredicate:
      // Alone the word is a constant, or the property with this name if there is one.
      return next.kind == .dot || next.kind == .leftBracket
    case .not, .any, .some, .all, .none: return namesPrefix(next, ahead)
    default: return !isOperandOnly(next, after: keyword)
    }
  }

  /// Whether a token can only be the right side of an operator, so that the word before the operator is its left side.
  private func isOperandOnly(_ next: Token, after keyword: Keyword) -> Bool {
    switch next.kind {
    case .string, .smartString, .base64String, .integer, .decimal, .date, .timestamp, .leftParenthesis, .leftBrace,
      .formatArgument, .dollarArgument, .colonArgument, .tilde, .selector, .escapedName, .quotedName,
      .collectionOperator:
      return true
    case .word:
      guard let word = next.keyword else { return !Self.units.contains(text(next).lowercased()) }
      if word.startsClause || word.comparator != nil { return false }
      switch word {
      case .and, .or, .ascending, .ascendingInFull, .descending, .descendingInFull, .as: return false
      case .not: return keyword.comparator == nil
      default: return true
      }
    default: return false
    }
  }

  /// Whether NOT or a quantifier is a name: the following tokens are nothing that it could apply to.
  private func namesPrefix(_ next: Token, _ lexer: Lexer) -> Bool {
    var ahead = lexer
    switch next.kind {
    case .dot: return true
    case .leftBracket: return isPlainIndex(&ahead)
    case .word:
      guard let word = next.keyword else { return false }
      if word.startsClause { return beginsClause(word, ahead) }
      return (word.comparator != nil || word == .and || word == .or) && isInUse(&ahead)
    default: return endsOperand(next)
    }
  }

  /// Whether an operator, a closing bracket, a comma or the end follows an operand. A `-` may be a sign instead.
  private func endsOperand(_ next: Token) -> Bool {
    switch next.kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .foreignOperator, .plus, .star, .slash,
      .starStar, .shiftLeft, .shiftRight, .ampersand, .bar, .caret, .ampersandAmpersand, .barBar, .rightParenthesis,
      .rightBracket, .rightBrace, .comma, .semicolon, .end:
      true
    default: false
    }
  }

  /// Whether the operator just passed has an operand, and so is not a name.
  private func isInUse(_ lexer: inout Lexer) -> Bool {
    let next = lexer.next()
    guard next.kind == .word else { return next.kind != .dot && !endsOperand(next) }
    guard let word = next.keyword else { return true }
    if word.startsClause { return !beginsClause(word, lexer) }
    return word.comparator == nil && word != .and && word != .or
  }

  /// `0]`, `'key']`, `FIRST]`: an index. A point has two values.
  private func isPlainIndex(_ lexer: inout Lexer) -> Bool {
    let index = lexer.next()
    switch index.kind {
    case .integer where !index.flag: break
    case .string: break
    case .word where index.keyword == .first || index.keyword == .last || index.keyword == .size: break
    default: return false
    }
    return lexer.next().kind == .rightBracket
  }

  /// Whether a clause begins with a word that has just been passed.
  private func beginsClause(_ keyword: Keyword, _ lexer: Lexer) -> Bool {
    var ahead = lexer
    let next = ahead.next()
    if opensClause(keyword, next) { return true }
    switch keyword {
    case .where, .having, .select, .distinct: break
    default: return false
    }
    switch next.kind {
    case .dot, .minus, .leftBracket: return false
    case .word:
      guard let word = next.keyword else { return true }
      switch word {
      case .where, .having, .select, .distinct, .and, .or: return false
      default: return word.comparator == nil && !opensClause(word, ahead.next())
      }
    default: return !endsOperand(next)
    }
  }

  /// Whether a word and the next token can only begin a clause or tail.
  private func opensClause(_ keyword: Keyword, _ next: Token) -> Bool {
    switch keyword {
    case .filter, .distinct: next.kind == .leftParenthesis
    case .sort: next.kind == .leftParenthesis || next.kind == .word && next.keyword == .by
    case .group, .sections: next.kind == .word && next.keyword == .by
    case .limit, .offset:
      switch next.kind {
      case .integer, .leftParenthesis, .formatArgument, .dollarArgument, .colonArgument: true
      default: false
      }
    default: false
    }
  }

  /// Parses NOT or a quantifier as a name if a direction or AS follows, which come after whole values only.
  mutating func nameBefore(_ isEnd: (Keyword) -> Bool) throws(ParseFailure) -> ExpressionSyntax? {
    guard at(.not) || token.kind == .word && quantifier(token.keyword) != nil else { return nil }
    var ahead = lexer
    let next = ahead.next()
    guard next.kind == .word, let word = next.keyword, isEnd(word) else { return nil }
    return try path(from: token.start)
  }

  /// Whether the keyword in hand is a property's name: an operator, a dot or a closing bracket follows it.
  func isNameByContext() -> Bool {
    guard token.kind == .word, let keyword = token.keyword, !keyword.isValue else { return false }
    var ahead = lexer
    let next = ahead.next()
    switch next.kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .foreignOperator, .dot: return true
    case .word where next.keyword?.comparator != nil:
      // `ANY text CONTAINS 'x'`: the word after is itself a name if it stands before an operator.
      return startsOperand(after: &ahead)
    default: break
    }
    if keyword == .truePredicate || keyword == .falsePredicate { return false }
    switch next.kind {
    case .plus, .star, .slash, .starStar, .shiftLeft, .shiftRight, .ampersand, .bar, .caret, .ampersandAmpersand,
      .barBar, .rightParenthesis, .rightBracket, .rightBrace, .comma:
      return true
    case .end, .semicolon: return keyword.comparator != nil
    case .minus, .leftBracket: return keyword.comparator != nil
    case .word: return next.keyword == .and || next.keyword == .or
    default: return false
    }
  }

  /// Whether the next token may start an operand, so that the word before it is an operator.
  private func startsOperand(after lexer: inout Lexer) -> Bool {
    let next = lexer.next()
    switch next.kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .dot, .plus, .star, .slash, .starStar,
      .shiftLeft, .shiftRight, .ampersand, .bar, .caret, .ampersandAmpersand, .barBar, .rightParenthesis,
      .rightBracket, .rightBrace, .comma, .semicolon, .end:
      return false
    case .word: return next.keyword?.comparator == nil && next.keyword != .and && next.keyword != .or
    default: return true
    }
  }
}

extension PredicateSyntax {
  /// The property that this constant names if it was written as a word; nil otherwise.
  package var named: ExpressionSyntax? {
    word.map { word in
      ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.name(word), range: range)])), range: range)
    }
  }
}

extension ExpressionSyntax {
  /// The property that this literal names if it was written as a word; nil otherwise.
  package var named: ExpressionSyntax? {
    guard let word else { return nil }
    let path = ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.name(word), range: range)])), range: range)
    if case .literal(.double(-.infinity)) = kind { return ExpressionSyntax(.unary(.negate, path), range: range) }
    return path
  }
}
