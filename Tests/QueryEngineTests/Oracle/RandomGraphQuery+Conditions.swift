import PredicateLanguage
import Schema
import Values

/// What is asked of values, objects and collections of them.
extension GraphQueryMaker {
  mutating func condition(depth: Int) -> PredicateSyntax {
    for _ in 0..<6 {
      let made: PredicateSyntax?
      switch random.below(15) {
      case 0, 1: made = onValue(depth)
      case 2: made = onObject()
      case 3, 4, 5: made = onManyValues(depth)
      case 6: made = onManyObjects(depth)
      case 7: made = onCount(depth)
      case 8: made = onAggregate(depth)
      case 9, 10: made = onSubquery(depth)
      case 11: made = onLists(depth)
      case 12: made = onPlace()
      case 13: made = onBracket()
      default: made = random.once(in: 3) ? wrong() : onNumbers(depth)
      }
      if let made { return made }
    }
    return compare(ExpressionSyntax(.path(PathSyntax("title"))), .notEqual, ExpressionSyntax(.literal(.null)))
  }

  // MARK: Single ones

  private mutating func onValue(_ depth: Int) -> PredicateSyntax? {
    let variable = variables.filter { $0.operand.type != nil }.randomElement(using: &random)?.operand
    guard var operand = variable ?? value(in: random.below(4)) else { return nil }
    if random.once(in: 8), let length = length(of: operand) { operand = length }
    if operand.type == .bool, random.once(in: 3) { return PredicateSyntax(.truth(operand.expression)) }
    return test(operand, nil)
  }

