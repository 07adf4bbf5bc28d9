import PredicateLanguage
import Schema
import Values

/// Conditions on collections: quantifiers, membership, whole lists, aggregates, SUBQUERY.
extension QueryMaker {
  mutating func onCollection(depth: Int) -> PredicateSyntax? {
    guard let many = source(depth: depth) else { return nil }
    let quantifier = random.pick([nil, Quantifier.any, .any, .all, Quantifier.none])
    switch random.below(10) {
    case 0, 1:
      let options: StringOptions = many.type == .string && random.once(in: 3) ? self.options() : []
      return compare(
        many.expression, random.pick(Comparator.relations), literal(near(many)), options, quantifier: quantifier)
    case 2:
      if many.type == .string || many.type == .data { return textual(many, quantifier: quantifier) }
      return between(many, quantifier: quantifier)
    case 3: return membership(many, quantifier: quantifier)
    case 4:
      // Whether an element is there, asked from either side.
      let options: StringOptions = many.type == .string && random.once(in: 3) ? self.options() : []
      let element = random.once(in: 4) ? other(like: many)?.expression ?? literal(near(many)) : literal(near(many))
      return random.once(in: 2)
        ? compare(many.expression, .contains, element, options)
        : compare(
          element, .isIn, many.expression, options,
          rightQuantifier: random.once(in: 4) ? random.pick(Quantifier.allCases) : nil)
    case 5:
      // The single value first.
      guard let single = other(like: many) else { return nil }
      return compare(
        single.expression, random.pick(Comparator.relations), many.expression,
        rightQuantifier: random.pick([nil, .any, .all, Quantifier.none]))
    case 6: return wholeLists(many)
    case 7: return compare(count(of: many), random.pick(Comparator.relations), literal(.int(Int64(random.below(4)))))
    default:
      guard let single = reduced(many) else { return nil }
      return compare(single.expression, random.pick(Comparator.relations), literal(near(single)))
    }
  }

  /// A list with a list, or with nil.
  private mutating func wholeLists(_ many: Operand) -> PredicateSyntax {
    let isOfTexts = many.type == .string || many.type == .data
    let comparator =
      isOfTexts && random.once(in: 3)
      ? random.pick([Comparator.contains, .beginsWith, .endsWith, .like])
      : random.once(in: 4) ? random.pick(Comparator.relations) : random.pick([.equal, .notEqual])
    let options: StringOptions = many.type == .string && random.once(in: 3) ? self.options() : []
    if random.once(in: 5), comparator == .equal || comparator == .notEqual {
      return compare(many.expression, comparator, ExpressionSyntax(.literal(.null)))
    }
    let others = collections.compactMap(operand).filter { $0.type == many.type }
    if random.once(in: 4), !others.isEmpty {
      return compare(many.expression, comparator, random.pick(others).expression, options)
    }
    if many.type == .string, random.once(in: 8) {
      let patterns = (0..<1 + random.below(2)).map { _ in literal(.string(expression(depth: 1))) }
      return compare(many.expression, .matches, ExpressionSyntax(.list(patterns)))
    }
    let elements = random.once(in: 2) ? many.samples.prefix(random.below(4)).map(widened) : [near(many), near(many)]
    let list = ExpressionSyntax(.list(elements.map { literal($0) }))
    let quantifier = random.once(in: 3) ? random.pick(Quantifier.allCases) : nil
    return random.once(in: 2)
      ? compare(many.expression, comparator, list, options, quantifier: quantifier)
      : compare(list, comparator, many.expression, options, rightQuantifier: quantifier)
  }

  private func widened(_ value: Value) -> Value {
    if case .float(let number) = value { return .double(Double(number)) }
    return value
  }

  // MARK: Collections

  /// A collection, or what is chosen out of one.
  mutating func source(depth: Int) -> Operand? {
    if random.once(in: 3), let leaf = ofStructs(depth: depth) { return leaf }
    // A long collection inside a long one would be asked all day, and say no more.
    let short = collections.filter { breadth * (lengths[$0.path] ?? 1) <= 4000 }
    guard let column = short.randomElement(using: &random), let whole = operand(column) else { return nil }
    guard case .collection(let kind, _) = column.kind else { return nil }
    switch random.below(12) {
    case 0 where kind == .dictionary, 1 where kind == .dictionary: return followed(whole, "values")
    case 2 where kind == .dictionary, 3 where kind == .dictionary:
      var keys = followed(whole, "keys")
      keys.type = .string
      keys.samples = RandomValues.keys.map(Value.string)
      return keys
    case 4: return followed(whole, "distinctUnionOfObjects")
    case 5, 6: return depth > 0 ? chosen(whole, depth: depth) : whole
    case 7 where whole.type == .string: return length(of: whole)
    default: return whole
    }
  }

  /// `SUBQUERY(path, $t, …)`
  private mutating func chosen(_ whole: Operand, depth: Int) -> Operand {
    guard case .path(let path) = whole.expression.kind else { return whole }
    // Sometimes the name of the variable around.
    let name = random.once(in: 6) ? "t0" : "t\(variables.count)"
    let element = Operand(
      expression: ExpressionSyntax(.path(PathSyntax(variable: name, steps: []))), type: whole.type,
      samples: whole.samples)
    variables.append(element)
    let shadowed = variables.indices.dropLast().filter { variables[$0].expression == element.expression }
    let kept = variables
    for place in shadowed { variables[place] = element }
    let outer = breadth
    if let column = collections.first(where: { self.path($0) == whole.expression }) {
      breadth *= max(lengths[column.path] ?? 1, 1)
    }
    let predicate = predicate(depth: depth - 1)
    breadth = outer
    variables = kept.dropLast()
    return Operand(
      expression: ExpressionSyntax(.subquery(path, variable: name, predicate, tail: PathSyntax(steps: []))),
      type: whole.type, samples: whole.samples)
  }

