internal import Diagnostics
internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension Binder {
  /// A comparison's bound tree.
  mutating func comparison(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    if Self.isAboutPlace(syntax) { return place(syntax, in: whole) }
    guard !refused(syntax, range: whole.range) else { return .constant(false) }
    switch syntax.comparator {
    case .isIn: return membership(syntax, in: whole)
    case .between: return between(syntax, in: whole)
    case .contains, .beginsWith, .endsWith, .like, .matches: return textual(syntax, in: whole)
    default: return ordinary(syntax, in: whole)
    }
  }

  /// Reports what is not there yet.
  private mutating func refused(_ syntax: ComparisonSyntax, range: SourceRange) -> Bool {
    if syntax.comparator == .text {
      report(.unsupported, "TEXT needs a full-text index, which is not supported yet", range)
      return true
    }
    guard let quantifier = syntax.quantifier ?? syntax.rightQuantifier else { return false }
    // A path that cannot be a collection at all deserves to be told so; the others are simply not there yet.
    if syntax.quantifier != nil, let left = expression(syntax.left) {
      report(
        .quantifierOnSingleValue,
        "\(described(syntax.left, left)), a single value: \(quantifier.rawValue) is for collections", range,
        notes: ["leave out \(quantifier.rawValue)"])
    } else if syntax.quantifier == nil {
      report(.unsupported, "\(quantifier.rawValue) on the right side is not supported yet", range)
    }
    return true
  }

  private mutating func ordinary(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    if Self.elements(of: syntax.right) != nil || Self.elements(of: syntax.left) != nil {
      let fix = Fix(message: "write IN", range: syntax.comparatorRange, replacement: "IN")
      report(
        .typeMismatch, "'\(syntax.comparator.rawValue)' compares single values, and one side is a list",
        whole.range, notes: syntax.comparator == .equal ? ["to ask whether it is one of them, write IN"] : [],
        fixes: syntax.comparator == .equal ? [fix] : [])
      return .constant(false)
    }
    let first = structured(syntax.left, comparedWith: syntax.right)
    if let first, first.type == .string, isUnquotedWord(syntax.right) { return .constant(false) }
    guard var right = structured(syntax.right, comparedWith: syntax.left), var left = first else {
      return .constant(false)
    }
    guard let adaptedLeft = adapted(left, syntax.left, to: right),
      let adaptedRight = adapted(right, syntax.right, to: left)
    else { return .constant(false) }
    (left, right) = (adaptedLeft, adaptedRight)
    guard areComparable(left, syntax.left, right, syntax.right, whole.range) else { return .constant(false) }
    guard checkOptions(syntax, left, right, whole.range) else { return .constant(false) }
    warnAboutNil(syntax, left, right, whole.range)
    return .comparison(
      made(syntax.comparator, syntax.options, left, [right], range: syntax.right.range, syntax: whole))
  }

  /// A text somebody forgot to quote: a single name that is no property, compared with a text. Reported as such.
  private mutating func isUnquotedWord(_ syntax: ExpressionSyntax) -> Bool {
    guard case .path(let path) = syntax.kind, path.variable == nil, path.steps.count == 1,
      case .name(let word) = path.steps[0].kind, (try? paths.resolve(path, range: syntax.range)) == nil,
      entity.entity.property(named: word) == nil
    else { return false }
    report(
      .unknownProperty, "\(entity.name) has no property '\(word)'", syntax.range,
      notes: ["if it is a text, write it in quotes"],
      fixes: [Fix(message: "write \"\(word)\"", range: syntax.range, replacement: "\"\(word)\"")])
    return true
  }

  /// An operand; a struct that is always there may be compared with nil, though that says little.
  private mutating func structured(
    _ syntax: ExpressionSyntax, comparedWith other: ExpressionSyntax
  ) -> BoundExpression? {
    if case .path(let path) = syntax.kind, case .literal(.null) = other.kind,
      let target = try? paths.resolve(path, range: syntax.range)
    {
      switch target {
      case .structure(_, nil), .object: return .constant(.bool(true))
      default: break
      }
    }
    return expression(syntax)
  }

  private mutating func between(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    guard let bounds = Self.elements(of: syntax.right) else {
      report(.betweenBounds, "BETWEEN takes a list of two values", syntax.right.range, notes: ["as in {1, 5}"])
      return .constant(false)
    }
    guard bounds.count == 2 else {
      report(
        .betweenBounds, "BETWEEN takes two values, not \(bounds.count)", syntax.right.range,
        notes: ["as in {1, 5}"])
      return .constant(false)
    }
    let left = expression(syntax.left)
    let right = elements(bounds, comparedWith: left, syntax, whole.range)
    guard let left, let right, checkOptions(syntax, left, left, whole.range) else { return .constant(false) }
    return .comparison(made(.between, syntax.options, left, right, range: syntax.right.range, syntax: whole))
  }

  private mutating func membership(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    guard let members = Self.elements(of: syntax.right) else {
      guard let left = expression(syntax.left), let right = expression(syntax.right) else { return .constant(false) }
      guard right.type == .string || right.type == .null, left.type == .string || left.type == .null else {
        report(
          .typeMismatch, "\(described(syntax.right, right)); IN takes a list, or a text on both sides",
          syntax.right.range)
        return .constant(false)
      }
      // `x IN 'text'` asks whether the text contains x.
      return .comparison(
        made(.contains, syntax.options, right, [left], range: syntax.left.range, syntax: whole))
    }
    let left = expression(syntax.left)
    let right = elements(members, comparedWith: left, syntax, whole.range)
    guard let left, let right, checkOptions(syntax, left, left, whole.range) else { return .constant(false) }
    return .comparison(made(.isIn, syntax.options, left, right, range: syntax.right.range, syntax: whole))
  }

  /// The elements of a list or range, each adapted to and comparable with the left side.
  private mutating func elements(
    _ members: [ExpressionSyntax], comparedWith left: BoundExpression?, _ syntax: ComparisonSyntax,
    _ range: SourceRange
  ) -> [BoundExpression]? {
    var result: [BoundExpression] = []
    result.reserveCapacity(members.count)
    var failed = left == nil
    for member in members {
      guard let bound = expression(member) else {
        failed = true
        continue
      }
      guard let left, let element = adapted(bound, member, to: left),
        areComparable(left, syntax.left, element, member, member.range)
      else {
        failed = true
        // A long list of wrong values is one mistake.
        if diagnostics.count > 20 { return nil }
        continue
      }
      result.append(element)
    }
    return failed ? nil : result
  }

  private mutating func textual(_ syntax: ComparisonSyntax, in whole: PredicateSyntax) -> BoundPredicate {
    let name = syntax.comparator.rawValue
    let left = expression(syntax.left)
    let right = expression(syntax.right)
    guard let left, let right else { return .constant(false) }
    for (operand, side) in [(left, syntax.left), (right, syntax.right)]
    where operand.type != .string && operand.type != .null {
      report(.typeMismatch, "\(name) takes texts, and \(described(side, operand))", side.range)
      return .constant(false)
    }
    if syntax.comparator == .matches {
      if syntax.options.contains(.diacriticInsensitive) {
        report(.unsupportedOption, "MATCHES has no [d]", whole.range)
        return .constant(false)
      }
      guard right.isConstant else {
        report(.unsupported, "MATCHES takes a pattern that is the same for every object", syntax.right.range)
        return .constant(false)
      }
    }
    warnAboutNil(syntax, left, right, whole.range)
    return .comparison(
      made(syntax.comparator, syntax.options, left, [right], range: syntax.right.range, syntax: whole))
  }

  /// The elements of a list, written or given as an argument.
  static func elements(of syntax: ExpressionSyntax) -> [ExpressionSyntax]? {
    switch syntax.kind {
    case .list(let elements): elements
    case .literal(.list(let values)): values.map { ExpressionSyntax(.literal($0), range: syntax.range) }
    default: nil
    }
  }

  /// The comparison, with a constant pattern made ready; a pattern that is wrong is reported.
  private mutating func made(
    _ comparator: Comparator, _ options: StringOptions, _ left: BoundExpression, _ right: [BoundExpression],
    range: SourceRange, syntax: PredicateSyntax
  ) -> BoundComparison {
    let folding = TextFolding(options)
    let right = right.count == 1 ? right.map(\.folded) : right
    var test: TextTest?
    if right.count == 1, comparator != .isIn, case .constant(.string(let text)) = right[0], left.type == .string {
      do throws(RegularExpression.Failure) {
        test = try TextTest(comparator, text, folding: folding)
      } catch {
        report(
          .badPattern, error.message, range,
          notes: error.count < text.utf8.count ? ["it stands at byte \(error.offset + 1) of the pattern"] : [])
      }
    }
    return BoundComparison(
      comparator: comparator, folding: folding, left: left, right: right, test: test, syntax: syntax)
  }
}
