package import PredicateLanguage

/// The clauses of a statement that apply to the objects found, as written: SELECT, GROUP BY and the clauses after it,
/// SECTIONS BY.
///
/// It does not depend on a schema; `CompiledRows` looks up the names.
package struct RowDescription: Sendable {
  /// The columns; nil for whole objects, or for the keys and counts of groups.
  package var select: [SelectItemSyntax]?
  /// GROUP BY.
  package var groupBy: [ExpressionSyntax]
  /// HAVING.
  package var having: PredicateSyntax?
  /// SORT BY of groups.
  package var sortBy: [SortKeySyntax]
  /// DISTINCT of groups.
  package var distinct: [ExpressionSyntax]
  /// The number of groups to skip.
  package var offset: Int
  /// The maximum number of groups.
  package var limit: Int?
  /// SECTIONS BY.
  package var sectionsBy: ExpressionSyntax?
  /// The text that the clauses were read from.
  package var context: SourceContext

  package init(
    select: [SelectItemSyntax]?, groupBy: [ExpressionSyntax] = [], having: PredicateSyntax? = nil,
    sortBy: [SortKeySyntax] = [], distinct: [ExpressionSyntax] = [], offset: Int = 0, limit: Int? = nil,
    sectionsBy: ExpressionSyntax? = nil, context: SourceContext
  ) {
    self.select = select
    self.groupBy = groupBy
    self.having = having
    self.sortBy = sortBy
    self.distinct = distinct
    self.offset = offset
    self.limit = limit
    self.sectionsBy = sectionsBy
    self.context = context
  }

  /// Whether rows are groups: there are keys, or aggregates over all objects.
  var isGrouped: Bool { !groupBy.isEmpty || select?.contains { $0.expression.hasGroupAggregate } ?? false }
}

extension SelectSyntax {
  /// Whether the rows are groups instead of objects.
  package var isGrouped: Bool { !groupBy.isEmpty || select?.contains { $0.expression.hasGroupAggregate } ?? false }

  /// All placeholders of the statement.
  package var allPlaceholders: Set<Placeholder> {
    var found = PlaceholderUse.placeholders(in: filter)
    let values = groupBy + sortBy.map(\.expression) + distinct + (select ?? []).map(\.expression)
    for value in values + [sectionsBy, offset, limit].compactMap(\.self) { PlaceholderUse.collect(value, &found) }
    if let having { PlaceholderUse.collect(having, &found) }
    return found
  }
}

extension ExpressionSyntax {
  /// All placeholders of the expression.
  package var allPlaceholders: Set<Placeholder> {
    var found = Set<Placeholder>()
    PlaceholderUse.collect(self, &found)
    return found
  }
}
