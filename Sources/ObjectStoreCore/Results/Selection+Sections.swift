internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Values

extension Selection {
  /// The objects by the values of an expression.
  ///
  /// - Parameter isAscending: Whether sections are in the order of their keys; nil for that of their first objects.
  func sections(
    by key: SortKeySyntax, source text: String, isAscending: Bool?, in snapshot: Snapshot
  ) throws -> [(key: Value, objects: [ObjectNumber])] {
    let found = try found(try rows(by: key, source: text, for: snapshot.schema), in: snapshot)
    var sections = try found.sections().map { (key: $0.key, objects: found.objects($0.rows)) }
    if let isAscending {
      sections.sort { isAscending ? $0.key.sortsBefore($1.key) : $1.key.sortsBefore($0.key) }
    }
    return sections
  }

  /// The values of an expression about groups of objects, in the order of the groups.
  func groupValues(
    of expression: ExpressionSyntax, in grouping: Grouping, _ snapshot: Snapshot
  ) throws -> [Value] {
    if let failure { throw failure }
    let item = SelectItemSyntax(expression, heading: "")
    let rows = try CompiledRows(
      description,
      RowDescription(
        select: [item], groupBy: grouping.keys, having: grouping.having, sortBy: grouping.order,
        limit: grouping.limit, context: SourceContext(source: "")),
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
    options.limit(by: source.store.limits, cancellation)
    options.threads = source.store.scanThreads
    options.samples = source.store.queries.samples
    options.now = now
    options.given = try linked?.numbers(of: rows.objects.entity, in: snapshot)
    let found = try rows.plan(in: snapshot, options: options).found(in: snapshot)
    try source.store.limits.check(rows: found.count)
    return found
  }

  /// Throws what is wrong with an expression to section by.
  func checkSections(by key: SortKeySyntax, source text: String) throws {
    _ = try rows(by: key, source: text, for: try source.schema())
  }

  private func rows(
    by key: SortKeySyntax, source text: String, for schema: StoredSchema
  ) throws -> CompiledRows {
    if let failure { throw failure }
    let rows = RowDescription(
      select: nil, sectionsBy: key.expression, sectionOptions: key.options, context: SourceContext(source: text))
    return try CompiledRows(description, rows, schema: schema)
  }
}
