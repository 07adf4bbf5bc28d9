import PredicateLanguage
import Schema
import Values

/// The meaning of GROUP BY, HAVING, SECTIONS BY and SELECT: a group is made an object of its own, with a column for each
/// key and each aggregate, and is then asked like any other.
struct RowOracle {
  /// Mistakes that can be planted, to show that the comparison would notice them.
  enum Mistake: CaseIterable {
    case groupsInKeyOrder, nilIsNoGroup, zerosApart, countSkipsNil, havingIsIgnored, limitBeforeSort, noGroupOfNothing
    case sectionsOnlyBesideEachOther, sectionsInKeyOrder, offsetIsIgnored, distinctIsIgnored, sumOfNothingIsNil
  }

  /// What a statement shows: rows, in sections or not.
  struct Answer {
    var rows: [[Value]] = []
    /// The key of each section and the places of its rows.
    var sections: [(key: Value, rows: [Int])] = []
  }

  let world: OracleWorld
  let entity: Entity
  let arguments: Arguments
  var mistake: Mistake?
  /// The values to show where nothing is selected, over an object.
  let leaves: [String]

  init(world: OracleWorld, entity: Entity, leaves: [String], arguments: Arguments, mistake: Mistake?) {
    self.world = world
    self.entity = entity
    self.leaves = leaves
    self.arguments = arguments
    self.mistake = mistake
  }

  private var evaluator: NaiveEvaluator {
    NaiveEvaluator(schema: world.schema, entity: entity, arguments: arguments, world: world)
  }

  func answer(_ select: SelectSyntax, _ objects: [OracleObject]) throws(OracleError) -> (answer: Answer, inDoubt: Bool)
  {
    let evaluator = evaluator
    let isGrouped = !select.groupBy.isEmpty || (select.select ?? []).contains { Self.isAggregate($0.expression) }
    let chosen = try evaluator.rows(FilterSyntax(predicate: select.filter.predicate), of: objects)
    let byNumber = Dictionary(objects.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let found = chosen.compactMap { byNumber[$0] }
    if isGrouped {
      var answer = Answer()
      let groups = try grouped(select, found, evaluator)
      let group = GroupAsObject(select, evaluator)
      let order = try group.ordered(select, groups.map { group.object($0, self) }, arguments, mistake)
      answer.rows = order.rows
      return (answer, evaluator.doubt.isThere || order.inDoubt)
    }
    var filter = FilterSyntax(predicate: nil, tails: Self.tails(select))
    if mistake == .offsetIsIgnored, select.offset != nil { filter.tails = Self.tails(select, offset: false) }
    if mistake == .distinctIsIgnored { filter.tails.removeAll { if case .distinct = $0 { true } else { false } } }
    let rows = try evaluator.rows(filter, of: found).compactMap { byNumber[$0] }
    var answer = Answer()
    let scope = OracleScope()
    for item in select.select ?? [] { try evaluator.checkShown(item.expression, scope) }
    if let section = select.sectionsBy { try evaluator.checkKey(section, scope) }
    answer.rows = rows.map { row in
      select.select.map { items in
        items.map { evaluator.whole($0.expression, OracleScope(object: row)) }
      } ?? leaves.map { world.shown(row.values[$0] ?? .null) }
    }
    if let section = select.sectionsBy {
      let keys = rows.map { heading(evaluator.value(section, OracleScope(object: $0)), select.sectionOptions) }
      answer.sections = sections(keys)
    }
    return (answer, evaluator.doubt.isThere)
  }

  /// The key of a section under its options: folded, in capitals where letter case does not count.
  private func heading(_ key: Value, _ options: SortOptions) -> Value {
    guard case .string(let text) = key else { return key }
    let folded = OracleTextOrder.folded(text, options)
    return .string(options.contains(.caseInsensitive) ? folded.uppercased() : folded)
  }

  /// Rows with the same key, in the order of the first of them.
  private func sections(_ keys: [Value]) -> [(key: Value, rows: [Int])] {
    var sections: [(key: Value, rows: [Int])] = []
    for (place, key) in keys.enumerated() {
      var known = sections.firstIndex { same($0.key, key) }
      if mistake == .sectionsOnlyBesideEachOther, known != sections.count - 1 { known = nil }
      if let known { sections[known].rows.append(place) } else { sections.append((key, [place])) }
    }
    if mistake == .sectionsInKeyOrder { sections.sort { OracleValues.sortsBefore($0.key, $1.key) } }
    return sections
  }

  private func same(_ left: Value, _ right: Value) -> Bool {
    if mistake == .zerosApart, "\(left)" != "\(right)" { return false }
    return OracleValues.same(left, right)
  }

  /// The keys and members of each group, in the order of the first member.
  private func grouped(
    _ select: SelectSyntax, _ objects: [OracleObject], _ evaluator: NaiveEvaluator
  ) throws(OracleError) -> [(keys: [Value], members: [OracleObject])] {
    for key in select.groupBy where !evaluator.isStructure(key, OracleScope()) {
      try evaluator.checkKey(key, OracleScope())
    }
    if select.groupBy.isEmpty { return objects.isEmpty && mistake == .noGroupOfNothing ? [] : [([], objects)] }
    var groups: [(keys: [Value], members: [OracleObject])] = []
    for object in objects {
      let keys = select.groupBy.map { evaluator.whole($0, OracleScope(object: object)) }
      if mistake == .nilIsNoGroup, keys.contains(where: \.isNull) { continue }
      if let place = groups.firstIndex(where: { zip($0.keys, keys).allSatisfy(same) }) {
        groups[place].members.append(object)
      } else {
        groups.append((keys, [object]))
      }
    }
    if mistake == .groupsInKeyOrder { groups.sort { OracleValues.sortsBefore($0.keys[0], $1.keys[0]) } }
    return groups
  }

  private static func tails(_ select: SelectSyntax, offset: Bool = true) -> [TailSyntax] {
    var tails: [TailSyntax] = []
    if !select.sortBy.isEmpty { tails.append(.sort(select.sortBy)) }
    if !select.distinct.isEmpty { tails.append(.distinct(select.distinct)) }
    if select.offset != nil || select.limit != nil {
      tails.append(.window(offset: offset ? select.offset : nil, limit: select.limit))
    }
    return tails
  }

  static func isAggregate(_ expression: ExpressionSyntax) -> Bool {
    guard case .path(let path) = expression.kind, case .operation(let name)? = path.steps.first?.kind else {
      return false
    }
    return ["count", "sum", "avg", "min", "max", "median", "mode", "stddev", "distinctUnionOfObjects"].contains(name)
      || name.hasPrefix("percentile(")
  }
}

/// A group as an object: a column for each key and each aggregate that the statement names.
private struct GroupAsObject {
  private let members: NaiveEvaluator
  private let keys: [ExpressionSyntax]
  /// The aggregates, each once.
  private let aggregates: [ExpressionSyntax]
  /// What else is the same for all objects of a group, each once.
  private let determined: [ExpressionSyntax]
  private let entity: Entity

