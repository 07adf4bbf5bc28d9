package import Diagnostics
package import PredicateLanguage
internal import Schema
package import Storage

/// A query with its names looked up and its types checked, for one version of a schema. It can be planned in any
/// snapshot of that version, any number of times, on any thread; it holds no resources.
package final class CompiledQuery: Sendable {
  /// The entity whose objects it finds.
  package let entity: StoredEntity
  /// Warnings: constructs that are valid but probably not meant.
  package let warnings: [Diagnostic]
  /// The query without a plan, if it asks for one value of a unique property.
  package let prepared: PreparedQuery?
  let stages: [BoundStage]
  /// What is made of the objects.
  let rows: RowStages
  private let format: FilterSyntax
  private let memory = PlanCache()
  /// The cache shared with queries that differ in their arguments; nil if there are none.
  private let shape: PlanShapeCache?
  /// Whether the query contains `now()`, so that its plan depends on the time.
  package let readsMoment: Bool

  /// Looks up the names of `description` in `schema`, substitutes its placeholders and checks its types.
  ///
  /// - Parameter isCancelled: Once it returns true, binding ends early. The caller must ask it again and discard the
  ///   query.
  /// - Throws: A `DiagnosticError` with all errors and their positions in the text.
  package init(
    _ description: QueryDescription, schema: StoredSchema, isCancelled: (@Sendable () -> Bool)? = nil
  ) throws(DiagnosticError) {
    entity = try Self.entity(of: description, in: schema)
    var compiler = StageCompiler(
      entity: entity, schema: schema, stages: description.stages, isCancelled: isCancelled)
    stages = try compiler.compile()
    warnings = compiler.warnings
    format = compiler.format
    prepared = PreparedQuery(stages, of: entity)
    readsMoment = stages.contains(where: \.readsMoment)
    shape = nil
    rows = RowStages()
  }

  /// The query with other constants.
  ///
  /// - Parameter shape: The cache shared by queries with other constants; nil keeps that of `query`.
  init(_ query: CompiledQuery, stages: [BoundStage], format: FilterSyntax, shape: PlanShapeCache? = nil) {
    entity = query.entity
    warnings = query.warnings
    readsMoment = query.readsMoment
    self.shape = shape ?? query.shape
    // Other constants of the same types make no lookup of a query that was none.
    prepared = query.prepared == nil ? nil : PreparedQuery(stages, of: query.entity)
    self.stages = stages
    self.format = format
    rows = query.rows
  }

  /// The query with something made of its objects.
  init(_ query: CompiledQuery, rows: RowStages, warnings: [Diagnostic]) {
    entity = query.entity
    self.warnings = warnings
    readsMoment = query.readsMoment || rows.readsMoment
    shape = query.shape
    prepared = nil
    stages = query.stages
    format = query.format
    self.rows = rows
  }

  /// The query with another window: it replaces the last stage if that is a window, otherwise it is appended. Nothing
  /// is looked up or checked again.
  package func withWindow(offset: Int, limit: Int?) -> CompiledQuery {
    var stages = stages
    var tails = format.tails
    if case .window? = stages.last {
      stages.removeLast()
      if !tails.isEmpty { tails.removeLast() }
    }
    stages.append(.window(offset: max(0, offset), limit: limit.map { max(0, $0) }))
    tails.append(StageCompiler.window(offset: offset, limit: limit))
    let isFiltered = stages.contains { if case .filter = $0 { true } else { false } }
    return CompiledQuery(
      self, stages: stages, format: FilterSyntax(predicate: isFiltered ? format.predicate : nil, tails: tails))
  }

  /// The query in the language's canonical form, with arguments substituted: its conditions joined by AND, then its
  /// tails.
  package var predicateFormat: String { format.predicateFormat(besides: entity.hasProperty) }

  /// The predicate and the tails, with arguments substituted.
  package var syntax: FilterSyntax { format }

  /// Plans the query in `snapshot`, which must have the schema that the query was compiled for.
  ///
  /// A query that runs again in the same version is not planned again.
  package func plan(in snapshot: Snapshot, options: PlannerOptions = PlannerOptions()) throws -> Plan {
    guard keepsPlan(options), snapshot.isCommitted else { return try planner(in: snapshot, options).plan() }
    if let known = knownPlan(in: snapshot, threads: options.threads) { return known }
    let plan = try planner(in: snapshot, options).plan()
    memory.keep(plan, in: snapshot)
    return plan
  }

  /// The plan of the last run, if that run was in the snapshot's version and the plan does not depend on its options.
  package func knownPlan(in snapshot: Snapshot, threads: ScanThreads) -> Plan? {
    guard !readsMoment, snapshot.isCommitted, var known = memory.plan(in: snapshot) else { return nil }
    known.threads = threads
    return known
  }

  /// Whether a plan for these options serves later runs. A plan that can be cancelled belongs to one run.
  private func keepsPlan(_ options: PlannerOptions) -> Bool {
    !options.namesRejected && options.access == .cheapest && options.links == .cheapest
      && options.evaluation == .cheapest && options.tables == .cheapest && options.given == nil
      && options.reduction == nil && options.isCancelled == nil && options.memory == nil && !readsMoment
  }

  /// The number of plans that `AccessChoice.enumerated` can select in this snapshot.
  package func planCount(in snapshot: Snapshot, options: PlannerOptions = PlannerOptions()) throws -> Int {
    try planner(in: snapshot, options).candidates().count
  }

  private func planner(in snapshot: Snapshot, _ options: PlannerOptions) -> Planner {
    var options = options
    // One time for the whole plan, including those for linked objects.
    if readsMoment { options.now = options.now ?? .now }
    // EXPLAIN estimates for these arguments, not for those before.
    return Planner(
      entity: entity, stages: stages, rows: rows, warnings: warnings, snapshot: snapshot, options: options,
      shape: options.namesRejected ? nil : shape)
  }

  private static func entity(
    of description: QueryDescription, in schema: StoredSchema
  ) throws(DiagnosticError) -> StoredEntity {
    if let entity = schema.entity(named: description.entity) { return entity }
    let names = schema.entities.map(\.name)
    let listing = names.isEmpty ? "the store has no entities" : "the store has \(names.joined(separator: ", "))"
    var notes = [listing]
    var fixes: [Fix] = []
    if let near = Suggestion.nearest(to: description.entity, among: names) ?? description.loneStatement {
      if let range = description.entitySource?.range {
        fixes = [Fix(message: "write '\(near)'", range: range, replacement: near)]
      }
      notes = ["did you mean '\(near)'? " + listing]
    }
    var message = "there is no entity '\(description.entity)'"
    if description.isOfModel {
      message = "the store was opened without the model '\(description.entity)'"
      notes.insert("name '\(description.entity).self' among the models when you open it", at: 0)
    }
    throw DiagnosticError(
      source: description.entitySource?.text ?? "",
      Diagnostic(
        code: .unknownEntity, message: message,
        range: description.entitySource?.range, notes: notes, fixes: fixes))
  }
}

extension QueryDescription {
  /// The single-word statement that was probably meant, if the text consists only of the entity's name.
  fileprivate var loneStatement: String? {
    guard let (text, range) = entitySource else { return nil }
    let bytes = Array(text.utf8)
    let around = [bytes.prefix(range.lowerBound), bytes.dropFirst(range.upperBound)]
    guard around.joined().allSatisfy({ " \t\n\r;".utf8.contains($0) }) else { return nil }
    return StatementParser.loneStatement(near: entity)
  }
}
