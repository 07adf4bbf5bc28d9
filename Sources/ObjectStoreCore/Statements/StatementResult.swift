/// What a statement gives.
public enum StatementResult: Sendable {
  /// Objects; with SELECT, the columns to show of each, in order. `columns` is nil for whole objects.
  case objects(DynamicResults, columns: [SelectedColumn]?)
  /// A number: COUNT.
  case count(Int)
  /// A plan: EXPLAIN.
  case explanation(QueryExplanation)
  /// How many objects were inserted, changed or deleted.
  case changed(Int)
  /// Nothing.
  case none
}

/// A column of a SELECT: its heading and the property it shows.
public struct SelectedColumn: Hashable, Sendable {
  /// The name after AS, else the text of the expression as written.
  public var heading: String
  /// The dotted path of the property, as in `DynamicObject`'s subscript: a leaf, or an embedded struct.
  public var path: String

  /// A column by heading and path.
  public init(heading: String, path: String) {
    self.heading = heading
    self.path = path
  }
}