  init(_ select: SelectSyntax, _ members: NaiveEvaluator) {
    self.members = members
    keys = select.groupBy
    var found: [ExpressionSyntax] = []
    var all = (select.select ?? []).map(\.expression) + select.sortBy.map(\.expression) + select.distinct
    if let having = select.having { all += Self.sides(having) }
    if select.select == nil { all.append(Self.count) }
    for expression in all where RowOracle.isAggregate(expression) && !found.contains(expression) {
      found.append(expression)
    }
    aggregates = found
    var others: [ExpressionSyntax] = []
    for expression in all where !keys.contains(expression) && !others.contains(expression) {
      if Self.isDetermined(expression, by: keys, members) { others.append(expression) }
    }
    determined = others
    func types(_ expressions: [ExpressionSyntax]) -> [PropertyType] {
      expressions.map { expression in
        if case .object(let entity)? = try? members.type(of: expression, OracleScope()),
          !OracleWorld.isStructEntity(entity)
        {
          return .link(entity)
        }
        return .scalar(Self.type(of: expression, members))
      }
    }
    let values = types(keys) + found.map { .scalar(Self.type(ofAggregate: $0, members)) } + types(others)
    entity = Entity(
      name: "Group",
      properties: values.enumerated().map { place, type in
        Property(name: "v\(place)", type: type, isOptional: true)
      })
  }

