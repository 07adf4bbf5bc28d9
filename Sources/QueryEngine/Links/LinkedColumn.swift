internal import PredicateLanguage
internal import Storage
internal import Values

/// The values that a numeric expression has for all objects of an entity, found once for each execution that asks.
///
/// It is a plan, not a result: `LinkedSets` keeps what was found.
final class TargetNumbers: Sendable {
  let entity: LinkedEntity
  /// It can be computed for whole clusters, or is ranked.
  let value: BoundExpression
  /// Whether the numbers are not the values, but their places among all values in order: of texts, say, which can so be
  /// sorted and told apart as numbers are.
  let isRanked: Bool

  init(_ value: BoundExpression, of entity: LinkedEntity, isRanked: Bool = false) {
    self.value = value
    self.entity = entity
    self.isRanked = isRanked
  }

  /// Whether the numbers are whole ones, or those of objects.
  var isInteger: Bool { isRanked || value.type.isWhole }
}

/// A number for every object of a cluster, got from the objects it links to: what a to-one link's target has, or an
/// aggregate over all those at the end of a route. The linked objects' values are found once for each execution.
///
/// It is compared by identity.
package final class LinkedColumn: Hashable, Sendable {
  /// How the targets' values become one.
  enum Operation: Sendable {
    /// Of a to-one link: the target's value.
    case value
    /// How many targets there are.
    case count
    /// What their values come to.
    case reduced(Reduction)
  }

  /// What targets are compared with by each of the row's objects, so that only some of them count.
  struct Match: Sendable {
    /// The target's value, on the left.
    let numbers: TargetNumbers
    let comparator: Comparator
    /// Whether those count for which it does not hold.
    let isNegated: Bool
    /// The value of the row's object, which is a whole number where the targets' are.
    let own: VectorExpression
  }

  let route: LinkPath
  let operation: Operation
  /// Of a target; nil where only their number counts.
  let numbers: TargetNumbers?
  /// Which targets count; nil where that is the same for all who link to them.
  let match: Match?
  /// What it stands for, for a single row.
  let original: BoundExpression

  init(
    _ route: LinkPath, _ operation: Operation, _ numbers: TargetNumbers?, _ match: Match? = nil,
    original: BoundExpression
  ) {
    self.route = route
    self.operation = operation
    self.numbers = numbers
    self.match = match
    self.original = original.prepared
  }

  /// Whether its numbers are the places of the values in order.
  var isRanked: Bool { numbers?.isRanked ?? false }

  package static func == (left: LinkedColumn, right: LinkedColumn) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The value for a single row, where the values of all targets were found at once; else that of what it stands for.
  func value(in row: some RowValues, _ scope: ElementScope) throws -> Value {
    guard case .value = operation, match == nil, let column = route.onlyColumn, let numbers, let linked = row.linked
    else { return try original.value(in: row, scope) }
    guard case .int(let target) = try row.value(column) else { return .null }
    return try linked.sets.numbers(numbers).value(UInt64(bitPattern: target), of: original.type)
  }

  /// Fills a vector for a cluster.
  func gather(into vector: Vector, _ cluster: ClusterView, _ context: ExecutionContext) throws {
    let sets = try context.sets()
    let numbers = try numbers.map { try sets.numbers($0) }
    if match == nil, let column = route.onlyColumn {
      let view = try cluster.column(column)
      let bits = try route.targets.map { try sets.bits($0) }
      switch (operation, numbers) {
      case (.value, let numbers?): return vector.gather(view, numbers, sets.run)
      case (.count, _):
        guard let bits else { return vector.loadCounts(view) }
        let runs = try sets.run.read(view, cluster.present, bits.places, asRanges: true)
        return vector.countTargets(runs, in: bits.view)
      case (.reduced(let reduction), let numbers?):
        let runs = try sets.run.read(view, cluster.present, numbers.places, asRanges: true)
        return vector.reduce(reduction, runs, numbers, in: bits)
      case (.value, nil), (.reduced, nil):
        throw StoreError.unsupported("values of linked objects that nobody asked for")
      }
    }
    let reduction: Reduction = if case .reduced(let reduction) = operation { reduction } else { .count }
    guard let match else {
      return try vector.reduce(reduction, try LinkPathTraversal(route, cluster, sets), numbers, nil)
    }
    try context.withVector { own in
      try match.own.evaluate(into: own, cluster, context)
      let matcher = TargetMatcher(match, try sets.numbers(match.numbers), own)
      try vector.reduce(reduction, try LinkPathTraversal(route, cluster, sets), numbers, matcher)
    }
  }
}

extension ExpressionType {
  /// Whether values are whole numbers, or the numbers of objects.
  var isWhole: Bool { self == .int || objectEntity != nil }
}
