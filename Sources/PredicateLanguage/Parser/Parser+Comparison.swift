import Diagnostics
import Values

/// Comparisons: operator, options, quantifiers, and the two sides.
extension Parser {
  /// Parses the comparison whose left side is `left` and whose operator is the current token.
  mutating func comparison(
    _ left: Node, quantifier: Quantifier?, at quantifierRange: SourceRange = SourceRange(0, 0), from start: Int
  ) throws(ParseFailure) -> PredicateSyntax {
    if let plain = truthOfCondition(left) { return plain }
    let leftValue = try value(of: left, .before(token.range))
    var (comparator, range, isNegated) = try takeComparator(after: leftValue)
    let options = try takeOptions(comparator)
    let rightQuantifierRange = token.range
    let rightQuantifier = try takeRightQuantifier(comparator)
    let wasPattern = readsPatterns
    readsPatterns = comparator == .like || comparator == .matches
    acceptsBrackets = token.kind == .leftBracket && (comparator == .isIn || comparator == .between)
    var right = try value(of: try parse(Level.arithmetic), .after(range))
    readsPatterns = wasPattern
    if isRange {
      right = try self.range(leftValue, range, from: right)
      comparator = .between
    } else if comparator == .isIn, token.kind == .comma, openBrackets == 0, case .literal = right.kind {
      right = try bareList(right)
    }
    switch comparator {
    case .between: right = try bounds(right, of: leftValue)
    case .isIn: right = mendParentheses(mendBrackets(right))
    default: break
    }
    if infixLevel(after: .value(right)) == Level.comparison {
      try chained(leftValue, range, right)
      comparator = .equal
      isNegated = false
    }
    var comparison = ComparisonSyntax(
      quantifier: quantifier, left: leftValue, comparator: comparator, comparatorRange: range, options: options,
      rightQuantifier: rightQuantifier, right: right)
    comparison.quantifierRange = quantifierRange
    if rightQuantifier != nil { comparison.rightQuantifierRange = rightQuantifierRange }
    let positive = try predicate(.comparison(comparison), from: start)
    return isNegated ? PredicateSyntax(.not(positive), range: positive.range) : positive
  }

  /// Consumes the operator. A foreign one is reported and replaced by its probable meaning; `isNegated` states that the
  /// opposite was meant.
  private mutating func takeComparator(
    after left: ExpressionSyntax
  ) throws(ParseFailure) -> (Comparator, SourceRange, isNegated: Bool) {
    if isRunTogether { return takeRunTogether(after: left) }
    let symbol = token
    let comparator: Comparator? =
      switch symbol.kind {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      case .word: symbol.keyword?.comparator
      default: nil
      }
    if let comparator {
      advance()
      return (comparator, symbol.range, false)
    }
    return try takeForeignComparator(after: left)
  }

