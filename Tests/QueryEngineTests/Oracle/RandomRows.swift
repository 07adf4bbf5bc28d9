import PredicateLanguage
import Schema
import Values

/// Makes statements about rows: groups with what is done to them, sections, plain columns.
struct RowMaker {
  var maker: QueryMaker

  init(store: RandomStore, random: OracleRandom) {
    maker = QueryMaker(store: store, random: random)
  }

  mutating func make() -> (select: SelectSyntax, arguments: Arguments) {
    maker.style = maker.random.pick([.literals, .positional, .named])
    var select = SelectSyntax(entity: NameSyntax(maker.entity.name))
    if !maker.random.once(in: 3) { select.filter.predicate = maker.predicate(depth: 1) }
    switch maker.random.below(5) {
    case 0, 1, 2: group(&select)
    case 3: sections(&select)
    default: rows(&select)
    }
    return (select, maker.arguments)
  }

  // MARK: Groups

  private mutating func group(_ select: inout SelectSyntax) {
    // One time in five everything is one group, of which often only what an index may tell is asked.
    let keys = maker.random.once(in: 5) ? [] : (0...maker.random.below(2)).map { _ in key() }
    let isReduced = keys.isEmpty && maker.random.once(in: 2)
    select.groupBy = keys.map(\.expression)
    let values = keys + (0...maker.random.below(4)).map { _ in aggregate(ofEnds: isReduced) }
    // A struct is compared with nothing and has no order.
    let structure = keys.isEmpty || !maker.random.once(in: 4) ? nil : maker.structure()
    if let structure { select.groupBy.append(structure) }
    if !keys.isEmpty, maker.random.once(in: 5) {
      select.select = nil
    } else {
      // Without a key an aggregate is what makes it a group.
      let first = values.count - 1
      select.select = ([first] + (0..<maker.random.below(4)).map { _ in maker.random.below(values.count) }).enumerated()
        .map { SelectItemSyntax(values[$0.element].expression, heading: "c\($0.offset)") }
    }
    if let structure, select.select != nil { select.select?.append(SelectItemSyntax(structure, heading: "whole")) }
    if !keys.isEmpty, maker.random.once(in: 2) { select.having = having(values, depth: 2) }
    if maker.random.once(in: 2) {
      select.sortBy = (0...maker.random.below(2)).map { _ in
        SortKeySyntax(maker.random.pick(values).expression, ascending: maker.random.once(in: 2))
      }
    }
    if maker.random.once(in: 5) { select.distinct = [maker.random.pick(values).expression] }
    window(&select)
  }

  /// A key: a column, or what is computed from one.
  private mutating func key() -> QueryMaker.Operand {
    let column = maker.random.pick(maker.scalars)
    guard let whole = maker.operand(column) else { return maker.operand() }
    switch (whole.type, maker.random.below(3)) {
    case (.string, 0):
      return computed("firstLetter", whole, .string)
    case (.string, 1): return computed("length", whole, .int)
    case (.date, 0): return computed("year", whole, .int)
    default: return whole
    }
  }

  private func computed(_ name: String, _ operand: QueryMaker.Operand, _ type: ScalarType) -> QueryMaker.Operand {
    QueryMaker.Operand(
      expression: maker.call(name, operand.expression), type: type,
      samples: type == operand.type ? operand.samples : [.int(1), .int(2001)])
  }

