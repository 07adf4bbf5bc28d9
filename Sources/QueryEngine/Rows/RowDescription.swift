package import PredicateLanguage

/// The clauses of a statement that apply to the objects found, as written: SELECT, GROUP BY and the clauses after it,
/// SECTIONS BY.
///
/// It knows no schema; `CompiledRows` looks up its names.
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
  /// The options of SECTIONS BY.
  package var sectionOptions: SortOptions
  /// The text that the clauses were read from.
  package var context: SourceContext

  package init(
    select: [SelectItemSyntax]?, groupBy: [ExpressionSyntax] = [], having: PredicateSyntax? = nil,
    sortBy: [SortKeySyntax] = [], distinct: [ExpressionSyntax] = [], offset: Int = 0, limit: Int? = nil,
    sectionsBy: ExpressionSyntax? = nil, sectionOptions: SortOptions = [], context: SourceContext
  ) {
    self.select = select
    self.groupBy = groupBy
    self.having = having
    self.sortBy = sortBy
    self.distinct = distinct
    self.offset = offset
    self.limit = limit
    self.sectionsBy = sectionsBy
    self.sectionOptions = sectionOptions
    self.context = context
  }

  /// Whether rows are groups: there are keys, or aggregates over all objects.
  var isGrouped: Bool { !groupBy.isEmpty || select?.contains { $0.expression.hasGroupAggregate } ?? false }
}

extension SelectSyntax {
  /// Whether the rows are groups instead of objects.
  package var isGrouped: Bool { !groupBy.isEmpty || select?.contains { $0.expression.hasGroupAggregate } ?? false }

  /// All placeholders in it.
  package var allPlaceholders: Set<Placeholder> {
    let values = groupBy + sortBy.map(\.expression) + distinct + (select ?? []).map(\.expression)
    let all =
      filter.placeholders() + (values + [sectionsBy, offset, limit].compactMap(\.self)).flatMap { $0.placeholders() }
      + (having?.placeholders() ?? [])
    return Set(all.map(\.placeholder))
  }
}

extension ExpressionSyntax {
  /// All placeholders in it.
  package var allPlaceholders: Set<Placeholder> { Set(placeholders().map(\.placeholder)) }
}
