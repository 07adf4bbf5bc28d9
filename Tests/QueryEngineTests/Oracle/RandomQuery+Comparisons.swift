import PredicateLanguage
import Schema
import Values

/// Comparisons of single values.
extension QueryMaker {
  mutating func comparison(depth: Int) -> PredicateSyntax {
    if random.once(in: 40) { return PredicateSyntax(.constant(random.once(in: 2))) }
    if random.once(in: 4), depth > 0 || random.once(in: 3), let made = onCollection(depth: depth) { return made }
    if random.once(in: 12), let made = onPlace() { return made }
    if random.once(in: 25), let structure = columns.filter({ $0.kind == .presence }).randomElement(using: &random) {
      return compare(path(structure), random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    }
    let operand = operand()
    if random.once(in: 30) { return compare(operand.expression, random.pick(Comparator.relations), wrong()) }
    if random.once(in: 12) {
      return compare(operand.expression, random.pick(Comparator.relations), ExpressionSyntax(.literal(.null)))
    }
    if operand.type == .bool, random.once(in: 3), isBareCondition(operand.expression) {
      return PredicateSyntax(.truth(operand.expression))
    }
    switch random.below(6) {
    case 0: return between(operand)
    case 1: return membership(operand)
    case 2, 3:
      if operand.type == .string || operand.type == .data { return textual(operand) }
      if let left = numeric(depth: 2), let right = numeric(depth: 1) {
        return compare(left, random.pick(Comparator.relations), right)
      }
    case 4:
      if let other = other(like: operand) {
        return compare(operand.expression, random.pick(Comparator.relations), other.expression)
      }
    default: break
    }
    var options: StringOptions = []
    if operand.type == .string, random.once(in: 3) { options = self.options() }
    let value = literal(near(operand))
    let comparator = random.pick(Comparator.relations)
    return random.once(in: 8)
      ? compare(value, comparator, operand.expression, options)
      : compare(operand.expression, comparator, value, options)
  }

  private func isBareCondition(_ expression: ExpressionSyntax) -> Bool {
    switch expression.kind {
    case .path, .ternary: true
    default: false
    }
  }

  mutating func between(_ operand: Operand, quantifier: Quantifier? = nil) -> PredicateSyntax {
    let bounds = [0, 1].map { _ in
      if random.once(in: 20) { return ExpressionSyntax(.literal(.null)) }
      if random.once(in: 6), let other = other(like: operand) { return other.expression }
      return literal(near(operand))
    }
    return compare(operand.expression, .between, ExpressionSyntax(.list(bounds)), quantifier: quantifier)
  }

  mutating func membership(_ operand: Operand, quantifier: Quantifier? = nil) -> PredicateSyntax {
    var elements = (0..<random.below(6)).map { _ in near(operand) }
    if random.once(in: 5) { elements.append(.null) }
    let options: StringOptions = operand.type == .string && random.once(in: 3) ? self.options() : []
    let right: ExpressionSyntax
    if style != .literals, random.once(in: 3) {
      right = argument(.list(elements))
    } else if operand.type == .string, random.once(in: 5) {
      right = literal(.string(RandomValues.text(&random)))
    } else {
      var written = elements.map { literal($0) }
      if random.once(in: 6), let other = other(like: operand) { written.append(other.expression) }
      right = ExpressionSyntax(.list(written))
    }
    var isList = true
    if case .literal(.string) = right.kind { isList = false }
    if case .placeholder = right.kind, case .string = argumentValue(right) { isList = false }
    let rightQuantifier = isList && random.once(in: 10) ? random.pick(Quantifier.allCases) : nil
    return compare(
      operand.expression, .isIn, right, options, quantifier: quantifier, rightQuantifier: rightQuantifier)
  }

  mutating func textual(_ operand: Operand, quantifier: Quantifier? = nil) -> PredicateSyntax {
    if operand.type == .data { return bytewise(operand, quantifier: quantifier) }
    let comparator = random.pick([Comparator.contains, .beginsWith, .endsWith, .like, .matches])
    var options = random.once(in: 2) ? self.options() : []
    let pattern: String
    switch comparator {
    case .like:
      pattern = (0..<random.below(5)).map { _ in
        random.once(in: 6)
          ? RandomValues.run(&random)
          : random.pick(["*", "?", "a", "b", "A", "ß", "é", "\\*", "\\?", "\\\\", "İ", "las", "S", "한", "😀"])
      }.joined()
    case .matches:
      options.remove(.diacriticInsensitive)
      pattern = expression(depth: 2)
    default:
      pattern =
        random.once(in: 10)
        ? "" : random.once(in: 3) ? RandomValues.run(&random) : RandomValues.short(&random, 1 + random.below(2))
      if random.once(in: 8), let other = other(like: operand) {
        return compare(operand.expression, comparator, other.expression, options, quantifier: quantifier)
      }
    }
    return compare(operand.expression, comparator, literal(.string(pattern)), options, quantifier: quantifier)
  }

  /// A text operator on Data.
  private mutating func bytewise(_ operand: Operand, quantifier: Quantifier?) -> PredicateSyntax {
    let comparator = random.pick([Comparator.contains, .beginsWith, .endsWith, .like])
    if random.once(in: 8), let other = other(like: operand) {
      return compare(operand.expression, comparator, other.expression, quantifier: quantifier)
    }
    let options: StringOptions = random.once(in: 40) ? [.caseInsensitive] : []
    let pattern = (0..<random.below(4)).map { _ in random.pick([0, 1, 2, 3, 7, 255, 0xC3] + Array("**?\\".utf8)) }
    return compare(operand.expression, comparator, literal(.data(pattern)), options, quantifier: quantifier)
  }

  /// A regular expression of the oracle's kind.
  mutating func expression(depth: Int) -> String {
    switch random.below(depth > 0 ? 7 : 4) {
    case 0: "."
    case 1: "[abA]"
    case 4: "(\(expression(depth: depth - 1))|\(expression(depth: depth - 1)))"
    case 5: expression(depth: depth - 1) + expression(depth: depth - 1)
    case 6: "(\(expression(depth: depth - 1)))" + random.pick(["*", "+", "?"])
    default: random.pick(["a", "b", "A", "l", "s", "k", "é", "ß", "las", "aba", "Ala"])
    }
  }

  mutating func options() -> StringOptions {
    random.pick([
      [.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized],
      [.caseInsensitive, .normalized],
    ])
  }

  // MARK: Values

  /// A value that an operand may meet: of its own type, or another number.
  mutating func near(_ operand: Operand) -> Value {
    if random.once(in: 2), !operand.samples.isEmpty {
      let value = random.pick(operand.samples)
      if case .float(let number) = value { return .double(Double(number)) }
      return value
    }
    switch operand.type {
    case .bool: return random.pick([.bool(true), .bool(false), .int(0), .int(1)])
    case .int8, .int16, .int32, .int, .float, .double, .decimal:
      if random.once(in: 12) { return .decimal(RandomValues.decimal(&random)) }
      if random.once(in: 3) { return .int(RandomValues.integer(&random)) }
      if random.once(in: 3) { return .double(RandomValues.double(&random)) }
      let value = RandomValues.value(operand.type, &random)
      if case .float(let number) = value { return .double(Double(number)) }
      return value
    case .date where random.once(in: 4):
      return .string(random.pick(["2001-01-01", "2018-02-07T01:02:03Z", "1999-12-31T23:59:59.5+02:00"]))
    default: return RandomValues.value(operand.type, &random)
    }
  }

  /// A literal that fits few properties, so that the query is an error for most.
  mutating func wrong() -> ExpressionSyntax {
    ExpressionSyntax(
      .literal(random.pick([.string("5"), .int(5), .bool(true), .date(Instant(seconds: 0)), .data([1])])))
  }

  func compare(
    _ left: ExpressionSyntax, _ comparator: Comparator, _ right: ExpressionSyntax, _ options: StringOptions = [],
    quantifier: Quantifier? = nil, rightQuantifier: Quantifier? = nil
  ) -> PredicateSyntax {
    // NONE is NOT ANY in a tree.
    let comparison = PredicateSyntax(
      .comparison(
        ComparisonSyntax(
          quantifier: quantifier == Quantifier.none ? .any : quantifier, left: left, comparator: comparator,
          options: options, rightQuantifier: rightQuantifier, right: right)))
    return quantifier == Quantifier.none ? PredicateSyntax(.not(comparison)) : comparison
  }
}

extension Comparator {
  static let relations: [Comparator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
}