  /// `@count`, `@avg.x`, `@distinctUnionOfObjects.x.@count`.
  private mutating func aggregate(ofEnds isReduced: Bool) -> QueryMaker.Operand {
    let column = maker.random.pick(maker.scalars)
    let path = column.path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) }
    func value(_ steps: [PathSyntax.Step], _ type: ScalarType, _ samples: [Value]) -> QueryMaker.Operand {
      QueryMaker.Operand(expression: ExpressionSyntax(.path(PathSyntax(steps: steps))), type: type, samples: samples)
    }
    func operation(_ name: String) -> [PathSyntax.Step] { [PathSyntax.Step(.operation(name))] }
    guard case .scalar(let type) = column.kind else { return value(operation("count"), .int, [.int(1), .int(2)]) }
    let samples = maker.samples[column.path] ?? []
    switch isReduced ? maker.random.pick([0, 0, 1, 1, 9]) : maker.random.below(10) {
    case 0: return value(operation("min") + path, type, samples)
    case 1: return value(operation("max") + path, type, samples)
    case 2:
      return value(operation("distinctUnionOfObjects") + path + operation("count"), .int, [.int(1), .int(2)])
    case 3 where type.isNumeric, 4 where type.isNumeric:
      return value(operation("sum") + path, type.isInteger ? .int : .double, samples)
    case 5 where type.isNumeric: return value(operation("avg") + path, .double, samples)
    case 6 where type.isNumeric && maker.random.once(in: 2):
      let name = maker.random.pick(["percentile(0.9)", "percentile(0.25)", "percentile(1)", "percentile(0)"])
      return value(operation(name) + path, .double, samples)
    case 6 where type.isNumeric: return value(operation("median") + path, .double, samples)
    case 7 where type.isNumeric: return value(operation("stddev") + path, .double, samples)
    case 8: return value(operation("mode") + path, type, samples)
    default: return value(operation("count"), .int, [.int(1), .int(2), .int(3)])
    }
  }

  /// A condition on the values of a group.
  private mutating func having(_ values: [QueryMaker.Operand], depth: Int) -> PredicateSyntax {
    switch maker.random.below(depth > 0 ? 8 : 5) {
    case 5: return PredicateSyntax(.not(having(values, depth: depth - 1)))
    case 6, 7:
      let parts = [0, 1].map { _ in having(values, depth: 0) }
      return PredicateSyntax(maker.random.once(in: 2) ? .and(parts) : .or(parts))
    case 4:
      let operand = maker.random.pick(values)
      return maker.compare(
        operand.expression, maker.random.pick([.equal, .notEqual]), ExpressionSyntax(.literal(.null)))
    default:
      let operand = maker.random.pick(values)
      let others = values.filter { $0.type == operand.type && $0.expression != operand.expression }
      if maker.random.once(in: 4), let other = others.randomElement(using: &maker.random) {
        return maker.compare(operand.expression, maker.random.pick(Comparator.relations), other.expression)
      }
      return maker.compare(
        operand.expression, maker.random.pick(Comparator.relations), maker.literal(maker.near(operand)))
    }
  }

  // MARK: Objects

  private mutating func sections(_ select: inout SelectSyntax) {
    let key = key()
    select.sectionsBy = key.expression
    if key.type == .string, maker.random.once(in: 2) {
      select.sectionOptions = SortOptions(rawValue: UInt8(maker.random.below(4)))
    }
    rows(&select)
    if maker.random.once(in: 2) { select.select = nil }
  }

  private mutating func rows(_ select: inout SelectSyntax) {
    select.select = (0...maker.random.below(3)).map { number in
      let expression =
        switch maker.random.below(8) {
        case 0, 1: maker.numeric(depth: 2)
        case 2: maker.structure()
        case 3: maker.many()
        default: ExpressionSyntax?.none
        }
      return SelectItemSyntax(expression ?? maker.operand().expression, heading: "c\(number)")
    }
    if maker.random.once(in: 2) {
      select.sortBy = (0...maker.random.below(2)).map { _ in
        SortKeySyntax(maker.path(maker.column()), ascending: maker.random.once(in: 2))
      }
    }
    if maker.random.once(in: 5) {
      select.distinct = [maker.random.once(in: 3) ? maker.structure() : nil].compactMap(\.self)
      if select.distinct.isEmpty { select.distinct = [maker.path(maker.column())] }
    }
    window(&select)
  }

  private mutating func window(_ select: inout SelectSyntax) {
    if maker.random.once(in: 4) { select.offset = maker.literal(.int(Int64(maker.random.below(4)))) }
    if maker.random.once(in: 4) { select.limit = maker.literal(.int(Int64(maker.random.below(12)))) }
  }
}
