internal import Storage
internal import Values

/// What objects are sorted, grouped and told apart by, where that is a value of those they link to: gathered once for
/// all of them, where that is less work than asking for it object by object.
extension LinkPlanner {
  /// Keys of a sort.
  func keys(_ keys: [BoundSortKey], of entity: StoredEntity, for objects: Double) throws -> [BoundSortKey] {
    try keys.map {
      BoundSortKey(
        expression: try key($0.expression, of: entity, for: objects), ascending: $0.ascending, syntax: $0.syntax)
    }
  }

  /// A value of which only the order and equality count. Texts and the like are ranked.
  func key(_ expression: BoundExpression, of entity: StoredEntity, for objects: Double) throws -> BoundExpression {
    guard isAllowed, expression.goesThroughLinks else { return expression }
    switch expression.type {
    case .string, .bool, .uuid, .data: break
    default: return try number(expression, of: entity, for: objects)
    }
    guard let (column, linked) = expression.firstLink,
      let inner = RebaseToTarget.expression(expression, .target(column: column)),
      pays(Double(try snapshot.objectCount(linked.stored)) * CostModel.rankedValue, for: objects)
    else { return expression }
    return value(of: TargetNumbers(inner, of: linked, isRanked: true), through: column, of: entity, expression)
  }

  /// A number that something is worked out from.
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
