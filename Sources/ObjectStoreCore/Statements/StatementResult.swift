public import Schema

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
  /// The changes of the schema; empty if the schema was so already.
  case schemaChanged([SchemaChange])
  /// No result.
  case none
}
