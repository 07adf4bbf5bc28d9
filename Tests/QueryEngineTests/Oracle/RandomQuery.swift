import PredicateLanguage
import Schema
import Values

/// A filter as a tree, with the values of its placeholders.
struct RandomQuery {
  var filter: FilterSyntax
  var arguments = Arguments()
}

/// Makes queries over an entity's columns; most of them are meaningful, some are errors.
struct QueryMaker {
  private enum Style {
    case literals, positional, named
  }

  private let columns: [Column]
  /// The columns of each index, the most significant first.
  private let indexed: [[Column]]
  /// Some values that each column has.
  private let samples: [String: [Value]]
  private var random: OracleRandom
  private var style = Style.literals
  private var arguments = Arguments()

  init(store: RandomStore, random: OracleRandom) {
    columns = store.columns
    let byPath = Dictionary(columns.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    indexed = store.entity.indexes.map { $0.paths.compactMap { byPath[$0] } }
    var samples: [String: [Value]] = [:]
    for case .insert(let row) in store.transactions.joined().prefix(8) {
      for (column, value) in zip(columns, row) where !value.isNull { samples[column.path, default: []].append(value) }
    }
    self.samples = samples
    self.random = random
  }

  /// A column that some index has, as often as not.
  private mutating func column() -> Column {
    if random.once(in: 2), !indexed.isEmpty { return random.pick(random.pick(indexed)) }
    return random.pick(columns)
  }

  mutating func make() -> RandomQuery {
    style = random.pick([.literals, .literals, .positional, .named])
    arguments = Arguments()
    var filter = FilterSyntax(predicate: random.once(in: 12) ? nil : predicate())
    while filter.predicate == nil && filter.tails.isEmpty || random.once(in: 3) {
      let tail = tail()
      // Two windows in a row would be read as one.
      if case .window = tail, case .window? = filter.tails.last { continue }
      filter.tails.append(tail)
    }
    return RandomQuery(filter: filter, arguments: arguments)
  }

  /// A condition: half of them such as indexes are for.
  private mutating func predicate() -> PredicateSyntax {
    if indexed.isEmpty || random.once(in: 2) { return predicate(depth: 1 + random.below(3)) }
    var parts: [PredicateSyntax] = []
    let isAnd = random.once(in: 2)
    for _ in 0..<(1 + random.below(3)) {
      let part = random.once(in: 5) ? comparison(depth: 0) : alongIndex()
      if isAnd, case .and(let inner) = part.kind { parts += inner } else { parts.append(part) }
    }
    if parts.count == 1 { return parts[0] }
    return PredicateSyntax(isAnd ? .and(parts) : .or(parts))
  }

  // MARK: Tails

  private mutating func tail() -> TailSyntax {
    switch random.below(4) {
    case 3 where !indexed.isEmpty:
      // The order of an index, or of its beginning, mostly one way.
      let columns = random.pick(indexed)
      let ascending = random.once(in: 2)
      return .sort(
        columns.prefix(1 + random.below(columns.count)).map {
          SortKeySyntax(path($0), ascending: random.once(in: 8) ? !ascending : ascending)
        })
    case 0:
      let keys = (0...random.below(3)).map { _ in SortKeySyntax(sortable(), ascending: random.once(in: 2)) }
      return .sort(keys)
    case 1:
      return .distinct((0...random.below(2)).map { _ in sortable() })
    default:
      let offset = random.once(in: 2) ? ExpressionSyntax(.literal(.int(Int64(random.below(10))))) : nil
      let limit = offset == nil || random.once(in: 2) ? ExpressionSyntax(.literal(.int(Int64(random.below(40))))) : nil
      return .window(offset: offset, limit: limit)
    }
  }

  private mutating func sortable() -> ExpressionSyntax {
    var column = self.column()
    if column.kind == .presence { column = random.pick(columns.filter { $0.kind != .presence }) }
    if random.once(in: 6), let number = numeric(depth: 1) { return number }
    return path(column)
  }

  // MARK: Predicates

  private mutating func predicate(depth: Int) -> PredicateSyntax {
    switch random.below(depth > 0 ? 10 : 6) {
    case 6: return joined(depth) { .and($0) }
    case 7: return joined(depth) { .or($0) }
    case 8: return PredicateSyntax(.not(predicate(depth: depth - 1)))
    case 9 where !indexed.isEmpty: return alongIndex()
    default: return comparison(depth: depth)
    }
  }

  /// AND and OR are flat: a part of the same kind is taken apart.
  private mutating func joined(_ depth: Int, _ kind: ([PredicateSyntax]) -> PredicateSyntax.Kind) -> PredicateSyntax {
    var parts: [PredicateSyntax] = []
    for _ in 0..<(2 + random.below(2)) {
      let part = predicate(depth: depth - 1)
      switch (part.kind, kind([])) {
      case (.and(let inner), .and), (.or(let inner), .or): parts += inner
      default: parts.append(part)
      }
    }
    return PredicateSyntax(kind(parts))
  }

  /// Equalities on the first columns of an index, then a range, as compound indexes are made for.
  private mutating func alongIndex() -> PredicateSyntax {
    let columns = random.pick(indexed)
    var parts: [PredicateSyntax] = []
    for column in columns.prefix(1 + random.below(columns.count)) {
      guard case .scalar(let type) = column.kind else { continue }
      switch random.below(4) {
      case 0: parts.append(membership(column, type))
      case 1:
        parts.append(compare(path(column), random.pick([.greater, .greaterOrEqual]), literal(near(type, column))))
        parts.append(compare(path(column), random.pick([.less, .lessOrEqual]), literal(near(type, column))))
      default: parts.append(compare(path(column), .equal, literal(near(type, column))))
      }
    }
    if parts.count == 1 { return parts[0] }
    return parts.isEmpty ? comparison(depth: 0) : PredicateSyntax(.and(parts))
  }

  private mutating func comparison(depth: Int) -> PredicateSyntax {
    if random.once(in: 40) { return PredicateSyntax(.constant(random.once(in: 2))) }
    let column = self.column()
    guard case .scalar(let type) = column.kind else {
      return compare(path(column), random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    }
    if random.once(in: 30) { return compare(path(column), random.pick(Comparator.equalities), wrong()) }
    if random.once(in: 12) {
      return compare(path(column), random.pick(Comparator.equalities), ExpressionSyntax(.literal(.null)))
    }
    if type == .bool, random.once(in: 3) { return PredicateSyntax(.truth(path(column))) }
    switch random.below(6) {
    case 0: return between(column, type)
    case 1: return membership(column, type)
    case 2, 3:
      if type == .string { return textual(column) }
      if let left = numeric(depth: 2), let right = numeric(depth: 1) {
        return compare(left, random.pick(Comparator.equalities), right)
      }
    case 4:
      // Two properties of one kind.
      let others = columns.filter { $0.kind == column.kind || (type.isNumeric && isNumeric($0)) }
      return compare(path(column), random.pick(Comparator.equalities), path(random.pick(others)))
    default: break
    }
    var options: StringOptions = []
    if type == .string, random.once(in: 3) { options = self.options() }
    return compare(path(column), random.pick(Comparator.equalities), literal(near(type, column)), options)
  }

  private mutating func between(_ column: Column, _ type: ScalarType) -> PredicateSyntax {
    let bounds = [near(type, column), near(type, column)].map {
      random.once(in: 20) ? ExpressionSyntax(.literal(.null)) : literal($0)
    }
    return compare(path(column), .between, ExpressionSyntax(.list(bounds)))
  }

  private mutating func membership(_ column: Column, _ type: ScalarType) -> PredicateSyntax {
    var elements = (0..<random.below(6)).map { _ in near(type, column) }
    if random.once(in: 5) { elements.append(.null) }
    let options: StringOptions = type == .string && random.once(in: 3) ? self.options() : []
    if style != .literals, random.once(in: 3) {
      return compare(path(column), .isIn, argument(.list(elements)), options)
    }
    if type == .string, random.once(in: 5) {
      return compare(path(column), .isIn, literal(.string(RandomValues.text(&random))), options)
    }
    return compare(path(column), .isIn, ExpressionSyntax(.list(elements.map { literal($0) })), options)
  }

  private mutating func textual(_ column: Column) -> PredicateSyntax {
    let comparator = random.pick([Comparator.contains, .beginsWith, .endsWith, .like, .matches])
    var options = random.once(in: 2) ? self.options() : []
    var left = path(column)
    if random.once(in: 6) { left = call(random.pick(["uppercase", "lowercase"]), left) }
    let pattern: String
    switch comparator {
    case .like:
      pattern = (0..<random.below(5)).map { _ in
        random.pick(["*", "?", "a", "b", "A", "ß", "é", "\\*", "\\?", "\\\\", "İ", "las", "S"])
      }.joined()
    case .matches:
      options.remove(.diacriticInsensitive)
      pattern = expression(depth: 2)
    default:
      pattern = random.once(in: 10) ? "" : RandomValues.short(&random, 1 + random.below(2))
      if random.once(in: 8) {
        let others = columns.filter { $0.kind == .scalar(.string) }
        return compare(left, comparator, path(random.pick(others)), options)
      }
    }
    return compare(left, comparator, literal(.string(pattern)), options)
  }

  /// A regular expression of the oracle's kind.
  private mutating func expression(depth: Int) -> String {
    let part: String
    switch random.below(depth > 0 ? 7 : 4) {
    case 0: part = "."
    case 1: part = "[abA]"
    case 4: part = "(\(expression(depth: depth - 1))|\(expression(depth: depth - 1)))"
    case 5: part = expression(depth: depth - 1) + expression(depth: depth - 1)
    case 6: part = "(\(expression(depth: depth - 1)))" + random.pick(["*", "+", "?"])
    default: part = random.pick(["a", "b", "A", "l", "s", "k", "é", "ß"])
    }
    return part
  }

  private mutating func options() -> StringOptions {
    random.pick([
      [.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized],
    ])
  }

  // MARK: Expressions

  private mutating func numeric(depth: Int) -> ExpressionSyntax? {
    let numbers = columns.filter(isNumeric)
    let texts = columns.filter { $0.kind == .scalar(.string) }
    let dates = columns.filter { $0.kind == .scalar(.date) }
    if depth == 0 || random.once(in: 3) {
      switch random.below(6) {
      case 0 where !texts.isEmpty: return call("length", path(random.pick(texts)))
      case 1 where !dates.isEmpty: return call(random.pick(["year", "month", "day", "hour"]), path(random.pick(dates)))
      case 2: return literal(random.once(in: 2) ? .int(RandomValues.integer(&random)) : finite())
      default: return numbers.isEmpty ? nil : path(random.pick(numbers))
      }
    }
    switch random.below(8) {
    case 0:
      guard let operand = numeric(depth: depth - 1), !isConstant(operand) else { return nil }
      return ExpressionSyntax(.unary(.negate, operand))
    case 1, 2:
      guard let operand = numeric(depth: depth - 1) else { return nil }
      return call(random.pick(["abs", "ceiling", "floor", "round", "trunc", "sqrt"]), operand)
    case 3:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      return ExpressionSyntax(.call(random.pick(["modulus:by:", "raise:toPower:"]), [first, second]))
    case 4:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      return ExpressionSyntax(.ternary(comparison(depth: 0), first, second))
    case 5:
      let integers = columns.filter { if case .scalar(let type) = $0.kind { type.isInteger } else { false } }
      guard !integers.isEmpty else { return nil }
      let operation = random.pick([BinaryOperator.shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor])
      return .binary(operation, path(random.pick(integers)), literal(.int(Int64(random.below(70)) - 2)))
    default:
      guard let first = numeric(depth: depth - 1), let second = numeric(depth: depth - 1) else { return nil }
      let operation = random.pick([BinaryOperator.add, .subtract, .multiply, .divide, .power])
      return chain(operation, first, second)
    }
  }

  /// `first operation second`; chains of one precedence are flat, and a first operand that is one is continued.
  private func chain(
    _ operation: BinaryOperator, _ first: ExpressionSyntax, _ second: ExpressionSyntax
  ) -> ExpressionSyntax {
    .binary(operation, first, second)
  }

  private func isConstant(_ expression: ExpressionSyntax) -> Bool {
    if case .literal = expression.kind { return true }
    return false
  }

  private mutating func finite() -> Value {
    let number = RandomValues.double(&random)
    return .double(number.isFinite ? number : 0.5)
  }

  private func isNumeric(_ column: Column) -> Bool {
    if case .scalar(let type) = column.kind { return type.isNumeric }
    return false
  }

  /// A value that a property of that type may meet: of its own type, or another number.
  private mutating func near(_ type: ScalarType, _ column: Column) -> Value {
    if random.once(in: 2), let known = samples[column.path] {
      let value = random.pick(known)
      if case .float(let number) = value { return .double(Double(number)) }
      return value
    }
    switch type {
    case .bool: return random.pick([.bool(true), .bool(false), .int(0), .int(1)])
    case .int8, .int16, .int32, .int, .float, .double:
      if random.once(in: 3) { return .int(RandomValues.integer(&random)) }
      if random.once(in: 3) { return .double(RandomValues.double(&random)) }
      let value = RandomValues.value(type, &random)
      if case .float(let number) = value { return .double(Double(number)) }
      return value
    case .date where random.once(in: 4):
      return .string(random.pick(["2001-01-01", "2018-02-07T01:02:03Z", "1999-12-31T23:59:59.5+02:00"]))
    default: return RandomValues.value(type, &random)
    }
  }

  /// A literal that fits few properties, so that the query is an error for most.
  private mutating func wrong() -> ExpressionSyntax {
    ExpressionSyntax(
      .literal(random.pick([.string("5"), .int(5), .bool(true), .date(Instant(seconds: 0)), .data([1])])))
  }

  private mutating func literal(_ value: Value) -> ExpressionSyntax {
    if style == .literals || random.once(in: 2) { return ExpressionSyntax(.literal(value)) }
    return argument(value)
  }

  private mutating func argument(_ value: Value) -> ExpressionSyntax {
    if style == .named {
      let name = "v\(arguments.named.count)"
      arguments.named[name] = value
      return ExpressionSyntax(.placeholder(.named(name)))
    }
    arguments.positional.append(value)
    return ExpressionSyntax(.placeholder(.positional(arguments.positional.count - 1)))
  }

  private func path(_ column: Column) -> ExpressionSyntax {
    ExpressionSyntax(
      .path(PathSyntax(steps: column.path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) })))
  }

  private func call(_ name: String, _ operand: ExpressionSyntax) -> ExpressionSyntax {
    ExpressionSyntax(.call(name, [operand]))
  }

  private func compare(
    _ left: ExpressionSyntax, _ comparator: Comparator, _ right: ExpressionSyntax, _ options: StringOptions = []
  ) -> PredicateSyntax {
    PredicateSyntax(.comparison(ComparisonSyntax(left: left, comparator: comparator, options: options, right: right)))
  }
}

extension Comparator {
  fileprivate static let equalities: [Comparator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
}
