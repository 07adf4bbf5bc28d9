import PredicateLanguage
import Schema
import Values

/// Makes statements about groups, sections and rows by what objects link to.
struct GraphRowMaker {
  typealias Operand = GraphQueryMaker.Operand

  var maker: GraphQueryMaker

  init(world: OracleWorld, random: OracleRandom) {
    maker = GraphQueryMaker(world: world, random: random)
    maker.givesPlaces = false
  }

  mutating func make() -> (select: SelectSyntax, arguments: Arguments) {
    maker.usesArguments = maker.random.once(in: 3)
    var select = SelectSyntax(entity: NameSyntax(maker.entity.name))
    if !maker.random.once(in: 3) { select.filter.predicate = maker.predicate(depth: 1) }
    switch maker.random.below(5) {
    case 0, 1, 2: group(&select)
    case 3:
      select.sectionsBy = key().expression
      rows(&select)
    default: rows(&select)
    }
    return (select, maker.arguments)
  }

  // MARK: Groups

  private mutating func group(_ select: inout SelectSyntax) {
    let keys = maker.random.once(in: 8) ? [] : (0...maker.random.below(2)).map { _ in key() }
    select.groupBy = keys.map(\.expression)
    let values =
      keys + keys.compactMap { behind($0) } + (0...maker.random.below(4)).map { _ in aggregate() }
    if keys.isEmpty || !maker.random.once(in: 5) {
      // Without a key an aggregate is what makes it a group.
      let chosen = [values.count - 1] + (0..<maker.random.below(4)).map { _ in maker.random.below(values.count) }
      select.select = chosen.enumerated().map { place, value in
        SelectItemSyntax(values[value].expression, heading: "c\(place)")
      }
    }
    if !keys.isEmpty, maker.random.once(in: 2) { select.having = having(values, depth: 2) }
    let sortable = values.filter { !$0.isMany && $0.entity == nil || maker.random.once(in: 12) }
    if !sortable.isEmpty, maker.random.once(in: 2) {
      select.sortBy = (0...maker.random.below(2)).map { _ in
        SortKeySyntax(maker.random.pick(sortable).expression, ascending: maker.random.once(in: 2))
      }
    }
    if maker.random.once(in: 5) { select.distinct = [maker.random.pick(values.filter { !$0.isMany }).expression] }
    window(&select)
  }

  /// What a key tells of besides itself: what is behind an object or in a struct, anything where it tells objects apart.
  /// Now and then something that it does not.
  private mutating func behind(_ key: Operand) -> Operand? {
    if maker.random.once(in: 20) { return maker.value(in: maker.random.below(3)) }
    guard isPath(key) else { return nil }
    if case .path(let path) = key.expression.kind, path.steps.map(\.kind) == [.name("key")], maker.random.once(in: 2) {
      return maker.random.once(in: 3) ? maker.manyObjects(depth: 0) : maker.value(in: maker.random.below(3))
    }
    guard key.entity != nil, maker.random.once(in: 2) else { return nil }
    guard let last = maker.last(of: key), !key.isStruct || !last.isMany else { return nil }
    return last
  }

  /// A value or an object at the end of links to one each, or what is counted of many.
  private mutating func key() -> Operand {
    switch maker.random.below(7) {
    case 6: if let structure = maker.structure(in: maker.random.below(3)) { return structure }
    case 0:
      if let object = maker.object(in: 1 + maker.random.below(2)), isPath(object) { return object }
    case 1:
      if let many = maker.manyObjects(depth: 0) {
        return Operand(
          expression: maker.count(of: many), content: .value(.int), samples: [.int(0), .int(1), .int(2)])
      }
    case 2:
      if let aggregate = maker.aggregate(depth: 0) { return aggregate }
    default: break
    }
    return maker.value(in: maker.random.below(4))
      ?? Operand(expression: ExpressionSyntax(.path(PathSyntax("title"))), content: .value(.string))
  }

  private func isPath(_ operand: Operand) -> Bool {
    if case .path(let path) = operand.expression.kind { !path.steps.isEmpty } else { false }
  }

