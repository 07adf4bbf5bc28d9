internal import PredicateLanguage
internal import Storage
internal import Values

/// Numbers of linked objects as vectors.
extension LinkPlanner {
  /// A comparison with a linked side, and the cost of reading the linked values.
  func vectors(_ comparison: BoundComparison, of entity: StoredEntity) throws -> LinkedFilter? {
    var cost = 0.0
    let left = try gathered(comparison.left, of: entity, &cost)
    let right = try comparison.right.map { try gathered($0, of: entity, &cost) }
    if cost == 0 || left.followsLinksByRow || right.contains(where: \.followsLinksByRow) { return nil }
    return LinkedFilter(
      filter: try VectorFilter(comparison.with(left: left, right: right), compiler(of: entity)), setup: cost,
      linkedObjects: right.reduce(left.linkedObjects) { $0 + $1.linkedObjects })
  }

  /// A quantifier whose predicate compares each element with a value of the row's object: counts the matching elements.
  func counted(_ quantified: BoundQuantifier, of entity: StoredEntity) throws -> LinkedFilter? {
    let isAll = quantified.quantifier == .all
    let predicate = isAll ? BoundPredicate.not(quantified.predicate) : quantified.predicate
    var cost = 0.0
    let (objects, level, own) = quantified.collection.objects(for: quantified.level, predicate)
    guard let count = try reduced(.count, .chosen(objects, level: level, own), of: entity, &cost) else { return nil }
    let isAny = BoundComparison(
      comparator: .greater, folding: .none, left: .gathered(count), right: [.constant(.int(0))], test: nil,
      syntax: quantified.syntax)
    let some = LinkedFilter(
      filter: try VectorFilter(isAny, compiler(of: entity)), setup: cost, linkedObjects: isAny.left.linkedObjects)
    return quantified.quantifier == .any ? some : some.negated
  }

  /// Replaces every linked part of an expression by its vector, if it has one. Adds the cost of reading the linked
  /// values to `cost`.
  func gathered(
    _ expression: BoundExpression, of entity: StoredEntity, _ cost: inout Double
  ) throws -> BoundExpression {
    if !expression.followsLinksByRow { return expression }
    switch expression {
    case .property:
      guard let (column, linked) = expression.firstLink,
        let inner = RebaseToTarget.expression(expression, .target(column: column)),
        let numbers = try numbers(inner, of: linked, &cost)
      else { return expression }
      return value(of: numbers, through: column, of: entity, expression)
    case .reduced(let reduction, let collection):
      return try reduced(reduction, collection, of: entity, &cost).map { .gathered($0) } ?? expression
    case .constant, .column, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .item,
      .entry, .own, .object, .assembled, .gathered:
      return try expression.mapChildren({ $0 }, { try gathered($0, of: entity, &cost) }, { $0 })
    }
  }

  /// The value at the target of a to-one link.
  func value(
    of numbers: TargetNumbers, through column: Int, of entity: StoredEntity, _ original: BoundExpression
  ) -> BoundExpression {
    let link = LinkPath.Link(source: LinkedEntity(stored: entity), column: column, isBackward: false)
    let route = LinkPath([LinkPath.Hop(link: link, entity: numbers.entity)])
    return route.map { .gathered(LinkedColumn($0, .value, numbers, original: original)) } ?? original
  }

  /// The values of an expression over an entity, if they can be read for whole clusters.
  private func numbers(
    _ expression: BoundExpression, of linked: LinkedEntity, _ cost: inout Double
  ) throws -> TargetNumbers? {
    guard isAllowed else { return nil }
    var inside = 0.0
    let value = try deeper.gathered(expression, of: linked.stored, &inside)
    guard value.vectorForm.isNumeric, !value.followsLinksByRow else { return nil }
    cost += inside + Double(try snapshot.objectCount(linked.stored)) * CostModel.linkedNumber
    return TargetNumbers(value, of: linked, options.evaluation, options.tables)
  }

