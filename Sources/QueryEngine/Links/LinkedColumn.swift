internal import PredicateLanguage
internal import Storage
internal import Values

/// The values of a numeric expression for all objects of an entity, computed once for each execution that needs them.
///
/// This is a plan, not a result: `LinkedSets` keeps the result.
final class TargetNumbers: Sendable {
  let entity: LinkedEntity
  /// An expression with a vector, or one whose values are ranked.
  let value: BoundExpression
  /// Whether the numbers are the ranks of the values in sorted order. Strings, for example, are sorted and compared for
  /// equality by their ranks.
  let isRanked: Bool
  let evaluation: ExpressionAccess
  let tables: TableAccess

  init(
    _ value: BoundExpression, of entity: LinkedEntity, isRanked: Bool = false, _ evaluation: ExpressionAccess,
    _ tables: TableAccess
  ) {
    self.evaluation = evaluation
    self.tables = tables
    self.value = value
    self.entity = entity
    self.isRanked = isRanked
  }

  /// Whether the numbers are integers or object IDs.
  var isInteger: Bool { isRanked || value.type.isWhole }

  /// Whether the values are evaluated row by row.
  var usesRows: Bool {
    (try? VectorExpression(value, FilterCompiler(entity: entity.stored, evaluation: evaluation)).usesRows) ?? true
  }
}

/// A number for every object of a cluster, from the objects it links to: the value of a to-one link's target, or an
/// aggregate over the objects at the end of a path. The values of the linked objects are computed once for each
/// execution.
///
/// Compared by identity.
package final class LinkedColumn: Hashable, Sendable {
  /// The operation that turns the targets' values into one.
  enum Operation: Sendable {
    /// The value of a to-one link's target.
    case value
    /// The number of targets.
    case count
    /// An aggregate of the targets' values.
    case reduced(AggregateFunction)
  }

  /// A comparison with the row's object that a target must pass to count.
  struct Match: Sendable {
    /// The target's value, on the left.
    let numbers: TargetNumbers
    let relation: Comparator.Relation
    /// Whether the targets that do not satisfy the comparison count instead.
    let isNegated: Bool
    /// The value of the row's object; an integer if the targets' values are integers.
    let own: VectorExpression
  }

  let route: LinkPath
  let operation: Operation
  /// The value of a target; nil if only the number of targets is needed.
  let numbers: TargetNumbers?
  /// The comparison that selects targets; nil if all count.
  let match: Match?
  /// The expression it replaces, for a single row.
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

  /// Whether the numbers are ranks.
  var isRanked: Bool { numbers?.isRanked ?? false }

  /// Whether something of it is evaluated row by row.
  var usesRows: Bool {
    numbers?.usesRows ?? false || match.map { $0.numbers.usesRows || $0.own.usesRows } ?? false
  }

  package static func == (left: LinkedColumn, right: LinkedColumn) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The value for a single row: read from the values of all targets if these exist, otherwise computed by the replaced
  /// expression.
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
        return try vector.reduce(reduction, runs, numbers, in: bits)
      case (.value, nil), (.reduced, nil):
        throw StoreError.unsupported("values of linked objects that nobody asked for")
      }
    }
    let reduction: AggregateFunction = if case .reduced(let reduction) = operation { reduction } else { .count }
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
  /// Whether values are integers or object IDs.
  var isWhole: Bool { self == .int || objectEntity != nil }
}