  /// A value, or each of many values, against something.
  private mutating func test(_ operand: Operand, _ quantifier: Quantifier?) -> PredicateSyntax {
    let left = operand.expression
    switch random.below(9) {
    case 0:
      return compare(left, random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)), [], quantifier)
    case 1:
      return compare(left, .between, list([near(operand), near(operand)]), [], quantifier)
    case 2:
      var elements = (0..<random.below(4)).map { _ in near(operand) }
      if random.once(in: 4) { elements.append(.null) }
      return compare(left, .isIn, list(elements), options(operand), quantifier)
    case 3, 4:
      if operand.type == .string {
        let comparator = random.pick([Comparator.contains, .beginsWith, .endsWith, .like, .matches])
        let pattern: String =
          switch comparator {
          case .like: random.pick(["*", "a*", "?b", "*b*", "a\\*"])
          case .matches: random.pick(["a.*", ".", "(a|b)+", "a?b"])
          default: random.pick(["", "a", "b", "ab", "ß", "A"])
          }
        let options = comparator == .matches ? [] : options(operand)
        // Without a quantifier a collection is asked for a member, which is not what is meant here.
        let meant = operand.isMany && !operand.isThrough && comparator == .contains ? quantifier ?? .any : quantifier
        return compare(left, comparator, literal(.string(pattern)), options, meant)
      }
    case 5, 6:
      // Another value from elsewhere in the graph.
      if let other = value(in: random.below(3)), isComparable(operand, other) {
        return compare(left, relation(), other.expression, [], quantifier)
      }
    default: break
    }
    if !operand.isMany, random.once(in: 8) { return compare(literal(near(operand)), relation(), left) }
    return compare(left, relation(), literal(near(operand)), options(operand), quantifier)
  }

  /// `.length` after a text, or after each of many.
  private func length(of text: Operand) -> Operand? {
    guard text.type == .string else { return nil }
    var length = followed(text, .name("length"))
    (length.content, length.samples, length.lists) = (.value(.int), [.int(0), .int(1), .int(2)], [])
    (length.isArray, length.isThrough) = (false, text.isMany)
    return length
  }

  private mutating func relation() -> Comparator { random.pick(Comparator.relations) }

  private mutating func options(_ operand: Operand) -> StringOptions {
    guard operand.type == .string, random.once(in: 4) else { return [] }
    return random.pick([[.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]])
  }

  func isComparable(_ a: Operand, _ b: Operand) -> Bool {
    guard let first = a.type, let second = b.type else { return a.content == b.content }
    return first == second || (first.isNumeric && second.isNumeric)
  }

  mutating func near(_ operand: Operand) -> Value {
    if random.once(in: 2), !operand.samples.isEmpty { return random.pick(operand.samples) }
    guard let type = operand.type else { return .null }
    if type == .int, random.once(in: 6) { return .double(Double(random.below(16)) / 2) }
    return RandomGraph.value(type, &random)
  }

  /// What a list or dictionary has at a place or under a key that is no constant.
  private mutating func onBracket() -> PredicateSyntax? {
    guard let object = random.once(in: 3) ? object(in: 1) : start(), let name = object.entity, !object.isMany,
      let entity = world.schema.entity(named: name)
    else { return nil }
    let columns = world.schema.columns(of: entity).filter {
      if case .collection(let kind, _) = $0.kind { kind != .set && object.names(of: $0) != nil } else { false }
    }
    guard let column = columns.randomElement(using: &random), case .collection(let kind, let type) = column.kind,
      let names = object.names(of: column), let index = bracket(kind == .dictionary ? .string("a") : .int(1))
    else { return nil }
    var item = followed(object, names + [.index(index)])
    (item.content, item.samples) = (.value(type), samples(name, column))
    return test(item, nil)
  }

  // MARK: Objects

  private mutating func onObject() -> PredicateSyntax? {
    guard let operand = object(in: random.below(4)), let entity = operand.entity else { return nil }
    if operand.isStruct {
      return compare(operand.expression, random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    }
    if random.once(in: 5), let key = keys(entity, count: 2) {
      return random.once(in: 2)
        ? compare(operand.expression, random.pick([.equal, .notEqual]), literal(key[0]))
        : compare(operand.expression, .isIn, list(key))
    }
    switch random.below(5) {
    case 0: return compare(operand.expression, random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    case 1:
      var elements = (0..<random.below(3)).map { _ in some(entity) }
      if random.once(in: 3) { elements.append(.null) }
      if random.once(in: 3), let keys = keys(entity, count: 1) { elements = keys + elements }
      return compare(operand.expression, .isIn, list(elements))
    case 2:
      guard let other = object(in: random.below(3)), other.content == operand.content else { return nil }
      return compare(operand.expression, random.pick([.equal, .notEqual]), other.expression)
    case 3:
      guard let many = manyObjects(depth: 0), many.content == operand.content else { return nil }
      return compare(
        operand.expression, .isIn, many.expression, [],
        right: random.once(in: 3) ? random.pick([Quantifier.any, .all, .none]) : nil)
    default: return compare(operand.expression, random.pick([.equal, .notEqual]), literal(some(entity)))
    }
  }

  /// An object of an entity, which is mostly there.
  mutating func some(_ entity: String) -> Value {
    OracleWorld.object(entity, UInt64(random.below((world.objects[entity]?.count ?? 0) + 1)) + 1)
  }

  private mutating func keys(_ entity: String, count: Int) -> [Value]? {
    guard let key = world.key(of: entity) else { return nil }
    let known = world.all(entity).compactMap { $0.values[key.path] }
    return (0..<count).map { _ in
      let other: Value = key.kind == .scalar(.int) ? .int(-7) : .string("nobody")
      return known.isEmpty || random.once(in: 6) ? other : random.pick(known)
    }
  }

  private mutating func onManyObjects(_ depth: Int) -> PredicateSyntax? {
    let structs = random.once(in: 6) ? structures(in: 1 + random.below(2)) : nil
    guard let many = structs ?? manyObjects(depth: depth), let entity = many.entity else { return nil }
    if many.isStruct {
      // Of structs there is only to ask whether they are there; anything else is an error.
      if random.once(in: 3) {
        let comparator = random.pick([Comparator.equal, .notEqual])
        return compare(many.expression, comparator, ExpressionSyntax(.literal(.null)), [], quantifier() ?? .any)
      }
      return random.once(in: 4)
        ? compare(many.expression, .equal, literal(.int(1)), [], quantifier() ?? .any)
        : compare(count(of: many), relation(), literal(.int(Int64(random.below(3)))))
    }
    let quantifier = quantifier()
    switch random.below(7) {
    case 0: return compare(many.expression, .contains, literal(some(entity)))
    case 1: return compare(literal(some(entity)), .isIn, many.expression)
    case 2:
      guard let other = object(in: random.below(3)), other.content == many.content else { return nil }
      return random.once(in: 2)
        ? compare(other.expression, .isIn, many.expression)
        : compare(many.expression, random.pick([.equal, .notEqual]), other.expression, [], quantifier)
    case 3:
      guard let key = keys(entity, count: 2) else { return nil }
      return random.once(in: 2)
        ? compare(many.expression, .equal, literal(key[0]), [], quantifier ?? .any)
        : compare(many.expression, .isIn, list(key), [], quantifier ?? .any)
    case 4:
      let keys = random.once(in: 2) ? keys(entity, count: 1) : nil
      return compare(many.expression, .isIn, list([some(entity), some(entity)] + (keys ?? [])), [], quantifier)
    case 5:
      let distinct = distinct(many)
      if random.once(in: 2) { return compare(literal(some(entity)), .isIn, distinct) }
      return compare(counted(distinct), relation(), literal(.int(Int64(random.below(4)))))
    default:
      return compare(many.expression, random.pick([.equal, .notEqual]), literal(some(entity)), [], quantifier ?? .any)
    }
  }

  private mutating func quantifier() -> Quantifier? { random.pick([nil, .any, .any, .all, Quantifier.none]) }

  // MARK: Many values

  private mutating func onManyValues(_ depth: Int) -> PredicateSyntax? {
    guard var many = manyValues(depth: depth) else { return nil }
    if random.once(in: 8), let length = length(of: many) { many = length }
    switch random.below(8) {
    // Of texts behind links CONTAINS asks for a part of each.
    case 0 where !many.isThrough || many.type != .string:
      let element = literal(near(many))
      return random.once(in: 2)
        ? compare(many.expression, .contains, element) : compare(element, .isIn, many.expression)
    case 1:
      guard let single = value(in: random.below(3)), isComparable(single, many) else { return nil }
      return random.once(in: 2)
        ? compare(single.expression, .isIn, many.expression)
        : compare(single.expression, relation(), many.expression, [], right: quantifier())
    case 2:
      let distinct = distinct(many)
      if many.type?.isNumeric == true, random.once(in: 4) {
        let name = random.pick(["sum", "avg", "min", "max", "median", "mode", "stddev"])
        let whole = Operand(expression: distinct, content: many.content)
        return compare(followed(whole, .operation(name)).expression, relation(), literal(near(many)))
      }
      return random.once(in: 2)
        ? compare(literal(near(many)), .isIn, distinct)
        : compare(counted(distinct), relation(), literal(.int(Int64(random.below(4)))))
    case 3, 4: if let made = onEach(many) { return made }
    default: break
    }
    return test(many, quantifier())
  }

  /// An expression over each element, for which a quantifier must stand.
  private mutating func onEach(_ many: Operand) -> PredicateSyntax? {
    let quantifier = random.pick([Quantifier.any, .any, .all, .none])
    var each = many
    switch many.type {
    case .string?:
      let function = random.pick(["length", "uppercase", "lowercase"])
      each.expression = ExpressionSyntax(.call(function, [many.expression]))
      if function == "length" {
        (each.content, each.samples) = (.value(.int), [.int(0), .int(1), .int(2)])
      }
    case let type? where type.isNumeric:
      let other = random.once(in: 4) ? value(in: random.below(2)) : nil
      switch random.below(4) {
      case 0: each.expression = ExpressionSyntax(.call("abs", [many.expression]))
      case 1 where other?.type?.isNumeric == true:
        each.expression = .binary(.subtract, many.expression, other?.expression ?? literal(.int(1)))
      case 2:
        let condition = self.predicate(depth: 0)
        each.expression = ExpressionSyntax(.ternary(condition, many.expression, literal(.int(1))))
      default: each.expression = .binary(random.pick([.add, .multiply]), many.expression, literal(.int(2)))
      }
      each.content = .value(type.isInteger ? .int : .double)
    default: return nil
    }
    each.isThrough = true
    return test(each, quantifier)
  }

  private mutating func distinct(_ many: Operand) -> ExpressionSyntax {
    before(many, .operation("distinctUnionOfObjects")).expression
  }

  private func counted(_ expression: ExpressionSyntax) -> ExpressionSyntax {
    followed(Operand(expression: expression, content: .value(.int)), .operation("count")).expression
  }

  // MARK: Counts and aggregates

  private mutating func onCount(_ depth: Int) -> PredicateSyntax? {
    let many = random.once(in: 4) ? manyValues(depth: depth) : manyObjects(depth: depth)
    guard let many else { return nil }
    let other = random.once(in: 4) ? number(depth: 0) : nil
    return compare(count(of: many), relation(), other ?? literal(.int(Int64(random.below(5)))))
  }

  mutating func count(of many: Operand) -> ExpressionSyntax {
    switch random.below(5) {
    case 0: ExpressionSyntax(.call("count", [many.expression]))
    case 1: followed(many, .size).expression
    default: followed(many, .operation("count")).expression
    }
  }

  private mutating func onAggregate(_ depth: Int) -> PredicateSyntax? {
    guard let aggregate = aggregate(depth: depth) else { return nil }
    if random.once(in: 5) {
      return compare(aggregate.expression, random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    }
    return compare(aggregate.expression, relation(), literal(near(aggregate)))
  }

  mutating func aggregate(depth: Int) -> Operand? {
    manyValues(depth: depth).flatMap { aggregate(of: $0) }
  }

  private mutating func aggregate(of many: Operand) -> Operand? {
    guard let type = many.type else { return nil }
    if type.isNumeric {
      let name = random.pick(["sum", "avg", "avg", "min", "max", "median", "mode", "stddev", "percentile(0.75)"])
      if random.once(in: 6) {
        let name = random.pick(["median", "mode", "stddev", "average"])
        let call = ExpressionSyntax(.call(name, [many.expression]))
        return Operand(expression: call, content: .value(.double), samples: many.samples)
      }
      var result = before(many, .operation(name))
      (result.isMany, result.isThrough, result.isArray) = (false, false, false)
      if ["avg", "median", "stddev", "percentile(0.75)"].contains(name) || (name == "sum" && !type.isInteger) {
        result.content = .value(.double)
      }
      if name == "sum", type.isInteger { result.content = .value(.int) }
      return result
    }
    guard type == .string || type == .date else { return nil }
    var result = before(many, .operation(random.pick(["min", "max"])))
    (result.isMany, result.isThrough, result.isArray) = (false, false, false)
    return result
  }

  /// The operator, in the midst of the path where the rest is asked of many objects.
  private mutating func before(_ many: Operand, _ operation: PathSyntax.Step.Kind) -> Operand {
    guard let split = many.split, many.isThrough || random.once(in: 2), !random.once(in: 6) else {
      return followed(many, operation)
    }
    var result = many
    switch many.expression.kind {
    case .path(var path):
      path.steps.insert(PathSyntax.Step(operation), at: split)
      result.expression = ExpressionSyntax(.path(path))
    case .subquery(let path, let variable, let predicate, var tail):
      tail.steps.insert(PathSyntax.Step(operation), at: split)
      result.expression = ExpressionSyntax(.subquery(path, variable: variable, predicate, tail: tail))
    default: break
    }
    return result
  }

  // MARK: SUBQUERY

  private mutating func onSubquery(_ depth: Int) -> PredicateSyntax? {
    guard depth > 0 else { return nil }
    let source =
      switch random.below(6) {
      case 0: manyValues(depth: 0)
      case 1: structures(in: 1) ?? manyObjects(depth: 0)
      default: manyObjects(depth: 0)
      }
    guard let source, case .path = source.expression.kind else { return nil }
    let found = chosen(source, depth: depth)
    guard found.isSubquery else { return nil }
    // What is chosen from a list is one, and has places.
    if found.isArray, random.once(in: 4) { return onItem(followed(found, item())) }
    switch random.below(6) {
    case 5:
      // `SUBQUERY(…).link.@op.path`
      guard let linked = hop(found), linked.isMany, var values = last(of: linked), values.isMany else { return nil }
      values.split = linked.stepCount
      guard let single = aggregate(of: values) else { return nil }
      return compare(single.expression, relation(), literal(near(single)))
    case 0:
      guard let values = found.type == nil ? last(of: found) : found else { return nil }
      return test(values, values.isThrough ? quantifier() : .any)
    case 1:
      return compare(
        .binary(random.pick([.add, .multiply]), count(of: found), literal(.int(2))), relation(), count(of: source))
    default: return compare(count(of: found), relation(), literal(.int(Int64(random.below(4)))))
    }
  }

  /// One of those that a SUBQUERY chooses, or what it has.
  private mutating func onItem(_ item: Operand) -> PredicateSyntax? {
    var item = item
    (item.isMany, item.isArray) = (false, false)
    guard let value = item.type == nil ? last(of: item) : item else { return nil }
    return value.isMany ? test(value, quantifier() ?? .any) : test(value, nil)
  }

  /// A value of an element, or the element itself, against one of the object that is asked about.
  mutating func correlated(_ element: Operand) -> PredicateSyntax? {
    guard let left = element.type == nil && !random.once(in: 4) ? last(of: element) : element, !left.isMany else {
      return nil
    }
    let around = variables
    variables = []
    let right = left.type == nil ? object(in: random.below(3)) : value(in: random.below(3))
    variables = around
    guard let right, isComparable(left, right) else { return nil }
    let comparator = left.type == nil ? random.pick([.equal, .notEqual]) : relation()
    let isTurned = random.once(in: 3)
    return compare(
      isTurned ? right.expression : left.expression, comparator, isTurned ? left.expression : right.expression)
  }

  // MARK: Numbers

  private mutating func onNumbers(_ depth: Int) -> PredicateSyntax? {
    guard let left = number(depth: depth), let right = number(depth: 0) else { return nil }
    return compare(left, relation(), right)
  }

  mutating func number(depth: Int) -> ExpressionSyntax? {
    switch random.below(6) {
    case 0: return aggregate(depth: depth).flatMap { $0.type?.isNumeric == true ? $0.expression : nil }
    case 1: return manyObjects(depth: depth).map { count(of: $0) }
    case 2:
      guard let place = object(in: random.below(3)), !place.isStruct else { return nil }
      return followed(place, [.operation("links"), .operation("count")]).expression
    case 3 where depth > 0:
      guard let first = number(depth: depth - 1), let second = number(depth: depth - 1) else { return nil }
      return .binary(random.pick([.add, .subtract, .multiply, .divide]), first, second)
    case 4 where depth > 0:
      guard let first = number(depth: 0), let second = number(depth: 0) else { return nil }
      return ExpressionSyntax(.ternary(predicate(depth: 0), first, second))
    default: return value(in: random.below(4)).flatMap { $0.type?.isNumeric == true ? $0.expression : nil }
    }
  }

  // MARK: Errors

  /// What is an error, whatever the data.
  private mutating func wrong() -> PredicateSyntax? {
    guard let object = object(in: 1) else { return nil }
    switch random.below(6) {
    case 0: return compare(followed(object, .name("nothing")).expression, .equal, literal(.int(1)))
    case 1: return compare(object.expression, .equal, literal(OracleWorld.object("Nobody", 1)))
    case 2: return compare(object.expression, .less, literal(some(object.entity ?? "")))
    case 3: return compare(object.expression, .equal, literal(.int(1)), [], .any)
    case 4:
      guard let other = self.object(in: 1), other.content != object.content else { return nil }
      return compare(object.expression, .equal, other.expression)
    default:
      guard let single = value(in: 1) else { return nil }
      return compare(followed(single, .operation("count")).expression, .greater, literal(.int(0)))
    }
  }
}
