/// What a statement gives.
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
  /// How many objects were inserted, merged, changed or deleted.
  case changed(ObjectChanges)
  /// Nothing.
  case none
}
