internal import QueryEngine

/// The rows of a SELECT or GROUP BY, evaluated when asked.
///
/// ```swift
/// if case .rows(let rows) = try store.run("Quake GROUP BY net SELECT net, @count, @avg.mag") {
///   try rows.forEach { row in print(row) }
/// }
/// ```
///
/// Whatever is asked is answered from the version of the store that is current then.
public struct RowResults: Sendable {
  /// The columns, as the file had them when the query was made.
  public let columns: [ResultColumn]
  /// Whether each row is a group of objects and not an object.
  public let isGrouped: Bool
  /// What is allowed but probably not meant.
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

  /// How many rows.
  public var count: Int { get throws { try selection.read { try $1.count(in: $0) } } }

  /// All rows in order, each with one value for each column; an embedded struct is one `.embedded` value.
  public func rows() throws -> [[Value]] {
    var rows: [[Value]] = []
    try forEach { rows.append($0) }
    return rows
  }

  /// Calls `body` with each row in order: of one version of the store.
  ///
  /// - Throws: what `body` throws, which ends it.
  public func forEach(_ body: ([Value]) throws -> Void) throws {
    try selection.forEachFlat { try body(columns.values(of: $0)) }
  }

  /// As `forEach`, with one value for each leaf of the columns: an optional struct has one that says whether it is
  /// there, then those of its own.
  ///
  /// - Parameter naming: whether there are names instead of objects, the unique property of each where it has one.
  package func forEachFlat(naming: Bool = false, _ body: ([Value]) throws -> Void) throws {
    try selection.forEachFlat(naming: naming, body)
  }

  /// The objects that the rows show, in order; nil where rows are groups.
  public func objects() throws -> DynamicResults? { isGrouped ? nil : try selection.wholeObjects() }

  /// At most the first `count` rows; a negative number is taken as 0.
  public func limit(_ count: Int) -> RowResults {
    RowResults(self, selection.limit(count, isGrouped: isGrouped))
  }

  /// The same rows, with `QueryCancelled` thrown once `cancellation` says so.
  public func cancellable(by cancellation: Cancellation?) -> RowResults {
    var selection = selection
    selection.cancellation = cancellation
    return RowResults(self, selection)
  }

  /// How the rows would be had: the plan as a tree, a line a node.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Gets the rows and says how that was done: the plan with actual figures.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
