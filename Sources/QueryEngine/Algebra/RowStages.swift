internal import PredicateLanguage

/// What a query makes of the objects that it finds, in this order: groups, rows of values, sections.
struct RowStages: Sendable {
  var grouping: Grouping?
  /// The values of a row, over an object or over a group.
  var values: [BoundExpression] = []
  /// The headings of SELECT; nil where rows are whole objects.
  var headings: [String]?
  /// The key of SECTIONS BY.
  var section: (key: BoundExpression, syntax: SortKeySyntax)?

  /// Applies `change` to all expressions.
  func mapped(_ change: (BoundExpression) -> BoundExpression) -> RowStages {
    var stages = self
    stages.grouping = grouping?.mapped(change)
    stages.values = values.map(change)
    stages.section = section.map { (change($0.key), $0.syntax) }
    return stages
  }

  /// Whether it contains `now()`.
  var readsMoment: Bool {
    grouping?.readsMoment ?? false || values.contains(where: \.readsMoment) || section?.key.readsMoment ?? false
  }
}
