import PredicateLanguage
import Values

/// Random trees such as only code makes: what means something, said in ways that no text says it.
struct CodeMadeTree {
  var random: RandomTree

  init(seed: UInt64) { random = RandomTree(seed: seed) }

  mutating func filter() -> FilterSyntax {
    var tails: [TailSyntax] = []
    for _ in 0..<random.below(5) {
      switch random.below(5) {
      case 0: tails.append(.sort([]))
      case 1: tails.append(.distinct(random.below(2) == 0 ? [] : [value(depth: 1)]))
      case 3: tails.append(.filter(predicate(depth: 2)))
      case 2: tails.append(.sort([SortKeySyntax(value(depth: 1))]))
      default: tails.append(.window(offset: count(), limit: count()))
      }
    }
    return FilterSyntax(predicate: random.below(4) == 0 ? nil : predicate(depth: 4), tails: tails)
  }

  private mutating func count() -> ExpressionSyntax? {
    random.below(2) == 0 ? nil : ExpressionSyntax(.literal(.int(Int64(random.below(5)))))
  }

  /// A predicate as a parser gives it, wrapped and joined as no parser would.
  mutating func predicate(depth: Int) -> PredicateSyntax {
    guard depth > 0 else { return random.predicate(depth: 1) }
    switch random.below(9) {
    case 0: return random.predicate(depth: depth)
    case 1, 2: return PredicateSyntax(.and(predicates(depth)))
    case 3, 4: return PredicateSyntax(.or(predicates(depth)))
    case 5: return PredicateSyntax(.not(predicate(depth: depth - 1)))
    case 6: return PredicateSyntax(.truth(value(depth: depth - 1)))
    default:
      return PredicateSyntax(
        .comparison(
          ComparisonSyntax(
            quantifier: random.pick([nil, .any, .all, Quantifier.none]), left: value(depth: depth - 1),
            comparator: random.pick([.equal, .notEqual, .less, .isIn, .contains, .like]),
            rightQuantifier: random.pick([nil, nil, .any, .all, Quantifier.none]), right: value(depth: depth - 1))))
    }
  }

  private mutating func predicates(_ depth: Int) -> [PredicateSyntax] {
    (0..<random.below(4)).map { _ in predicate(depth: depth - 1) }
  }

  mutating func value(depth: Int) -> ExpressionSyntax {
    switch random.below(depth > 0 ? 8 : 4) {
    case 0: return ExpressionSyntax(.literal(literal(depth: 2)))
    case 1: return ExpressionSyntax(.placeholder(.sequential(random.below(4), random.pick(["@", "d", "lld"]))))
    case 2: return ExpressionSyntax(.path(path(depth)))
    case 3: return random.expression(depth: depth, allowsPoint: false)
    case 4: return ExpressionSyntax(.unary(random.pick(UnaryOperator.allCases), value(depth: depth - 1)))
    case 5:
      // Several precedences in one node, or none at all, and chains as first operand.
      return ExpressionSyntax(
        .arithmetic(
          value(depth: depth - 1),
          (0..<random.below(4)).map { _ in
            ArithmeticStep(random.pick(BinaryOperator.allCases), value(depth: depth - 1))
          }))
    case 6: return ExpressionSyntax(.call(random.pick(["ABS", "abs:", "Uppercase"]), [value(depth: depth - 1)]))
    default: return ExpressionSyntax(.ternary(predicate(depth: depth - 1), value(depth: 0), value(depth: 0)))
    }
  }

  private mutating func path(_ depth: Int) -> PathSyntax {
    var steps: [PathSyntax.Step] = []
    for _ in 0..<random.below(4) {
      switch random.below(5) {
      case 0: steps.append(.init(random.pick([.first, .last, .size])))
      case 1: steps.append(.init(.placeholder(.sequential(random.below(4), "K"))))
      case 2 where depth > 0: steps.append(.init(.index(value(depth: depth - 1))))
      default:
        steps.append(.init(.name(random.pick(["first", "SIZE", "a b", "and", "größe", "", "a`\n", "SUBQUERY"]))))
      }
    }
    return PathSyntax(steps: steps)
  }

  /// Constants that no literal gives: lists as one, single precision, NaN with a sign, every control character.
  private mutating func literal(depth: Int) -> Value {
    switch random.below(depth > 0 ? 8 : 7) {
    case 0: return .float(random.pick([0.1, -0.0, 5, .infinity, -.infinity, .nan, 1e-40, .greatestFiniteMagnitude]))
    case 1: return .double(random.pick([-0.0, .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude, -5, 1e22]))
    case 2:
      let number = Double(bitPattern: random.next())
      return .date(Instant(seconds: random.pick([-0.0, 0.1, 1e-300, 1e300, number.isFinite ? number : 1])))
    case 3:
      let scalars = (0..<random.below(8)).compactMap { _ in Unicode.Scalar(UInt32(random.below(0xA5))) }
      return .string(String(String.UnicodeScalarView(scalars)))
    case 4: return .int(random.pick([.min, .max, -1, 0]))
    case 5: return .uuid(UUIDBytes(high: random.next(), low: random.next()))
    case 6: return .data((0..<random.below(5)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    default: return .list((0..<random.below(3)).map { _ in literal(depth: depth - 1) })
    }
  }
}
