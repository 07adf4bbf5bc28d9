internal import PredicateLanguage
internal import Storage
internal import Values

/// Plans conditions over linked objects a set at a time: what is asked of the linked objects is planned over their own
/// entity, with its indexes, and what links to them is found by walking the link column.
struct LinkPlanner {
  let snapshot: Snapshot
  let options: PlannerOptions
  /// How many links lead from the query's objects to those planned for here.
  let depth: Int

  /// Beyond as many links, objects are asked one by one.
  private static let deepest = 8

  /// A condition that finds its linked objects first; nil for one that cannot, or that goes through no links.
  func condition(for predicate: BoundPredicate, of entity: StoredEntity) throws -> Condition? {
    guard options.links != .rows, depth < Self.deepest, predicate.goesThroughLinks,
      let (whole, setup) = try whole(predicate, of: entity)
    else { return nil }
    if options.links == .sets { return whole }
    return LinkedCondition(
      rows: RowCondition(predicate), whole: whole, setup: setup + 20_000,
      perObject: CostModel.perObject(predicate))
  }

  /// The condition, and what finding its sets costs.
  private func whole(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> (Condition, Double)? {
    switch predicate {
    case .not(let inner): return try whole(inner, of: entity).map { (NotCondition($0.0), $0.1) }
    case .quantified(let quantified):
      if let found = try quantifier(quantified, of: entity) { return found }
    default: break
    }
    if let found = try target(predicate, of: entity) { return found }
    if case .comparison(let comparison) = predicate { return try vectors(comparison, of: entity) }
    return nil
  }

  // MARK: One target

  /// A predicate that reads nothing but the target of one to-one link.
  private func target(_ predicate: BoundPredicate, of entity: StoredEntity) throws -> (Condition, Double)? {
    var columns: Set<Int> = []
    predicate.collectColumns(into: &columns)
    guard columns.count == 1, let column = columns.first, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil, let linked = try linkedEntity(entity.columns[column].target),
      let inner = Rerooting.predicate(predicate, .target(column: column))
    else { return nil }
    let targets = try targets(inner, of: linked)
    return (
      TargetCondition(column: column, targets, holdsForNil: try predicate.holds(for: NoRow())), targets.plan.cost
    )
  }

  // MARK: Many targets

  private func quantifier(_ quantified: BoundQuantifier, of entity: StoredEntity) throws -> (Condition, Double)? {
    switch quantified.quantifier {
    case .any:
      return try any(quantified.collection, quantified.level, quantified.predicate, quantified.syntax, of: entity)
    case .none:
      return try any(quantified.collection, quantified.level, quantified.predicate, quantified.syntax, of: entity)
        .map { (NotCondition($0.0), $0.1) }
    case .all:
      return try any(
        quantified.collection, quantified.level, .not(quantified.predicate), quantified.syntax, of: entity
      ).map { (NotCondition($0.0), $0.1) }
    }
  }

  /// Whether a predicate holds for some element. Collections made of others are undone until a link column is left.
  private func any(
    _ collection: BoundCollection, _ level: Int, _ predicate: BoundPredicate, _ syntax: PredicateSyntax,
    of entity: StoredEntity
  ) throws -> (Condition, Double)? {
    switch collection {
    case .each(let base, let inner, let value):
      return try any(base, inner, predicate.replacing(level, by: value), syntax, of: entity)
    case .chosen(let base, let inner, let condition):
      let element = BoundExpression.element(level: inner, base.elementType ?? .null)
      return try any(base, inner, .and([condition, predicate.replacing(level, by: element)]), syntax, of: entity)
    case .flattened(let base, let outer, let inner):
      let some = BoundQuantifier(
        quantifier: .any, collection: inner, level: level, predicate: predicate, syntax: syntax)
      return try any(base, outer, .quantified(some), syntax, of: entity)
    case .column(let column, .object):
      guard let linked = try linkedEntity(entity.columns[column].target),
        let inner = Rerooting.predicate(predicate, .element(level))
      else { return nil }
      let targets = try targets(inner, of: linked)
      let fanOut = try fanOut(column, of: entity)
      return (AnyTargetCondition(column: column, targets, fanOut: fanOut), targets.plan.cost)
    case .sources(let source, of: .own):
      guard let inner = Rerooting.predicate(predicate, .element(level)) else { return nil }
      let sources = try targets(inner, of: source.entity)
      return (AnySourceCondition(source, sources), sources.plan.cost + sources.expected * 20)
    default: return nil
    }
  }

  // MARK: Numbers

  private func vectors(_ comparison: BoundComparison, of entity: StoredEntity) throws -> (Condition, Double)? {
    guard comparison.test == nil, comparison.folding.isNone, comparison.shape == nil else { return nil }
    var cost = 0.0
    let left = try gathered(comparison.left, of: entity, &cost)
    let right = try comparison.right.map { try gathered($0, of: entity, &cost) }
    if cost == 0 { return nil }
    if comparison.comparator == .between {
      return VectorComparisonCondition.between(left, right).map { ($0, cost) }
    }
    guard right.count == 1, comparison.comparator != .isIn else { return nil }
    return VectorComparisonCondition(comparison.comparator, left, right[0]).map { ($0, cost) }
  }

  /// The expression with everything gathered that can be; `cost` gets what finding the linked values costs.
  func gathered(
    _ expression: BoundExpression, of entity: StoredEntity, _ cost: inout Double
  ) throws -> BoundExpression {
    if expression.isVectorizable { return expression }
    switch expression {
    case .negate(let operand): return .negate(try gathered(operand, of: entity, &cost))
    case .complement(let operand): return .complement(try gathered(operand, of: entity, &cost))
    case .arithmetic(let first, let steps):
      let first = try gathered(first, of: entity, &cost)
      return .arithmetic(
        first,
        try steps.map {
          BoundExpression.Step(
            operation: $0.operation, operand: try gathered($0.operand, of: entity, &cost), type: $0.type)
        })
    case .call(let function, let operands):
      return .call(function, try operands.map { try gathered($0, of: entity, &cost) })
    case .property:
      guard let (column, linked) = expression.firstLink,
        let inner = Rerooting.expression(expression, .target(column: column)),
        let value = try vector(inner, of: linked, &cost)
      else { return expression }
      return .gathered(Gathering(column: column, entity: linked, .value, value, nil, original: expression))
    case .reduced(let reduction, let collection):
      return try reduced(reduction, collection, of: entity, &cost).map {
        .gathered($0)
      } ?? expression
    default: return expression
    }
  }

  /// Keys of a sort with everything gathered that can be, where that is less work for as many objects.
  func gathered(_ keys: [BoundSortKey], of entity: StoredEntity, for objects: Double) throws -> [BoundSortKey] {
    guard options.links != .rows, depth < Self.deepest, keys.contains(where: \.expression.goesThroughLinks) else {
      return keys
    }
    return try keys.map { key in
      var cost = 0.0
      let expression = try gathered(key.expression, of: entity, &cost)
      guard expression.isVectorizable, cost > 0, options.links == .sets || cost < objects * CostModel.linkedRow else {
        return key
      }
      return BoundSortKey(expression: expression, ascending: key.ascending, syntax: key.syntax)
    }
  }

  /// An expression over an entity that is there for whole clusters; nil when it cannot be.
  private func vector(
    _ expression: BoundExpression, of linked: LinkedEntity, _ cost: inout Double
  ) throws -> BoundExpression? {
    guard depth + 1 < Self.deepest else { return nil }
    var inside = 0.0
    let inner = LinkPlanner(snapshot: snapshot, options: options, depth: depth + 1)
    let value = try inner.gathered(expression, of: linked.stored, &inside)
    guard value.isVectorizable else { return nil }
    cost += inside + Double(try snapshot.objectCount(linked.stored)) * 2
    return value
  }

  private func reduced(
    _ reduction: Reduction, _ collection: BoundCollection, of entity: StoredEntity, _ cost: inout Double
  ) throws -> Gathering? {
    let original = BoundExpression.reduced(reduction, collection)
    var base = collection
    var value: (level: Int, expression: BoundExpression)?
    if case .each(let inner, let level, let expression) = base {
      base = inner
      value = (level, expression)
    }
    var conditions: [BoundPredicate] = []
    while case .chosen(let inner, let level, let condition) = base {
      guard let condition = Rerooting.predicate(condition, .element(level)) else { return nil }
      conditions.append(condition)
      base = inner
    }
    guard case .column(let column, .object) = base, let linked = try linkedEntity(entity.columns[column].target) else {
      return nil
    }
    var operation = Gathering.Operation.count
    var numbers: BoundExpression?
    switch reduction {
    case .count: break
    case .sum, .average, .minimum, .maximum:
      operation = .reduced(reduction)
      guard let value, let inner = Rerooting.expression(value.expression, .element(value.level)),
        let vector = try vector(inner, of: linked, &cost)
      else { return nil }
      numbers = vector
    case .median, .mode, .deviation, .list: return nil
    }
    let set =
      try conditions.isEmpty ? nil : targets(conditions.count == 1 ? conditions[0] : .and(conditions), of: linked)
    cost += (set?.plan.cost ?? 0) + 1
    return Gathering(column: column, entity: linked, operation, numbers, set, original: original)
  }

  // MARK: Linked entities

  private func targets(_ predicate: BoundPredicate, of linked: LinkedEntity) throws -> TargetSet {
    var options = options
    options.access = .cheapest
    let planner = Planner(
      entity: linked.stored, stages: [.filter(predicate)], snapshot: snapshot, options: options, depth: depth + 1)
    return TargetSet(try planner.plan(), total: Double(try snapshot.objectCount(linked.stored)))
  }

  private func linkedEntity(_ name: String?) throws -> LinkedEntity? {
    name.flatMap { snapshot.schema.entity(named: $0) }.map { LinkedEntity(stored: $0) }
  }

  /// How many targets the objects of a few clusters have on average.
  private func fanOut(_ column: Int, of entity: StoredEntity) throws -> Double {
    let clusters = UInt64(try snapshot.clusterCount(entity))
    var objects = 0
    var elements = 0
    for sample in 0..<min(3, clusters) {
      guard let cluster = try snapshot.cluster(clusters * (2 * sample + 1) / 6, of: entity) else { continue }
      let view = try cluster.column(column)
      objects += cluster.present.count
      cluster.present.forEach { elements += view.elementCount(at: $0) }
    }
    return objects == 0 ? 1 : Double(elements) / Double(objects)
  }
}
