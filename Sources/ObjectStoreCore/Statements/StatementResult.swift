/// The result of a statement.
public enum StatementResult: Sendable {
  /// Whole objects.
  case objects(DynamicResults)
  /// Rows: SELECT, GROUP BY.
  case rows(RowResults)
  /// Rows in sections: SECTIONS BY.
  case sections(SectionResults)
  /// A number: COUNT.
  case count(Int)
  /// A plan: EXPLAIN.
  case explanation(QueryExplanation)
  /// The number of objects that were inserted, merged, changed or deleted.
  case changed(ObjectChanges)
  /// No result.
  case none
}
