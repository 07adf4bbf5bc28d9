internal import QueryEngine

/// The rows of a SELECT or GROUP BY, evaluated on access.
///
/// ```swift
/// if case .rows(let rows) = try store.run("Quake GROUP BY net SELECT net, @count, @avg.mag") {
///   try rows.forEach { row in print(row) }
/// }
/// ```
///
/// Every access reads the version of the store that is current at the time.
public struct RowResults: Sendable {
  /// The columns at the time the query was made.
  public let columns: [ResultColumn]
  /// Whether each row is a group of objects and not an object.
  public let isGrouped: Bool
  /// Warnings about valid queries that are probably mistakes.
  public let warnings: [Diagnostic]
  let selection: RowSelection

  init(_ selection: RowSelection) throws {
    self.selection = selection
    let compiled = try selection.compiled()
    columns = compiled.columns.map { ResultColumn($0) }
    isGrouped = compiled.isGrouped
    warnings = compiled.warnings
  }

  private init(_ results: RowResults, _ selection: RowSelection) {
    columns = results.columns
    isGrouped = results.isGrouped
    warnings = results.warnings
    self.selection = selection
  }

  /// The number of rows.
  ///
  /// - Throws: `StoreError` when the store can't be read or the query exceeds its time or memory (`limitExceeded`);
  ///   `QueryCancelled`; `QueryError` when the schema was changed and the query no longer fits it.
  public var count: Int { get throws { try selection.read { try $1.count(in: $0) } } }

  /// All rows in order, each with one value for each column; an embedded struct is a single `.embedded` value.
  ///
  /// - Throws: As `count`; `StoreError.limitExceeded` also for more rows than `Store.Limits.rows`.
  public func rows() throws -> [[Value]] {
    var rows: [[Value]] = []
    try forEach { rows.append($0) }
    return rows
  }

  /// Calls `body` with each row in order, in one version of the store.
  ///
  /// - Throws: The error of `body`, which ends the loop; otherwise as `rows()`.
  public func forEach(_ body: ([Value]) throws -> Void) throws {
    try selection.forEachFlat { try body(columns.values(of: $0)) }
  }

  /// Like `forEach`, with one value for each property: an optional struct has a presence value before its properties.
  ///
  /// - Parameter naming: Whether objects are replaced by names, the unique property of each, if it has one.
  package func forEachFlat(naming: Bool = false, _ body: ([Value]) throws -> Void) throws {
    try selection.forEachFlat(naming: naming, body)
  }

  /// The objects of the rows, in order; nil if rows are groups.
  ///
  /// - Throws: `QueryError` when the schema was changed and the query no longer fits it; `StoreError` when the store
  ///   can't be read; `QueryCancelled`.
  public func objects() throws -> DynamicResults? { isGrouped ? nil : try selection.wholeObjects() }

  /// Keeps at most the first `count` rows; a negative number counts as 0.
  public func limit(_ count: Int) -> RowResults {
    RowResults(self, selection.limit(count, isGrouped: isGrouped))
  }

  /// Skips the first `count` rows; a negative number counts as 0.
  public func offset(_ count: Int) -> RowResults {
    RowResults(self, selection.offset(count, isGrouped: isGrouped))
  }

  /// The rows, which throw `QueryCancelled` once `cancellation` is cancelled.
  public func cancellable(by cancellation: Cancellation?) -> RowResults {
    var selection = selection
    selection.cancellation = cancellation
    return RowResults(self, selection)
  }

  /// The plan of the rows as a tree, one line for each node.
  ///
  /// - Throws: As `count`.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Runs the query and returns its plan with actual figures.
  ///
  /// - Throws: As `count`.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
