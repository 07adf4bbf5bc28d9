import Dispatch
import ObjectStoreCore
import Synchronization

extension Session {
  /// Shows the result of a query, and then what each commit changes in it, by this or any other process, until Ctrl-C.
  ///
  /// - Parameter most: How many commits that change something are followed; nil for all.
  func watch(_ text: String, most: Int? = nil) throws {
    try refuseInTransaction(".watch")
    let statement = try StatementParser.statement(text, defaultEntity: defaultEntity)
    switch statement {
    case .select, .count: break
    case .explain, .delete, .update, .insert, .begin, .commit, .rollback, .define, .schema:
      let entity = try store.schema.entities.first?.name ?? "Quake"
      throw CommandFailure(
        description: "only the result of a query can be watched: write a query, as in .watch \(entity) WHERE …",
        code: "not-a-query")
    }
    let arguments = try parameters.arguments(
      for: statement, source: text, schema: store.schema, defaultEntity: defaultEntity,
      definitions: statements.definitions)
    func result() throws -> StatementResult {
      try statements.run(statement, source: text, arguments: arguments, cancellation: nil)
    }
    let first = try result()
    switch first {
    case .objects(let results):
      results.warnings.forEach { console.warn($0, source: text) }
      try watch(limit.map { results.limit($0) } ?? results, text, most)
    case .rows(let rows):
      rows.warnings.forEach { console.warn($0, source: text) }
      try watch(rows.columns, text, most) { [self] in
        guard case .rows(let rows) = try result() else { return [] }
        var all: [[Value]] = []
        try (limit.map { rows.limit($0) } ?? rows).forEachFlat(naming: true) { all.append($0) }
        return all
      }
    case .count:
      let columns = [ResultColumn(heading: "count", content: .number)]
      try watch(columns, text, most) {
        guard case .count(let count) = try result() else { return [] }
        return [[.int(Int64(count))]]
      }
    case .sections:
      throw CommandFailure(
        description: "sections are not watched: watch the query without SECTIONS BY", code: "not-a-query")
    case .explanation, .changed, .schemaChanged, .none: return
    }
  }

  private func watch(_ results: DynamicResults, _ text: String, _ most: Int?) throws {
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
    var screen = WatchScreen(shape, text, style, console)
    var state = WatchedRows()
    var count = 0
    try waiting { [self] in
      for try await change in results.changes() {
        switch change {
        case .initial(let results):
          state = WatchedRows(try rows(results))
          try output.result { try screen.begin(state, commit: results.version, $0) }
        case .update(let results, let deletions, let insertions, let modifications, let moves):
          let next = OutputShape(entity: results.entity, columns: results.columns)
          guard next.paths == shape.paths else {
            // The schema has changed, and with it what a row has.
            shape = next
            screen = WatchScreen(shape, text, style, console)
            state = WatchedRows(try rows(results))
            try output.result { try screen.begin(state, commit: results.version, $0) }
            count += 1
            break
          }
          try state.follow(
            deletions: deletions, insertions: insertions, modifications: modifications, moves: moves
          ) { try rows(results, at: $0) }
          try output.result { try screen.show(state, commit: results.version, $0) }
          count += 1
        }
        if let most, count >= most { return }
      }
    }
  }

  /// Watches rows that are evaluated again after each commit.
  private func watch(
    _ columns: [ResultColumn], _ text: String, _ most: Int?, _ rows: @escaping () throws -> [[Value]]
  ) throws {
    let screen = WatchScreen(OutputShape(columns: columns), text, style, console)
    var count = 0
    try waiting { [self] in
      var commits = store.changes.makeAsyncIterator()
      var state = WatchedRows(try rows())
      try output.result { try screen.begin(state, commit: store.statistics().version, $0) }
      while let commit = await commits.next() {
        // The number of another process's commit becomes visible a moment before the commit can be read.
        for _ in 0..<100 where try store.snapshot({ try $0.version }) < commit.number {
          try await Task.sleep(for: .milliseconds(1))
        }
        guard state.follow(try rows()) else { continue }
        try output.result { try screen.show(state, commit: commit.number, $0) }
        count += 1
        if let most, count >= most { return }
      }
    }
  }

  /// Runs `body` in a task, and waits for it on this thread; the cancellation of the statement cancels the task.
  private func waiting(for body: @escaping () async throws -> Void) throws {
    let handed = HandedOver(body: body)
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      do {
        try await handed.body()
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if running?.isCancelled == true { task.cancel() }
    }
    if case .failure(let error)? = outcome.withLock({ $0 }) {
      if !(error is CancellationError) { throw error }
    }
    guard running?.isCancelled == true else { return }
    // In the shell, Ctrl-C is the way to end it.
    if isInteractive { _ = Interrupts.shared.take() } else { throw Interrupted() }
  }
}

/// Work that another task does while this thread waits for it, so that both never run at once.
private struct HandedOver: @unchecked Sendable {
  let body: () async throws -> Void
}
