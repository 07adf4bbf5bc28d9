import PredicateLanguage
import Values

/// Random trees such as a parser can give: every kind of node, names that need escaping, numbers at their limits.
struct RandomTree {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  mutating func filter() -> FilterSyntax {
    let predicate = below(10) == 0 ? nil : predicate(depth: 4)
    var tails: [TailSyntax] = []
    for _ in 0..<(predicate == nil ? 1 + below(3) : below(3)) {
      switch below(4) {
      case 3: tails.append(.filter(self.predicate(depth: 2)))
      case 0:
        tails.append(.sort((0...below(2)).map { _ in sortKey() }))
      case 1: tails.append(.distinct((0...below(2)).map { _ in expression(depth: 1) }))
      default:
        // Two windows side by side are only made when the first is full: else reading would join them.
        if case .window = tails.last { continue }
        tails.append(.window(offset: count(), limit: below(2) == 0 ? nil : count()))
      }
    }
    return FilterSyntax(predicate: predicate, tails: tails)
  }

  private mutating func sortKey() -> SortKeySyntax {
    let options = below(3) == 0 ? SortOptions(rawValue: UInt8(below(8))) : []
    return SortKeySyntax(expression(depth: 1), ascending: below(2) == 0, options: options)
  }

  private mutating func count() -> ExpressionSyntax {
    below(3) == 0 ? ExpressionSyntax(.placeholder(.named("n"))) : ExpressionSyntax(.literal(.int(Int64(below(100)))))
  }

  mutating func predicate(depth: Int) -> PredicateSyntax {
    switch below(depth > 0 ? 10 : 5) {
    case 0: return PredicateSyntax(.truth(ExpressionSyntax(.path(path()))))
    case 1: return PredicateSyntax(below(4) == 0 ? .constant(below(2) == 0) : .named("big"))
    case 2...4: return PredicateSyntax(.comparison(comparison(depth: depth)))
    case 5, 6: return PredicateSyntax(.not(predicate(depth: depth - 1)))
    case 7, 8: return PredicateSyntax(.and(operands(depth) { if case .and = $0.kind { true } else { false } }))
    default: return PredicateSyntax(.or(operands(depth) { if case .or = $0.kind { true } else { false } }))
    }
  }

  /// Two or more operands, none of them a chain of the same operator.
  private mutating func operands(_ depth: Int, _ isSame: (PredicateSyntax) -> Bool) -> [PredicateSyntax] {
    var operands: [PredicateSyntax] = []
    while operands.count < 2 || below(2) == 0 {
      let operand = predicate(depth: depth - 1)
      if !isSame(operand) { operands.append(operand) }
    }
    return operands
  }

  private mutating func comparison(depth: Int) -> ComparisonSyntax {
    let comparator = pick(Comparator.allCases)
    var options: StringOptions = []
    switch comparator {
    case .between, .geoWithin, .text: break
    case .matches: options = pick([[], .caseInsensitive, .normalized])
    default: options = below(3) == 0 ? StringOptions(rawValue: UInt8(below(8))) : []
    }
    let right =
      comparator == .between
      ? ExpressionSyntax(.list([expression(depth: depth - 1), expression(depth: depth - 1)]))
      : expression(depth: depth - 1, allowsPoint: comparator != .isIn)
    return ComparisonSyntax(
      quantifier: below(5) == 0 ? pick([.any, .all]) : nil, left: expression(depth: depth - 1), comparator: comparator,
      options: options, rightQuantifier: comparator != .between && below(8) == 0 ? pick(Quantifier.allCases) : nil,
      right: right)
  }