  /// `@count`, `@avg.boss.n`, `@max.tasks.@count`, `@distinctUnionOfObjects.boss.title.@count`.
  private mutating func aggregate() -> Operand {
    let count = Operand(
      expression: ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.operation("count"))]))),
      content: .value(.int), samples: [.int(1), .int(2), .int(3)])
    var key = key()
    if maker.random.once(in: 3) {
      let many = maker.random.once(in: 4) ? maker.manyObjects(depth: 0) : maker.manyValues(depth: 0)
      if let many, isPath(many) { key = many }
    }
    guard !key.isStruct, case .path(let path) = key.expression.kind,
      let type = key.type ?? (key.entity == nil ? nil : .bool)
    else {
      return count
    }
    func value(_ name: String, _ type: ScalarType, then rest: [PathSyntax.Step] = []) -> Operand {
      let steps = [PathSyntax.Step(.operation(name))] + path.steps + rest
      return Operand(
        expression: ExpressionSyntax(.path(PathSyntax(steps: steps))), content: .value(type), samples: key.samples)
    }
    if key.entity != nil || maker.random.once(in: 4) {
      return value("distinctUnionOfObjects", .int, then: [PathSyntax.Step(.operation("count"))])
    }
    switch maker.random.below(8) {
    case 0: return value("min", type)
    case 1: return value("max", type)
    case 2 where type.isNumeric: return value("sum", type.isInteger ? .int : .double)
    case 3 where type.isNumeric: return value("avg", .double)
    case 4 where type.isNumeric:
      return value(maker.random.pick(["median", "percentile(0.75)", "percentile(0.1)"]), .double)
    case 5 where type.isNumeric: return value("stddev", .double)
    case 6: return value("mode", type)
    default: return count
    }
  }

  /// A condition on the values of a group.
  private mutating func having(_ values: [Operand], depth: Int) -> PredicateSyntax {
    let operand = maker.random.pick(values.filter { !$0.isMany })
    // Of a struct there is only to ask whether it is there.
    switch operand.isStruct ? 4 : maker.random.below(depth > 0 ? 8 : 5) {
    case 5: return PredicateSyntax(.not(having(values, depth: depth - 1)))
    case 6, 7:
      let parts = [0, 1].map { _ in having(values, depth: 0) }
      return PredicateSyntax(maker.random.once(in: 2) ? .and(parts) : .or(parts))
    case 4:
      return maker.compare(
        operand.expression, maker.random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    default:
      let relation = maker.random.pick(operand.entity == nil ? Comparator.relations : [.equal, .notEqual])
      let others = values.filter {
        !$0.isMany && maker.isComparable($0, operand) && $0.expression != operand.expression
      }
      if maker.random.once(in: 4), let other = others.randomElement(using: &maker.random) {
        return maker.compare(operand.expression, relation, other.expression)
      }
      let value = operand.entity.map { maker.some($0) } ?? maker.near(operand)
      return maker.compare(operand.expression, relation, maker.literal(value))
    }
  }

  // MARK: Objects

  private mutating func rows(_ select: inout SelectSyntax) {
    if select.sectionsBy == nil || maker.random.once(in: 2) {
      select.select = (0...maker.random.below(3)).map { place in
        SelectItemSyntax(shown(), heading: "c\(place)")
      }
    }
    if maker.random.once(in: 2) {
      select.sortBy = (0...maker.random.below(2)).map { _ in
        let key = key()
        let expression = key.entity == nil ? key.expression : ExpressionSyntax(.path(PathSyntax("title")))
        return SortKeySyntax(expression, ascending: maker.random.once(in: 2))
      }
    }
    if maker.random.once(in: 5) { select.distinct = [key().expression] }
    window(&select)
  }

  private mutating func shown() -> ExpressionSyntax {
    switch maker.random.below(8) {
    case 0, 1: if let number = maker.number(depth: 1) { return number }
    case 2: if let many = maker.manyObjects(depth: 1) { return many.expression }
    case 3: if let many = maker.manyValues(depth: 1) { return many.expression }
    case 4: if let structs = maker.structures(in: 1 + maker.random.below(2)) { return structs.expression }
    default: break
    }
    return key().expression
  }

  private mutating func window(_ select: inout SelectSyntax) {
    if maker.random.once(in: 4) { select.offset = maker.literal(.int(Int64(maker.random.below(4)))) }
    if maker.random.once(in: 4) { select.limit = maker.literal(.int(Int64(maker.random.below(12)))) }
  }
}
