internal import Storage
internal import Values

/// Values of linked objects that a query sorts, groups or deduplicates by. They are read once for all linked objects if
/// that is cheaper than following the link of each object.
extension LinkPlanner {
  /// The keys of a sort, with linked values replaced by gathered ones.
  func keys(_ keys: [BoundSortKey], of entity: StoredEntity, for objects: Double) throws -> [BoundSortKey] {
    try keys.map { key in try key.mapped { try self.key($0, of: entity, for: objects) } }
  }

  /// A gathered value of which only order and equality matter. Strings and other values that are not numbers are
  /// replaced by ranks.
  func key(_ expression: BoundExpression, of entity: StoredEntity, for objects: Double) throws -> BoundExpression {
    guard isAllowed, expression.goesThroughLinks else { return expression }
    switch expression.type {
    case .string, .bool, .uuid, .data: break
    case .null, .int, .float, .double, .decimal, .number, .date, .list, .structure, .object:
      return try number(expression, of: entity, for: objects)
    }
    guard let (column, linked) = expression.firstLink,
      let inner = RebaseToTarget.expression(expression, .target(column: column)),
      pays(Double(try snapshot.objectCount(linked.stored)) * CostModel.rankedValue, for: objects)
    else { return expression }
    return value(
      of: TargetNumbers(inner, of: linked, isRanked: true, options.evaluation, options.tables), through: column,
      of: entity, expression)
  }

  /// A gathered number for an aggregate.
  func number(_ expression: BoundExpression, of entity: StoredEntity, for objects: Double) throws -> BoundExpression {
    guard isAllowed, expression.goesThroughLinks else { return expression }
    var cost = 0.0
    let found = try gathered(expression, of: entity, &cost)
    return !found.followsLinksByRow && cost > 0 && pays(cost, for: objects, found.linkedObjects) ? found : expression
  }

  private func pays(_ cost: Double, for objects: Double, _ linkedObjects: Double = 1) -> Bool {
    options.links == .sets || cost < objects * (CostModel.linkedRow + linkedObjects * CostModel.linkedObject)
  }
}