  mutating func expression(depth: Int, allowsPoint: Bool = true) -> ExpressionSyntax {
    guard depth > 0 else { return leaf() }
    switch below(14) {
    case 0...3: return leaf()
    case 4: return ExpressionSyntax(.unary(pick(UnaryOperator.allCases), expression(depth: depth - 1)))
    case 5...7:
      var tree = expression(depth: depth - 1)
      for _ in 0...below(3) { tree = .binary(pick(BinaryOperator.allCases), tree, expression(depth: depth - 1)) }
      return tree
    case 8:
      let (name, arity) = pick([("abs", 1), ("uppercase", 1), ("modulus:by:", 2), ("now", 0), ("sum", 3), ("count", 1)])
      return ExpressionSyntax(.call(name, (0..<arity).map { _ in expression(depth: depth - 1) }))
    case 9: return ExpressionSyntax(.list((0..<below(4)).map { _ in expression(depth: depth - 1) }))
    case 10:
      return ExpressionSyntax(
        .ternary(predicate(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1)))
    case 11:
      return ExpressionSyntax(
        .subquery(
          path(), variable: "t", predicate(depth: depth - 1),
          tail: PathSyntax(steps: below(2) == 0 ? [] : [.init(.operation("count"))])))
    case 12 where allowsPoint: return point()
    default: return ExpressionSyntax(.shape(shape()))
    }
  }

  private mutating func point() -> ExpressionSyntax { ExpressionSyntax(.point([leaf(), leaf()])) }

  private mutating func shape() -> ShapeSyntax {
    switch below(3) {
    case 0:
      let unit = pick([nil, "km", "mi", "m"])
      let radius =
        unit == nil ? expression(depth: 1) : ExpressionSyntax(.literal(pick([.int(500), .double(1.5), .double(1e21)])))
      return .circle(center: point(), radius: radius, unit: unit)
    case 1: return .box(point(), point())
    default:
      return .polygon(
        outer: (0...below(3)).map { _ in point() }, holes: (0..<below(2)).map { _ in [point(), point()] })
    }
  }

  private mutating func leaf() -> ExpressionSyntax {
    switch below(8) {
    case 0...2: return ExpressionSyntax(.path(path()))
    case 3: return ExpressionSyntax(.placeholder(pick([.positional(below(3)), .named("name"), .named("größe")])))
    default: return ExpressionSyntax(.literal(literal()))
    }
  }

  mutating func literal() -> Value {
    switch below(9) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .int(pick([0, 1, -1, .max, .min, Int64(bitPattern: next()) >> Int64(below(60))]))
    case 3:
      let number = Double(bitPattern: next())
      return .double(pick([0, -0.0, 0.1, -2.5, 1e300, 5, .infinity, -.infinity, .nan, number]))
    case 4: return .string(text())
    case 5:
      let seconds = Double(bitPattern: next())
      return .date(Instant(seconds: pick([0, -1.5, 592_299_475.577120, seconds.isFinite ? seconds : 7])))
    case 6: return .uuid(UUIDBytes(high: next(), low: next()))
    case 7: return .object(ObjectReference(entity: text(), number: ObjectNumber(next() >> UInt64(1 + below(60)))))
    default: return .data((0..<below(9)).map { _ in UInt8(truncatingIfNeeded: next()) })
    }
  }

  private mutating func text() -> String {
    (0..<below(6)).map { _ in
      pick([
        "a", "Z", "'", "\"", "\\", "\n", "\0", "é", "e\u{301}", "😀", "%@", "$x", "*", "\\d", "\u{85}", " -- ", "`", "{",
      ])
    }.joined()
  }

  private mutating func path() -> PathSyntax {
    var steps: [PathSyntax.Step] = []
    for index in 0...below(3) {
      switch below(10) {
      case 0:
        steps.append(.init(.operation(pick(["count", "sum", "distinctUnionOfObjects", "keys", "type", "links"]))))
      case 1 where index > 0: steps.append(.init(pick([.first, .last, .size])))
      case 2 where index > 0: steps.append(.init(.index(leaf())))
      case 3: steps.append(.init(.placeholder(.positional(below(3)))))
      default: steps.append(.init(.name(name())))
      }
    }
    return PathSyntax(steps: below(30) == 0 ? [] : steps)
  }

  private mutating func name() -> String {
    pick([
      "magnitude", "a", "größe", "名前", "size", "first", "last", "and", "NOT", "in", "true", "nil", "SELF", "count",
      "any",
      "text", "sort", "with space", "tick`", "", "1st", "a-b", "T1", "inf", "b64", "between", "uuid", "line\nbreak",
    ])
  }
}