  /// `[cd]` after an operator.
  private mutating func takeOptions(_ comparator: Comparator) throws(ParseFailure) -> StringOptions {
    guard token.kind == .leftBracket, let (letters, end) = optionLetters() else { return [] }
    let range = SourceRange(token.start, end)
    lexer.position = end
    lastEnd = end
    token = lexer.next()
    var options: StringOptions = []
    for letter in letters {
      let place = SourceRange(letter, letter + 1)
      switch lexer.byte(letter) | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d") where comparator == .matches:
        report(
          .unsupportedOption, "MATCHES cannot leave diacritics out of account", place,
          notes: ["'[c]' is allowed; LIKE[d] compares without diacritics"])
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"): options.insert(.normalized)
      case UInt8(ascii: "l"):
        report(
          .unsupportedOption, "there is no comparison by locale", place,
          notes: ["'[cd]' ignores case and diacritics, the same everywhere"],
          fixes: [Fix(message: "write '[cd]'", range: range, replacement: "[cd]")])
      default:
        report(
          .unknownOption, "'\(text(place))' is not an option", place,
          notes: ["the options are c (case), d (diacritics) and n (normalised)"])
      }
    }
    switch comparator {
    case .between, .geoWithin, .text:
      report(
        .unsupportedOption, "\(comparator.rawValue) takes no options", range,
        fixes: [Fix(message: "leave them out", range: range, replacement: "")])
    default: break
    }
    return options
  }

  /// The positions of the letters in `[…]` and the end of the bracket, if it contains only letters.
  private func optionLetters() -> (letters: [Int], end: Int)? {
    var letters: [Int] = []
    var offset = token.end
    while offset < lexer.count, letters.count <= 8 {
      let byte = lexer.byte(offset)
      if byte == UInt8(ascii: "]") { return letters.isEmpty ? nil : (letters, offset + 1) }
      if (byte | 0x20) &- 97 < 26 {
        letters.append(offset)
      } else if !Lexer.isBlank(byte) {
        return nil
      }
      offset += 1
    }
    return nil
  }

  /// Consumes ANY, SOME, ALL or NONE, unless the word is a property's name here.
  mutating func takeQuantifier() -> Quantifier? {
    guard token.kind == .word, let quantifier = quantifier(token.keyword), let keyword = token.keyword, !isName(keyword)
    else { return nil }
    advance()
    return quantifier
  }

  private mutating func takeRightQuantifier(_ comparator: Comparator) throws(ParseFailure) -> Quantifier? {
    let place = token.range
    let quantifier = takeQuantifier()
    if quantifier != nil, comparator == .between {
      report(
        .misplacedQuantifier, "the bounds of BETWEEN have no quantifier", place,
        notes: ["write 'ANY path BETWEEN {1, 5}'"])
    }
    return quantifier
  }

  func quantifier(_ keyword: Keyword?) -> Quantifier? {
    guard let keyword else { return nil }
    return switch keyword {
    case Keyword.any, Keyword.some: .any
    case Keyword.all: .all
    case Keyword.none: Quantifier.none
    default: nil
    }
  }

  /// `ANY path op x`. NONE is NOT ANY, and is so in the tree.
  mutating func quantified(_ quantifier: Quantifier, from start: Int) throws(ParseFailure) -> PredicateSyntax {
    let place = token.range
    advance()
    let inner = quantifier == .none ? Quantifier.any : quantifier
    // NONE becomes two nested nodes, and counts as such.
    if quantifier == .none { try enter() }
    let left = try parse(Level.arithmetic)
    var comparison: PredicateSyntax
    if infixLevel(after: left) == Level.comparison {
      comparison = try self.comparison(left, quantifier: inner, at: place, from: start)
    } else {
      if case .predicate(let condition) = left, case .comparison = condition.kind {
        let whole = SourceRange(place.upperBound, lastEnd)
        let written = text(condition.range)
        let inside =
          written.hasPrefix("(") && written.hasSuffix(")") ? String(written.dropFirst().dropLast()) : written
        throw fail(
          .predicateAsValue, "\(quantifier.rawValue) stands before a comparison without parentheses", condition.range,
          fixes: [
            Fix(message: "write '\(quantifier.rawValue) \(shortened(inside))'", range: whole, replacement: " " + inside)
          ])
      }
      var value = try value(of: left, .after(place))
      value = value.named ?? value
      try countNode()
      switch value.kind {
      case .path where !isInParentheses(value), .subquery where !isInParentheses(value): break
      case .placeholder(.named): throw unknownVariable(value.range)
      default:
        report(
          .expectedComparison, "\(quoted(text(value.range))) is compared with nothing", value.range,
          notes: ["write '\(quantifier.rawValue) path > 5', or '\(quantifier.rawValue) path' of boolean values"])
      }
      let truth = ExpressionSyntax(.literal(.bool(true)), range: SourceRange(lastEnd, lastEnd))
      var bare = ComparisonSyntax(quantifier: inner, left: value, comparator: .equal, right: truth)
      bare.quantifierRange = place
      comparison = try predicate(.comparison(bare), from: start)
    }
    guard quantifier == .none else { return comparison }
    nesting -= 1
    if case .comparison(var written) = comparison.kind {
      written.isWrittenAsNone = true
      comparison.kind = .comparison(written)
    }
    return try predicate(.not(comparison), from: start)
  }

  /// Reports `(p) == TRUE` and replaces it by `p`.
  private mutating func truthOfCondition(_ left: Node) -> PredicateSyntax? {
    guard case .predicate(let condition) = left, condition.word == nil, token.kind == .equal else { return nil }
    var ahead = lexer
    let right = ahead.next()
    guard right.kind == .word, right.keyword == .isTrue || right.keyword == .yes else { return nil }
    advance()
    advance()
    let range = SourceRange(condition.range.upperBound, lastEnd)
    report(
      .predicateAsValue, "'\(shortened(text(condition.range)))' is a condition already", condition.range,
      fixes: [Fix(message: "leave '\(text(range).drop { $0 == " " })' out", range: range, replacement: "")])
    return condition
  }

  // MARK: BETWEEN, IN and chains

  /// The note for a BETWEEN without a list. There is no fix, since the missing bound is unknown.
  private static let boundsInBraces = "write the lower and the upper bound in braces, as in 'x BETWEEN {1, 5}'"

  /// The right side of BETWEEN: two bounds in braces, or something that will have two.
  private mutating func bounds(_ right: ExpressionSyntax, of left: ExpressionSyntax) throws(ParseFailure)
    -> ExpressionSyntax
  {
    var right = mendBrackets(right)
    switch right.kind {
    case _ where isInParentheses(right) && !at(.and):
      report(
        .betweenBounds, "BETWEEN needs two bounds in braces", right.range, notes: [Self.boundsInBraces])
    case .list(let elements):
      if elements.count != 2 {
        report(
          .betweenBounds,
          "BETWEEN needs two bounds, and there \(elements.count == 1 ? "is" : "are") \(elements.count)",
          right.range,
          notes: [Self.boundsInBraces] + (elements.count == 1 ? ["one value alone is asked for with ==, >= or <="] : [])
        )
      }
    case .literal where right.word != nil: break
    case .placeholder, .path:
      if let upper = try upperBoundAfterAnd() { right = mendBounds(right, upper) }
    default:
      guard at(.and) || token.kind == .comma && openBrackets == 0 else {
        report(
          .betweenBounds, "BETWEEN needs two bounds in braces", right.range, notes: [Self.boundsInBraces])
        break
      }
      advance()
      right = mendBounds(right, try value(Level.arithmetic))
    }
    return right
  }

  /// Parses a second bound after `BETWEEN %@`, if it can only be one: a literal or argument without a comparison after
  /// it.
  private mutating func upperBoundAfterAnd() throws(ParseFailure) -> ExpressionSyntax? {
    guard at(.and) else { return nil }
    var ahead = lexer
    let second = ahead.next()
    switch second.kind {
    case .integer, .decimal, .string, .date, .timestamp: break
    // A named argument may be a predicate, and %K a boolean property: both are parsed as conditions.
    case .formatArgument where !text(second).hasSuffix("K"): break
    case .dollarArgument where Lexer.isDigit(lexer.byte(second.start + 1)): break
    default: return nil
    }
    let third = ahead.next()
    switch third.kind {
    case .end, .rightParenthesis, .semicolon, .ampersandAmpersand, .barBar: break
    case .word where third.keyword == .and || third.keyword == .or: break
    default: return nil
    }
    advance()
    return try value(Level.arithmetic)
  }

  private mutating func mendBounds(_ lower: ExpressionSyntax, _ upper: ExpressionSyntax) -> ExpressionSyntax {
    let range = lower.range.union(upper.range)
    let replacement = "{\(text(lower.range)), \(text(upper.range))}"
    report(
      .betweenBounds, "the bounds of BETWEEN are written in braces", range,
      fixes: [Fix(message: "write 'BETWEEN \(shortened(replacement))'", range: range, replacement: replacement)])
    return ExpressionSyntax(.list([lower, upper]), range: range)
  }

  /// Replaces `[1, 2]` by a list where only a list makes sense.
  private mutating func mendBrackets(_ right: ExpressionSyntax) -> ExpressionSyntax {
    guard case .point(let elements) = right.kind else { return right }
    let inner = text(right.range.lowerBound + 1, right.range.upperBound - 1)
    report(
      .listInBrackets, "a list is written in braces", right.range,
      notes: ["brackets are for points: [longitude, latitude]"],
      fixes: [Fix(message: "write '{\(shortened(inner))}'", range: right.range, replacement: "{\(inner)}")])
    return ExpressionSyntax(.list(elements), range: right.range)
  }

  /// Replaces `IN (1)`, one literal in parentheses as in SQL, by a list. A string stays a string, since IN may search
  /// in it.
  private mutating func mendParentheses(_ right: ExpressionSyntax) -> ExpressionSyntax {
    guard case .literal(let value) = right.kind, isInParentheses(right) else { return right }
    if case .string = value { return right }
    let inner = text(right.range.lowerBound + 1, right.range.upperBound - 1)
    report(
      .listInParentheses, "a list is written in braces", right.range,
      fixes: [Fix(message: "write '{\(shortened(inner))}'", range: right.range, replacement: "{\(inner)}")])
    return ExpressionSyntax(.list([right]), range: right.range)
  }

  /// Reports `1 < x < 5`, which means `1 < x AND x < 5`. A chain of any length is a single mistake with a single fix.
  private mutating func chained(
    _ left: ExpressionSyntax, _ range: SourceRange, _ middle: ExpressionSyntax
  ) throws(ParseFailure) {
    var last = middle
    var signs = [bitSign(in: middle)]
    var pieces = [text(left.range.lowerBound, middle.range.upperBound)]
    while infixLevel(after: .value(last)) == Level.comparison {
      let (comparator, _, _) = try takeComparator(after: last)
      _ = try takeOptions(comparator)
      let next = try value(Level.arithmetic)
      if isAborted { throw ParseFailure() }
      pieces.append(text(last.range.lowerBound, next.range.upperBound))
      if infixLevel(after: .value(next)) == Level.comparison { signs.append(bitSign(in: next)) }
      last = next
    }
    if !signs.contains(nil) {
      for case let sign? in signs { reportBitSign(sign) }
      return
    }
    let whole = left.range.union(last.range)
    let replacement = pieces.joined(separator: " AND ")
    report(
      .chainedComparison, "comparisons do not chain", whole,
      fixes: [Fix(message: "write '\(shortened(replacement))'", range: whole, replacement: replacement)])
  }
}