  /// Whether the keys say what it is: one is an object or struct that its path begins with, or tells all objects apart.
  private static func isDetermined(
    _ expression: ExpressionSyntax, by keys: [ExpressionSyntax], _ evaluator: NaiveEvaluator
  ) -> Bool {
    guard case .path(let path) = expression.kind, !RowOracle.isAggregate(expression),
      (try? evaluator.checkedSource(expression, OracleScope())) != nil
    else { return false }
    if path.steps.map(\.kind) == [.operation("type")] { return true }
    return keys.contains { key in
      guard case .path(let start) = key.kind else { return false }
      if start.steps.map(\.kind) == [.name("key")], evaluator.world.key(of: evaluator.entity.name) != nil {
        return true
      }
      let leadsOn =
        evaluator.isStructure(key, OracleScope())
        || (try? evaluator.type(of: key, OracleScope()))?.isObject == true
      // What is in a list of structs within the key is not told of.
      let goesIntoAList =
        evaluator.isStructure(key, OracleScope())
        && path.steps.dropFirst(start.steps.count).contains { $0.kind == .name("stops") }
      return leadsOn && !goesIntoAList && path.steps.count > start.steps.count
        && zip(path.steps, start.steps).allSatisfy { $0.kind == $1.kind }
        && path.steps.dropFirst(start.steps.count).allSatisfy { isDetermined($0, by: keys, evaluator) }
    }
  }

  /// Whether the keys say which element a step takes: what stands in its brackets begins at the object again.
  private static func isDetermined(
    _ step: PathSyntax.Step, by keys: [ExpressionSyntax], _ evaluator: NaiveEvaluator
  ) -> Bool {
    guard case .index(let place) = step.kind else { return true }
    var isDetermined = true
    SyntaxNode.expression(place).walk { node in
      guard case .expression(let part) = node else { return true }
      if keys.contains(part) { return false }
      if case .path = part.kind {
        isDetermined = isDetermined && Self.isDetermined(part, by: keys, evaluator)
        return false
      }
      if case .subquery = part.kind { isDetermined = false }
      return true
    }
    return isDetermined
  }

  private static let count = ExpressionSyntax(.path(PathSyntax(steps: [PathSyntax.Step(.operation("count"))])))

  private static func sides(_ predicate: PredicateSyntax) -> [ExpressionSyntax] {
    switch predicate.kind {
    case .and(let parts), .or(let parts): parts.flatMap(sides)
    case .not(let inner): sides(inner)
    case .comparison(let comparison): [comparison.left, comparison.right]
    default: []
    }
  }

  private static func type(of expression: ExpressionSyntax, _ evaluator: NaiveEvaluator) -> ScalarType {
    switch (try? evaluator.sideType(expression, OracleScope()))?.types.first {
    case .bool?: .bool
    case .int?: .int
    case .float?: .float
    case .decimal?: .decimal
    case .string?: .string
    case .date?: .date
    case .uuid?: .uuid
    case .data?: .data
    default: .double
    }
  }

  /// The operation, what it is of, and whether the distinct values are counted.
  private static func parts(_ aggregate: ExpressionSyntax) -> (name: String, of: ExpressionSyntax?, isDistinct: Bool) {
    guard case .path(let path) = aggregate.kind, case .operation(let name)? = path.steps.first?.kind else {
      return ("count", nil, false)
    }
    let isDistinct = name == "distinctUnionOfObjects"
    let steps = Array(isDistinct ? path.steps.dropFirst().dropLast() : path.steps.dropFirst())
    return (name, steps.isEmpty ? nil : ExpressionSyntax(.path(PathSyntax(steps: steps))), isDistinct)
  }

  private static func type(ofAggregate aggregate: ExpressionSyntax, _ evaluator: NaiveEvaluator) -> ScalarType {
    let (name, argument, isDistinct) = parts(aggregate)
    guard let argument, !isDistinct else { return .int }
    let type = type(of: argument, evaluator)
    switch name {
    case "min", "max", "mode": return type
    case "stddev": return .double
    case "sum": return type.isInteger ? .int : type == .decimal ? .decimal : .double
    default: return type == .decimal ? .decimal : .double
    }
  }