  /// An aggregate over the objects at the end of a path of links.
  private func reduced(
    _ reduction: AggregateFunction, _ collection: BoundCollection, of entity: StoredEntity, _ cost: inout Double
  ) throws -> LinkedColumn? {
    var counted = collection
    // `@count` counts every object, even if its value is nil.
    if reduction == .count, case .each(let base, _, _) = collection { counted = base }
    guard isAllowed, let draft = LinkPathBuilder(counted, of: entity, snapshot.schema),
      let end = draft.hops.last?.entity
    else { return nil }
    let original = BoundExpression.reduced(reduction, collection)
    var operation = LinkedColumn.Operation.reduced(reduction)
    var numbers: TargetNumbers?
    if reduction == .count {
      if draft.skipsNil { return nil }
      operation = .count
      if let elements = draft.elements {
        operation = .reduced(.sum)
        numbers = try self.numbers(.reduced(.count, elements), of: end, &cost)
        if numbers == nil { return nil }
      }
    } else {
      guard reduction.makesOneValue, let value = draft.value,
        let found = try self.numbers(value, of: end, &cost)
      else { return nil }
      numbers = found
    }
    var match: LinkedColumn.Match?
    if let (level, predicate) = draft.correlated {
      match = try self.match(predicate, level, of: end, from: entity, &cost)
      if match == nil { return nil }
    }
    guard let route = try route(draft, &cost) else { return nil }
    return LinkedColumn(route, operation, numbers, match, original: original)
  }

  /// The links of a path, with plans for the predicates on the objects along the path.
  private func route(_ draft: LinkPathBuilder, _ cost: inout Double) throws -> LinkPath? {
    cost += 1
    var hops: [LinkPath.Hop] = []
    var fanOut = 1.0
    for (place, hop) in draft.hops.enumerated() {
      let set = hop.conditions.isEmpty ? nil : try targets(.all(hop.conditions.flatMap(\.conjuncts)), of: hop.entity)
      cost += set?.plan.cost ?? 0
      if place > 0 || hop.link.isBackward {
        cost += Double(try snapshot.objectCount(hop.link.source.stored)) * CostModel.linkTable
      }
      hops.append(LinkPath.Hop(link: hop.link, entity: hop.entity, targets: set))
      fanOut *= try self.fanOut(hop.link)
    }
    return LinkPath(hops, fanOut: fanOut)
  }

  /// A comparison of a value of the objects at the end of a path with a value of the row's object.
  private func match(
    _ predicate: BoundPredicate, _ level: Int, of linked: LinkedEntity, from entity: StoredEntity, _ cost: inout Double
  ) throws -> LinkedColumn.Match? {
    var (predicate, isNegated) = (predicate, false)
    while case .not(let inner) = predicate { (predicate, isNegated) = (inner, !isNegated) }
    guard case .comparison(let comparison) = predicate, let mirrored = comparison.comparator.mirrored,
      comparison.right.count == 1, comparison.test == nil, comparison.folding.isNone, comparison.shape == nil
    else { return nil }
    let sides = [
      (comparison.left, comparison.comparator, comparison.right[0]),
      (comparison.right[0], mirrored, comparison.left),
    ]
    for (target, comparator, own) in sides {
      guard case .relation(let relation) = comparator.family,
        let inner = RebaseToTarget.expression(target, .element(level)), !own.namesElement(upTo: level),
        let numbers = try numbers(inner, of: linked, &cost)
      else { continue }
      let own = try gathered(own, of: entity, &cost)
      guard own.vectorForm.isNumeric, !own.followsLinksByRow, own.type.isWhole == numbers.isInteger else { continue }
      return LinkedColumn.Match(
        numbers: numbers, relation: relation, isNegated: isNegated,
        own: try VectorExpression(own, compiler(of: entity)))
    }
    return nil
  }
}

extension BoundExpression {
  /// Whether the expression contains the variable of a level or of an enclosing level. Variables of inner levels are
  /// bound within the expression.
  fileprivate func namesElement(upTo level: Int) -> Bool {
    contains { if case .expression(.element(let named, _)) = $0 { named <= level } else { false } }
  }
}
