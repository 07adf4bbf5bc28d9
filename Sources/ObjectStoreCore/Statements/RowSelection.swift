internal import Diagnostics
internal import QueryEngine
internal import Storage

/// A query for rows with its source.
struct RowSelection: Sendable {
  let source: QuerySource
  private(set) var objects: QueryDescription
  private(set) var rows: RowDescription
  var cancellation: Cancellation?
  /// The compiled query, for one schema.
  private var known: (rows: CompiledRows, schema: StoredSchema)?

  init(_ objects: QueryDescription, _ rows: RowDescription, in source: QuerySource, cancellation: Cancellation?) {
    self.source = source
    self.objects = objects
    self.rows = rows
    self.cancellation = cancellation
  }

  /// A query from the cache.
  init(
    _ known: QueryCache.Statement.Rows, for schema: StoredSchema, in source: QuerySource, cancellation: Cancellation?
  ) {
    self.init(known.objects, known.rows, in: source, cancellation: cancellation)
    self.known = (known.compiled, schema)
  }

  /// Keeps at most `count` rows.
  func limit(_ count: Int, isGrouped: Bool) -> RowSelection {
    var limited = self
    limited.known = nil
    let count = Swift.max(0, count)
    if isGrouped {
      limited.rows.limit = rows.limit.map { Swift.min($0, count) } ?? count
    } else {
      limited.objects.stages.append(.window(offset: 0, limit: count))
    }
    return limited
  }

  /// Skips the first `count` rows.
  func offset(_ count: Int, isGrouped: Bool) -> RowSelection {
    var rest = self
    rest.known = nil
    let count = Swift.max(0, count)
    guard isGrouped else {
      rest.objects.stages.append(.window(offset: count, limit: nil))
      return rest
    }
    let (sum, overflows) = rows.offset.addingReportingOverflow(count)
    rest.rows.offset = overflows ? .max : sum
    rest.rows.limit = rows.limit.map { Swift.max(0, $0 - count) }
    return rest
  }

  /// The objects of the rows.
  func wholeObjects() throws -> DynamicResults {
    try DynamicResults(Selection(objects, in: source, cancellation: cancellation))
  }

  /// Compiles the query for the current schema.
  func compiled() throws -> CompiledRows { try compiled(for: try source.schema()) }

  private func compiled(for schema: StoredSchema) throws -> CompiledRows {
    if let known, known.schema === schema { return known.rows }
    let timed = source.store.limits.timed(cancellation)
    let compiled = try CompiledRows(objects, rows, schema: schema, isCancelled: timed?.poll)
    try timed?.check()
    return compiled
  }

  /// Runs `body` with a plan for the current version; with `comparing`, beside all others.
  func read<R>(
    comparing: Bool = false, noting questions: IndexQuestions? = nil, _ body: (Snapshot, Plan) throws -> R
  ) throws -> R {
    try source.read { snapshot in
      var options = PlannerOptions()
      options.questions = questions
      options.namesRejected = comparing
      options.limit(by: source.store.limits, cancellation)
      options.threads = source.store.scanThreads
      options.samples = source.store.queries.samples
      let plan = try compiled(for: snapshot.schema).plan(in: snapshot, options: options)
      return try body(snapshot, plan)
    }
  }

  /// Calls `body` with each row, with a value for each property of its columns; with `naming`, objects are replaced by
  /// names.
  ///
  /// In a write `body` may change the store, which ends every view of it, so all rows are read first.
  func forEachFlat(naming: Bool = false, _ body: ([Value]) throws -> Void) throws {
    guard !source.keepsVersions else { return try readEach(naming, body) }
    var rows: [[Value]] = []
    try readEach(naming) { rows.append($0) }
    for row in rows { try body(row) }
  }

  private func readEach(_ naming: Bool, _ body: ([Value]) throws -> Void) throws {
    try read { snapshot, plan in
      var names = LinkNames(snapshot)
      let found = try plan.found(in: snapshot)
      try source.store.limits.check(rows: found.count)
      try found.forEach { row in
        try body(naming ? names.named(row) : row)
        return true
      }
    }
  }

  /// How the rows would be found; with `analyze`, how they were.
  func explanation(analyze: Bool) throws -> QueryExplanation {
    try planned { try QueryExplanation($1, analyze: analyze, in: $0) }
  }

  /// Runs `body` with a snapshot and the plan in it, beside all others.
  ///
  /// - Parameters:
  ///   - operation: What a statement does with the rows.
  ///   - questions: Collects what the query asks of indexes.
  func planned<R>(
    for operation: StatementOperation? = nil, noting questions: IndexQuestions? = nil,
    _ body: (Snapshot, Plan) throws -> R
  ) throws -> R {
    try read(comparing: true, noting: questions) { try body($0, operation.map($1.under) ?? $1) }
  }
}
