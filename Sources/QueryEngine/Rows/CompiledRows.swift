package import Diagnostics
internal import PredicateLanguage
internal import Schema
package import Storage
internal import Values

/// The rows of a query over objects or groups, with names looked up and types checked, for one version of a schema.
package struct CompiledRows: Sendable {
  /// The query for the objects.
  package let objects: CompiledQuery
  /// The columns of a row.
  package let columns: [RowColumn]
  /// Whether a row is a group instead of an object.
  package var isGrouped: Bool { groups != nil }
  /// Whether rows are in sections.
  package var hasSections: Bool { section != nil }
  /// Warnings about valid queries that are probably mistakes.
  package let warnings: [Diagnostic]
  /// The values of a row, as expressions over an object or a group.
  let values: [BoundExpression]
  let section: BoundExpression?
  let sectionText: String
  /// Whether rows are whole objects.
  let isWhole: Bool
  let groups: Grouping?

  /// GROUP BY with the clauses that apply to groups.
  struct Grouping: Sendable {
    /// The key values, as expressions over an object.
    var keys: [BoundExpression] = []
    var aggregates: [GroupAggregate] = []
    var having: BoundPredicate?
    var order: [BoundSortKey] = []
    var distinct: [BoundExpression] = []
    var offset = 0
    var limit: Int?
    /// Each clause as text, for plans.
    var steps = Steps()
  }

  /// The clauses that apply to groups as written, with arguments substituted.
  struct Steps: Sendable {
    var keys: [String] = []
    var having: PredicateSyntax?
    var distinct: [String] = []
  }

  /// Looks up the names of `query` and `rows` in `schema`, substitutes their placeholders and checks their types.
  ///
  /// - Throws: A `DiagnosticError` with all errors and their positions in the text.
  package init(
    _ query: QueryDescription, _ rows: RowDescription, schema: StoredSchema
  ) throws(DiagnosticError) {
    var failures: [DiagnosticError] = []
    var objects: CompiledQuery?
    do throws(DiagnosticError) { objects = try CompiledQuery(query, schema: schema) } catch { failures.append(error) }
    guard let entity = schema.entity(named: query.entity) else { throw failures.first ?? .noEntity(query.entity) }
    var binder = RowBinder(rows, entity: entity, schema: schema)
    let bound = binder.bound()
    if let error = binder.error { failures.append(error) }
    guard let objects, failures.isEmpty else { throw .joined(failures, source: rows.context.source) }
    self.objects = objects
    columns = bound.columns.withDistinctHeadings()
    values = bound.values
    section = bound.section
    sectionText = rows.sectionsBy?.predicateFormat ?? ""
    groups = bound.groups
    isWhole = rows.select == nil && bound.groups == nil
    warnings = binder.warnings.reduce(into: objects.warnings) { if !$0.contains($1) { $0.append($1) } }
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
