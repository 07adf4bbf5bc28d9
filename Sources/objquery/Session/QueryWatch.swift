import ObjectStoreCore

/// A query whose rows are followed: all of them first, and then what each commit changes in them, by this or any other
/// process. It does not know how they are shown.
struct QueryWatch: Sendable {
  /// The rows as of one commit.
  struct Step {
    var rows: WatchedRows
    var shape: OutputShape
    var commit: Int
    /// Whether the rows are all new: at the beginning, and after a change of the schema that changed what a row has.
    var isFresh: Bool
  }

  private enum Source: Sendable {
    case objects(DynamicResults)
    /// Rows that are evaluated again after each commit.
    case rows([ResultColumn], evaluate: @Sendable (Cancellation?) throws -> [[Value]])
  }

  private let store: Store
  private let source: Source
  /// Cancels reading the first rows.
  private let cancellation: Cancellation?
  /// The query as written.
  let text: String
  /// The entity whose objects are followed; nil for other rows.
  let entity: Entity?
  /// The columns of rows that are not objects.
  let columns: [ResultColumn]
  /// What is probably a mistake in the query.
  let warnings: [Diagnostic]

  /// A query on what is committed.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - session: The session in which it means something.
  init(_ text: String, in session: Session) throws {
    let statement = try session.statements.parse(text, cancellation: session.running)
    switch statement {
    case .select, .count: break
    case .explain, .delete, .update, .insert, .begin, .commit, .rollback, .define, .schema:
      let entity = try session.store.schema.entities.first?.name ?? "Quake"
      throw CommandFailure(
        description: "only the result of a query can be watched: write a query, as in "
          + "\(session.client == .command ? ".watch " : "")\(entity) WHERE …",
        code: "not-a-query")
    }
    let arguments = try session.parameters.arguments(
      for: statement, source: text, schema: session.store.schema, defaultEntity: session.defaultEntity,
      definitions: session.statements.definitions)
    let store = session.store
    let (definitions, defaultEntity, limit) = (session.statements.definitions, session.defaultEntity, session.limit)
    let evaluate: @Sendable (Cancellation?) throws -> StatementResult = { cancellation in
      try store.run(
        statement, source: text, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
        cancellation: cancellation)
    }
    cancellation = session.running
    self.store = store
    self.text = text
    switch try evaluate(cancellation) {
    case .objects(let results):
      source = .objects(limit.map { results.limit($0) } ?? results)
      entity = results.entity
      columns = []
      warnings = results.warnings
    case .rows(let rows):
      entity = nil
      columns = rows.columns
      warnings = rows.warnings
      source = .rows(rows.columns) {
        guard case .rows(let rows) = try evaluate($0) else { return [] }
        var all: [[Value]] = []
        try (limit.map { rows.limit($0) } ?? rows).forEachFlat(naming: true) { all.append($0) }
        return all
      }
    case .count:
      entity = nil
      columns = [ResultColumn(heading: "count", content: .number, typeName: "Int")]
      warnings = []
      source = .rows(columns) {
        guard case .count(let count) = try evaluate($0) else { return [] }
        return [[.int(Int64(count))]]
      }
    case .sections, .explanation, .changed, .schemaChanged, .none:
      throw CommandFailure(
        description: "sections are not watched: watch the query without SECTIONS BY", code: "not-a-query")
    }
  }

  /// Calls `show` with the rows, and then after each commit that changed them, until it returns false or the task is
  /// cancelled.
  func follow(_ show: (Step) throws -> Bool) async throws {
    switch source {
    case .objects(let results): try await follow(results, show)
    case .rows(let columns, let evaluate): try await follow(OutputShape(columns: columns), evaluate, show)
    }
  }

  private func follow(_ results: DynamicResults, _ show: (Step) throws -> Bool) async throws {
    var shape = OutputShape(entity: results.entity, columns: results.columns)
    func rows(_ results: DynamicResults, at places: [Int]? = nil) throws -> [[Value]] {
      var rows: [[Value]] = []
      if let places {
        try results.forEachNamedRow(shape.paths, at: places) { rows.append($1) }
      } else {
        try results.forEachNamedRow(shape.paths) { rows.append($1) }
      }
      return rows
    }
    var state = WatchedRows()
    for try await change in results.changes() {
      let step: Step
      switch change {
      case .initial(let results):
        state = WatchedRows(try rows(results.cancellable(by: cancellation)))
        step = Step(rows: state, shape: shape, commit: try results.version, isFresh: true)
      case .update(let results, let deletions, let insertions, let modifications, let moves):
        let next = OutputShape(entity: results.entity, columns: results.columns)
        let isFresh = next.paths != shape.paths
        if isFresh {
          shape = next
          state = WatchedRows(try rows(results))
        } else {
          try state.follow(
            deletions: deletions, insertions: insertions, modifications: modifications, moves: moves
          ) { try rows(results, at: $0) }
        }
        step = Step(rows: state, shape: shape, commit: try results.version, isFresh: isFresh)
      }
      guard try show(step) else { return }
    }
  }

  private func follow(
    _ shape: OutputShape, _ evaluate: (Cancellation?) throws -> [[Value]], _ show: (Step) throws -> Bool
  ) async throws {
    var commits = store.changes.makeAsyncIterator()
    var state = WatchedRows(try evaluate(cancellation))
    let commit = try store.statistics().version
    guard try show(Step(rows: state, shape: shape, commit: commit, isFresh: true)) else { return }
    while let commit = await commits.next() {
      // The number of another process's commit becomes visible a moment before the commit can be read.
      for _ in 0..<100 where try store.snapshot({ try $0.version }) < commit.number {
        try await Task.sleep(for: .milliseconds(1))
      }
      guard state.follow(try evaluate(nil)) else { continue }
      guard try show(Step(rows: state, shape: shape, commit: commit.number, isFresh: false)) else { return }
    }
  }
}