  /// The path, or SUBQUERY, with one operator more.
  func followed(_ many: Operand, _ operation: String) -> Operand {
    Operand(
      expression: followed(many.expression, PathSyntax.Step(.operation(operation))), type: many.type,
      samples: many.samples)
  }

  func followed(_ expression: ExpressionSyntax, _ step: PathSyntax.Step) -> ExpressionSyntax {
    switch expression.kind {
    case .path(var path):
      path.steps.append(step)
      return ExpressionSyntax(.path(path))
    case .subquery(let path, let variable, let predicate, var tail):
      tail.steps.append(step)
      return ExpressionSyntax(.subquery(path, variable: variable, predicate, tail: tail))
    default: return expression
    }
  }

  /// `.length` after a text.
  func length(of text: Operand?) -> Operand? {
    guard let text, text.type == .string else { return nil }
    switch text.expression.kind {
    case .path, .subquery: break
    default: return nil
    }
    return Operand(
      expression: followed(text.expression, PathSyntax.Step(.name("length"))), type: .int,
      samples: [.int(0), .int(1), .int(3)])
  }

  // MARK: Single values of collections

  mutating func count(of many: Operand) -> ExpressionSyntax {
    switch random.below(4) {
    case 0: ExpressionSyntax(.call("count", [many.expression]))
    case 1: followed(many.expression, PathSyntax.Step(.size))
    default: followed(many, "count").expression
    }
  }

  /// An aggregate or one element of a collection.
  mutating func reduced(_ many: Operand) -> Operand? {
    if random.once(in: 3), let element = element(of: many) { return element }
    if many.type.isNumeric {
      let name = random.pick([
        "sum", "avg", "min", "max", "median", "mode", "stddev", "average", "percentile(0.9)", "percentile(0.25)",
      ])
      let isOperator = name == "avg" || name.hasPrefix("percentile(") || name != "average" && random.once(in: 2)
      let expression =
        isOperator ? followed(many, name).expression : ExpressionSyntax(.call(name, [many.expression]))
      // What a Float is computed to is compared with nothing that would be rounded to one.
      let keepsType =
        ["min", "max", "mode"].contains(name) || (name == "sum" && many.type.isInteger)
        || (name != "stddev" && many.type == .decimal)
      return Operand(expression: expression, type: keepsType ? many.type : .double, samples: many.samples)
    }
    guard many.type == .date else { return nil }
    let name = random.pick(["min", "max"])
    let expression =
      random.once(in: 2) ? followed(many, name).expression : ExpressionSyntax(.call(name, [many.expression]))
    return Operand(expression: expression, type: .date, samples: many.samples)
  }

  /// `a[0]`, `a[FIRST]`, `d["key"]`
  private mutating func element(of many: Operand) -> Operand? {
    if many.type == .string, random.once(in: 4) { return length(of: element(of: many)) }
    if let item = ofItem(many) { return item }
    guard case .path(let path) = many.expression.kind,
      path.steps.allSatisfy({ if case .name = $0.kind { true } else { false } }),
      let column = columns.first(where: { self.path($0) == many.expression }),
      case .collection(let kind, _) = column.kind
    else { return nil }
    let step: PathSyntax.Step
    switch kind {
    case .set: return nil
    case .dictionary:
      step = PathSyntax.Step(.index(key()))
    case .array:
      switch random.below(6) {
      case 0: step = PathSyntax.Step(.first)
      case 1: step = PathSyntax.Step(.last)
      case 2, 3: step = PathSyntax.Step(.index(place()))
      default: step = PathSyntax.Step(.index(literal(.int(Int64(random.below(5))))))
      }
    }
    return Operand(expression: followed(many.expression, step), type: many.type, samples: many.samples)
  }

  /// A key: one that is there, or what is computed for each object.
  private mutating func key() -> ExpressionSyntax {
    let known = literal(.string(random.pick(RandomValues.keys)))
    let texts = (scalars.compactMap(operand) + variables).filter { $0.type == .string }
    guard random.once(in: 3), let text = texts.randomElement(using: &random)?.expression else { return known }
    switch random.below(4) {
    case 0: return call(random.pick(["lowercase", "uppercase"]), text)
    case 1: return ExpressionSyntax(.ternary(comparison(depth: 0), text, known))
    case 2:
      return ExpressionSyntax(.ternary(comparison(depth: 0), known, literal(.string(random.pick(RandomValues.keys)))))
    default: return text
    }
  }

  /// A place that is computed for each object.
  private mutating func place() -> ExpressionSyntax {
    let integers = (scalars.compactMap(operand) + variables).filter(\.type.isInteger)
    let integer = integers.randomElement(using: &random)?.expression ?? literal(.int(2))
    switch random.below(4) {
    case 0: return integer
    case 1:
      let many = collections.compactMap(operand).randomElement(using: &random)
      return many.map { .binary(.subtract, count(of: $0), literal(.int(1))) } ?? integer
    case 2: return ExpressionSyntax(.ternary(comparison(depth: 0), integer, literal(.int(1))))
    default: return .binary(.bitAnd, integer, literal(.int(3)))
    }
  }
}
