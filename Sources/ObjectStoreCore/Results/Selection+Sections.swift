internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

extension Selection {
  /// The objects by the values of an expression, in the order of their first objects.
  func sections(
    by expression: ExpressionSyntax, source text: String
  ) throws -> [(key: Value, objects: [ObjectNumber])] {
    try source.read { snapshot in
      let found = try found(try rows(by: expression, source: text, for: snapshot.schema), in: snapshot)
      return try found.sections().map { section in
        (section.key, section.rows.compactMap { found.object($0) })
      }
    }
  }

  /// The values of an expression about the groups of objects that share the value of a key, in the order of their first
  /// objects.
  func groupValues(
    of expression: ExpressionSyntax, by key: ExpressionSyntax, having: PredicateSyntax?, in snapshot: Snapshot
  ) throws -> [Value] {
    if let failure { throw failure }
    let item = SelectItemSyntax(expression, heading: "")
    let rows = try CompiledRows(
      description,
      RowDescription(select: [item], groupBy: [key], having: having, context: SourceContext(source: "")),
      schema: snapshot.schema)
    var values: [Value] = []
    try found(rows, in: snapshot).forEach { row in
      values.append(row.first ?? .null)
      return true
    }
    return values
  }

  private func found(_ rows: CompiledRows, in snapshot: Snapshot) throws -> FoundRows {
    var options = PlannerOptions()
    if let cancellation { options.isCancelled = { cancellation.isCancelled } }
    options.threads = source.store.scanThreads
    options.samples = source.store.queries.samples
    options.now = now
    options.given = try linked?.numbers(of: rows.objects.entity, in: snapshot)
    return try rows.plan(in: snapshot, options: options).found(in: snapshot)
  }

  /// Checks an expression to section by, and throws its errors.
  func checkSections(by expression: ExpressionSyntax, source text: String) throws {
    _ = try rows(by: expression, source: text, for: try source.schema())
  }

  private func rows(
    by expression: ExpressionSyntax, source text: String, for schema: StoredSchema
  ) throws -> CompiledRows {
    if let failure { throw failure }
    return try CompiledRows(
      description, RowDescription(select: nil, sectionsBy: expression, context: SourceContext(source: text)),
      schema: schema)
  }
}
