internal import PredicateLanguage

/// GROUP BY, with what is done with the groups.
///
/// The keys and the arguments of aggregates are expressions over objects; all other expressions are over groups.
struct Grouping: Sendable {
  var keys: [BoundExpression] = []
  var keySyntax: [ExpressionSyntax] = []
  var aggregates: [GroupAggregate] = []
  /// The aggregates as written; nil for one that only finds the object of each group.
  var aggregateSyntax: [ExpressionSyntax?] = []
  /// HAVING, with its text for EXPLAIN.
  var having: (predicate: BoundPredicate, syntax: PredicateSyntax)?
  var order: [BoundSortKey] = []
  var distinct: [BoundExpression] = []
  var distinctSyntax: [ExpressionSyntax] = []
  var offset = 0
  var limit: Int?

  /// The columns of the keys, if each key is a column of its own and the groups are only counted.
  var countedColumns: [Int]? { GroupAggregate.countedColumns(keys, aggregates) }

  /// Applies `change` to all expressions.
  func mapped(_ change: (BoundExpression) -> BoundExpression) -> Grouping {
    var grouping = self
    grouping.keys = keys.map(change)
    grouping.aggregates = aggregates.map { GroupAggregate(function: $0.function, argument: $0.argument.map(change)) }
    grouping.having = having.map { ($0.predicate.mapExpressions(change), $0.syntax) }
    grouping.order = order.map { $0.mapped(change) }
    grouping.distinct = distinct.map(change)
    return grouping
  }

  /// Whether it contains `now()`.
  var readsMoment: Bool {
    keys.contains(where: \.readsMoment) || aggregates.contains { $0.argument?.readsMoment ?? false }
      || having?.predicate.readsMoment ?? false || order.contains(where: \.expression.readsMoment)
      || distinct.contains(where: \.readsMoment)
  }
}

extension GroupAggregate {
  /// The columns of the keys, if each key is a column of its own and the groups are only counted.
  static func countedColumns(_ keys: [BoundExpression], _ aggregates: [GroupAggregate]) -> [Int]? {
    let columns = keys.compactMap(\.column)
    guard !columns.isEmpty, columns.count == keys.count, Set(columns).count == columns.count,
      aggregates.allSatisfy({ $0.function == .count && $0.argument == nil })
    else { return nil }
    return columns
  }
}
