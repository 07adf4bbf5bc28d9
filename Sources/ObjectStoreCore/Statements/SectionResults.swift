internal import QueryEngine
internal import Storage

/// Rows in sections: the rows with the same value of the SECTIONS BY expression, in the order of the query. Sections
/// are in the order of their first row.
///
/// ```swift
/// if case .sections(let sections) = try store.run("Quake SORT BY time SECTIONS BY net SELECT code, magnitude") {
///   try sections.forEach { section in print(section.key, section.count) }
/// }
/// ```
public struct SectionResults: Sendable {
  /// The rows without sections.
  private let rows: RowResults

  init(_ rows: RowResults) { self.rows = rows }

  /// The columns of the rows at the time the query was made.
  public var columns: [ResultColumn] { rows.columns }

  /// Whether each row is a group of objects and not an object.
  public var isGrouped: Bool { rows.isGrouped }

  /// Warnings about valid queries that are probably mistakes.
  public var warnings: [Diagnostic] { rows.warnings }

  /// How many sections. It finds all rows.
  ///
  /// - Throws: As `RowResults.count`.
  public var count: Int { get throws { try rows.selection.read { try $1.found(in: $0).sections().count } } }

  /// How many rows there are in all sections.
  ///
  /// - Throws: As `RowResults.count`.
  public var rowCount: Int { get throws { try rows.count } }

  /// All sections. For many rows, `forEach` takes less memory.
  ///
  /// - Throws: As `RowResults.rows()`.
  public func sections() throws -> [ResultSection] {
    var sections: [ResultSection] = []
    try forEach { sections.append($0) }
    return sections
  }

  /// Calls `body` with each section in order, in one version of the store.
  ///
  /// - Throws: The error of `body`, which ends the loop; otherwise as `RowResults.rows()`.
  public func forEach(_ body: (ResultSection) throws -> Void) throws {
    try forEachFlat { section in
      var section = section
      section.rows = section.rows.map { columns.values(of: $0) }
      try body(section)
    }
  }

  /// Like `forEach`, with one value for each property of the columns; with `naming`, objects are replaced by names.
  package func forEachFlat(naming: Bool = false, _ body: (ResultSection) throws -> Void) throws {
    if rows.selection.source.keepsVersions { return try read(naming, body) }
    var sections: [ResultSection] = []
    try read(naming) { sections.append($0) }
    for section in sections { try body(section) }
  }

  private func read(_ naming: Bool, _ body: (ResultSection) throws -> Void) throws {
    try rows.selection.read { snapshot, plan in
      var names = LinkNames(snapshot)
      let found = try plan.found(in: snapshot)
      try rows.selection.source.store.limits.check(rows: found.count)
      for section in try found.sections() {
        var result = ResultSection(key: section.key, rows: [], ids: section.rows.compactMap { found.object($0) })
        if naming { result.key = try names.named(result.key) }
        try found.forEach(section.rows) { row in
          result.rows.append(naming ? try names.named(row) : row)
          return true
        }
        try body(result)
      }
    }
  }

  /// The objects of the rows, in the order of the query; nil if rows are groups.
  ///
  /// - Throws: As `RowResults.objects()`.
  public func objects() throws -> DynamicResults? { try rows.objects() }

  /// Keeps at most the first `count` rows; a negative number counts as 0.
  public func limit(_ count: Int) -> SectionResults { SectionResults(rows.limit(count)) }

  /// The rows, which throw `QueryCancelled` once `cancellation` is cancelled.
  public func cancellable(by cancellation: Cancellation?) -> SectionResults {
    SectionResults(rows.cancellable(by: cancellation))
  }
}

/// A section of a query's rows.
public struct ResultSection: Hashable, Sendable {
  /// The shared value of the rows.
  public var key: Value
  /// The rows, each with one value for each column.
  public var rows: [[Value]]
  /// The objects of the rows; empty if rows are groups.
  public var ids: [ObjectNumber]

  /// The number of rows.
  public var count: Int { rows.count }
}