  func object(_ group: (keys: [Value], members: [OracleObject]), _ oracle: RowOracle) -> OracleObject {
    let reduced = aggregates.map { aggregate -> Value in
      let (name, argument, isDistinct) = Self.parts(aggregate)
      guard let argument else { return .int(Int64(group.members.count)) }
      // One result over what all of them have, be it one value or many.
      var values = group.members.flatMap { members.side(argument, OracleScope(object: $0)).items.map(\.value) }
      if isDistinct {
        var distinct: [Value] = []
        for value in values where !value.isNull && !distinct.contains(where: { OracleValues.same($0, value) }) {
          distinct.append(value)
        }
        return .int(Int64(distinct.count + (oracle.mistake == .countSkipsNil && values.contains(.null) ? 1 : 0)))
      }
      if oracle.mistake == .sumOfNothingIsNil, values.allSatisfy(\.isNull) { return .null }
      values.removeAll(where: \.isNull)
      return OracleAggregates.reduce(name, values, type: OracleType(Self.type(ofAggregate: aggregate, members)))
    }
    var object = OracleObject(number: 0, values: [:])
    let others = determined.map { expression in
      group.members.first.map { members.whole(expression, OracleScope(object: $0)) } ?? .null
    }
    for (place, value) in (group.keys + reduced + others).enumerated() { object.values["v\(place)"] = value }
    return object
  }

  /// An expression over the group's members as one over the group.
  private func column(_ expression: ExpressionSyntax) -> ExpressionSyntax {
    guard let place = (keys + aggregates + determined).firstIndex(of: expression) else { return expression }
    return ExpressionSyntax(.path(PathSyntax("v\(place)")))
  }

  private func column(_ predicate: PredicateSyntax) -> PredicateSyntax {
    switch predicate.kind {
    case .and(let parts): return PredicateSyntax(.and(parts.map(column)))
    case .or(let parts): return PredicateSyntax(.or(parts.map(column)))
    case .not(let inner): return PredicateSyntax(.not(column(inner)))
    case .comparison(var comparison):
      comparison.left = column(comparison.left)
      comparison.right = column(comparison.right)
      return PredicateSyntax(.comparison(comparison))
    default: return predicate
    }
  }

  /// The rows that HAVING, SORT BY, DISTINCT, OFFSET and LIMIT leave.
  func ordered(
    _ select: SelectSyntax, _ groups: [OracleObject], _ arguments: Arguments, _ mistake: RowOracle.Mistake?
  ) throws(OracleError) -> (rows: [[Value]], inDoubt: Bool) {
    var schema = members.world.schema
    schema.entities.append(entity)
    let world = OracleWorld(schema: schema, objects: members.world.objects)
    let evaluator = NaiveEvaluator(schema: schema, entity: entity, arguments: arguments, world: world)
    var filter = FilterSyntax(predicate: mistake == .havingIsIgnored ? nil : select.having.map(column))
    for key in select.sortBy where (keys + determined).contains(key.expression) {
      if members.isStructure(key.expression, OracleScope()) { throw OracleError("a struct has no order") }
      if try members.sideType(key.expression, OracleScope()).isMany { throw OracleError("a list has no order") }
    }
    if !select.sortBy.isEmpty {
      filter.tails.append(.sort(select.sortBy.map { $0.with(column($0.expression)) }))
    }
    if !select.distinct.isEmpty, mistake != .distinctIsIgnored {
      filter.tails.append(.distinct(select.distinct.map(column)))
    }
    if select.offset != nil || select.limit != nil {
      let offset = mistake == .offsetIsIgnored ? nil : select.offset
      let window = TailSyntax.window(offset: offset, limit: select.limit)
      if offset != nil || select.limit != nil {
        filter.tails.insert(window, at: mistake == .limitBeforeSort ? 0 : filter.tails.count)
      }
    }
    for aggregate in aggregates {
      if let argument = Self.parts(aggregate).of { _ = try members.sideType(argument, OracleScope()) }
    }
    let numbered = groups.enumerated().map { OracleObject(number: UInt64($0.offset), values: $0.element.values) }
    let shown = select.select.map { $0.map(\.expression) } ?? keys + [Self.count]
    for expression in shown { try evaluator.checkShown(column(expression), OracleScope()) }
    let rows = try evaluator.rows(filter, of: numbered).map { number in
      shown.map { evaluator.value(column($0), OracleScope(object: numbered[Int(number)])) }
    }
    return (rows, evaluator.doubt.isThere)
  }
}

extension NaiveEvaluator {
  /// Many values are shown as a list, structs with all that is in them.
  fileprivate func checkShown(_ expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) {
    switch expression.kind {
    case .path, .subquery: _ = try checkedSource(expression, scope)
    default: _ = try type(of: expression, scope)
    }
  }

  /// A single value that is no struct.
  fileprivate func checkKey(_ expression: ExpressionSyntax, _ scope: OracleScope) throws(OracleError) {
    let type = try type(of: expression, scope)
    if !type.isScalar, !type.isObject { throw OracleError("a struct") }
  }
}
