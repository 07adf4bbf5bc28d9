internal import QueryEngine
internal import Storage

/// Rows in sections: those whose SECTIONS BY expression has the same value, in the order of the query. Sections are in
/// the order of their first row.
public struct SectionResults: Sendable {
  /// The columns of the rows, as the file had them when the query was made.
  public let columns: [ResultColumn]
  /// Whether each row is a group of objects and not an object.
  public let isGrouped: Bool
  /// What is allowed but probably not meant.
  public let warnings: [Diagnostic]
  private let selection: RowSelection

  init(_ selection: RowSelection) throws {
    self.selection = selection
    let compiled = try selection.compiled()
    columns = compiled.columns.map { ResultColumn($0) }
    isGrouped = compiled.isGrouped
    warnings = compiled.warnings
  }

  private init(_ results: SectionResults, _ selection: RowSelection) {
    columns = results.columns
    isGrouped = results.isGrouped
    warnings = results.warnings
    self.selection = selection
  }

  /// How many rows there are in all sections.
  public var rowCount: Int { get throws { try selection.read { try $1.count(in: $0) } } }

  /// All sections; for many rows, `forEach` takes less memory.
  public func sections() throws -> [ResultSection] {
    var sections: [ResultSection] = []
    try forEach { sections.append($0) }
    return sections
  }

  /// Calls `body` with each section in order: of one version of the store.
  ///
  /// - Throws: what `body` throws, which ends it.
  public func forEach(_ body: (ResultSection) throws -> Void) throws {
    try forEachFlat { section in
      var section = section
      section.rows = section.rows.map { columns.values(of: $0) }
      try body(section)
    }
  }

  /// As `forEach`, with one value for each leaf of the columns.
  package func forEachFlat(_ body: (ResultSection) throws -> Void) throws {
    if selection.source.keepsVersions { return try read(body) }
    var sections: [ResultSection] = []
    try read { sections.append($0) }
    for section in sections { try body(section) }
  }

  private func read(_ body: (ResultSection) throws -> Void) throws {
    try selection.read { snapshot, plan in
      let found = try plan.found(in: snapshot)
      for section in try found.sections() {
        var result = ResultSection(key: section.key, rows: [], ids: section.rows.compactMap { found.object($0) })
        try found.forEach(section.rows) {
          result.rows.append($0)
          return true
        }
        try body(result)
      }
    }
  }

  /// The objects that the rows show, in the order of the query; nil where rows are groups.
  public func objects() throws -> DynamicResults? { isGrouped ? nil : try selection.wholeObjects() }

  /// At most the first `count` rows; a negative number is taken as 0.
  public func limit(_ count: Int) -> SectionResults {
    SectionResults(self, selection.limit(count, isGrouped: isGrouped))
  }

  /// The same rows, with `QueryCancelled` thrown once `cancellation` says so.
  public func cancellable(by cancellation: Cancellation?) -> SectionResults {
    var selection = selection
    selection.cancellation = cancellation
    return SectionResults(self, selection)
  }
}

/// A section of a query's rows.
public struct ResultSection: Hashable, Sendable {
  /// What the rows have in common.
  public var key: Value
  /// The rows, each with one value for each column.
  public var rows: [[Value]]
  /// The objects of the rows; empty where rows are groups.
  public var ids: [ObjectNumber]

  /// How many rows it has.
  public var count: Int { rows.count }
}
