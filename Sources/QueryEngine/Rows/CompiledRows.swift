package import Diagnostics
internal import PredicateLanguage
internal import Schema
package import Storage
internal import Values

/// A query for rows of objects or groups, whose names are looked up and whose types are checked, for one version of a
/// schema.
package struct CompiledRows: Sendable {
  /// The query, with what is made of its objects.
  package let objects: CompiledQuery
  /// The columns of a row.
  package let columns: [RowColumn]
  /// Whether a row is a group instead of an object.
  package var isGrouped: Bool { objects.rows.grouping != nil }
  /// Warnings: constructs that are valid but probably not meant.
  package var warnings: [Diagnostic] { objects.warnings }

  /// Looks up the names of `query` and `rows` in `schema`, substitutes their placeholders and checks their types.
  ///
  /// - Parameter isCancelled: Once it returns true, binding ends early. The caller must ask it again and discard the
  ///   query.
  /// - Throws: A `DiagnosticError` with all errors and their positions in the text.
  package init(
    _ query: QueryDescription, _ rows: RowDescription, schema: StoredSchema, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(DiagnosticError) {
    var failures: [DiagnosticError] = []
    var objects: CompiledQuery?
    do throws(DiagnosticError) {
      objects = try CompiledQuery(query, schema: schema, isCancelled: isCancelled)
    } catch { failures.append(error) }
    guard let entity = schema.entity(named: query.entity) else { throw failures.first ?? .noEntity(query.entity) }
    var binder = RowBinder(rows, entity: entity, schema: schema, isCancelled: isCancelled)
    let bound = binder.bound()
    if let error = binder.error { failures.append(error) }
    guard let objects, failures.isEmpty else { throw .joined(failures, source: rows.context.source) }
    columns = bound.columns.withDistinctHeadings()
    var stages = bound.stages
    if rows.select != nil || stages.grouping != nil { stages.headings = columns.map(\.heading) }
    let warnings = binder.warnings.reduce(into: objects.warnings) { if !$0.contains($1) { $0.append($1) } }
    self.objects = CompiledQuery(objects, rows: stages, warnings: warnings)
  }

  /// The number of plans that `AccessChoice.enumerated` can choose from in this snapshot.
  package func planCount(in snapshot: Snapshot) throws -> Int { try objects.planCount(in: snapshot) }

  /// Chooses how to find the rows in `snapshot`, whose schema must be the one that it was compiled for.
  package func plan(in snapshot: Snapshot, options: PlannerOptions = PlannerOptions()) throws -> Plan {
    try objects.plan(in: snapshot, options: options)
  }
}

extension DiagnosticError {
  /// The errors of several parts of one text, without duplicates, in the order of the text.
  fileprivate static func joined(_ errors: [DiagnosticError], source: String) -> DiagnosticError {
    var diagnostics: [Diagnostic] = []
    for error in errors where error.source == source || errors.count == 1 {
      for diagnostic in error.diagnostics where !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
    if let error = errors.first, diagnostics.isEmpty { return error }
    diagnostics.sort { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
    return DiagnosticError(source: errors.first?.source ?? source, diagnostics: diagnostics)
  }

  fileprivate static func noEntity(_ name: String) -> DiagnosticError {
    DiagnosticError(
      source: "", Diagnostic(code: .unknownEntity, message: "there is no entity '\(name)'", range: nil))
  }
}
