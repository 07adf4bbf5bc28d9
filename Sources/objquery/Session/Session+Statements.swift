import ObjectStoreCore
internal import PredicateLanguage

extension Session {
  /// Reads a statement. One of SQL that is typed, and can mean only one thing, is read as that, which is shown.
  private func read(_ text: String) throws -> (StatementSyntax, source: String) {
    func parsed(_ text: String, _ example: StatementExample? = nil) throws -> (StatementSyntax, source: String) {
      (try statements.parse(text, example: example, cancellation: running), text)
    }
    do {
      return try parsed(text)
    } catch let error as DiagnosticError {
      let isTyped = isInteractive && depth == 0
      guard isTyped, !isStrict, let reading = StatementParser.reading(of: text, defaultEntity: defaultEntity) else {
        // Read again with the names of the store in the examples.
        guard let example = Advice.example(of: (try? store.schema) ?? Schema(), preferring: defaultEntity) else {
          throw error
        }
        return try parsed(text, example)
      }
      // Parsed again, so that a mistake of another kind is shown in the text that was read.
      let meant = reading.description
      let words = "read as: " + Screen.harmless(meant)
      console.note(console.color ? Screen.dimmed(words) : words)
      return try parsed(meant)
    }
  }

  /// Runs one statement and shows its result.
  func runStatement(_ written: String) throws {
    guard let done = try perform(written, warn: { console.warn($0, source: $1) }) else { return }
    if done.statement.showsResult {
      let isQuery = done.statement.isQuery
      lastQuery =
        isQuery ? LastQuery(statement: done.statement, source: done.source, arguments: done.arguments) : nil
    }
    try show(done.result, source: done.source)
  }

  /// A statement that was run.
  struct PerformedStatement {
    var statement: StatementSyntax
    /// The text that was read.
    var source: String
    var arguments: Arguments
    /// What was shown of a change of the schema.
    var shownChange: MigrationPreview?
    var result: StatementResult
  }

  /// Runs one statement; nil when it is a change of the schema that changes nothing.
  ///
  /// - Parameter warn: Receives warnings of statements whose results have none, with the text they are about.
  func perform(_ written: String, warn: (Diagnostic, String) -> Void) throws -> PerformedStatement? {
    var (statement, text) = try read(written)
    if running?.isCancelled == true { throw Interrupted() }
    if isSafe, statement.writes {
      throw CommandFailure(description: "nothing is written with --safe", code: "not-safe")
    }
    switch (explaining, statement) {
    case (.on, .select), (.on, .count): statement = .explain(analyze: false, statement)
    case (.analyze, .select), (.analyze, .count): statement = .explain(analyze: true, statement)
    default: break
    }
    let arguments = try parameters.arguments(
      for: statement, source: text, schema: store.schema, defaultEntity: defaultEntity,
      definitions: statements.definitions)
    if let target = adviceTarget(statement, source: text, arguments) { asked.add(target) }
    // Results with objects or rows include their warnings.
    switch statement {
    case .count, .update, .delete:
      try statements.warnings(of: statement, source: text, arguments: arguments, cancellation: running)
        .forEach { warn($0, text) }
    default: break
    }
    try confirm(statement, source: text)
    if case .schema(let change) = statement, try !confirm(change, source: text) { return nil }
    let shown = shownChange
    let result: StatementResult
    do {
      result = try run(statement, source: text, arguments)
    } catch let error as StoreError {
      guard case .commit = statement else { throw error }
      throw CommandFailure(
        description: "\(error); everything since BEGIN was undone", code: Console.code(of: error)
      )
    }
    if case .schema(let change) = statement { followChange(change) }
    return PerformedStatement(
      statement: statement, source: text, arguments: arguments, shownChange: shown, result: result)
  }

  /// Shows the result of the last query again, with all its rows.
  func showLastQuery() throws {
    guard let lastQuery else {
      throw CommandFailure(
        description: "there is no result with more rows: .all is for the query before it", code: "no-result")
    }
    try show(
      run(lastQuery.statement, source: lastQuery.source, lastQuery.arguments), source: lastQuery.source, isWhole: true)
  }

  /// Runs a statement; when it is interrupted, the error says whether changes were made.
  private func run(_ statement: StatementSyntax, source: String, _ arguments: Arguments) throws -> StatementResult {
    func run() throws -> StatementResult {
      try statements.run(statement, source: source, arguments: arguments, cancellation: running)
    }
    // From here on, the transaction may have ended.
    if statement.endsTransaction { Interrupts.shared.isInTransaction = false }
    defer { Interrupts.shared.isInTransaction = statements.isInTransaction }
    switch statement {
    case .begin: return try Interrupted.telling("no transaction was begun") { try stoppedByInterrupts(run) }
    case .delete, .update, .insert:
      // Of several statements of a transaction none is stopped halfway.
      if statements.isInTransaction { return try run() }
      return try Interrupted.telling("nothing was changed") { try stoppedByInterrupts(run) }
    case .schema(let change):
      let shown = shownChange
      shownChange = nil
      return try Interrupted.telling("nothing was changed") {
        try stoppedByInterrupts {
          // In a transaction it is refused.
          guard let shown, !statements.isInTransaction else { return try run() }
          return try store.run(change, source: source, as: shown, cancellation: running)
        }
      }
    case .select, .count, .explain, .commit, .rollback, .define: return try run()
    }
  }

  /// Runs `body`, which Ctrl-C also cancels in a script: otherwise the process would end without reporting what
  /// happened to the change.
  func stoppedByInterrupts<R>(_ body: () throws -> R) rethrows -> R {
    guard !isInteractive, let running else { return try body() }
    return try Interrupts.shared.stopping(by: running, body)
  }
}

extension StatementSyntax {
  /// Whether it may change the store.
  var writes: Bool {
    switch self {
    case .delete, .update, .insert, .begin, .commit, .schema: true
    case .explain, .select, .count, .rollback, .define: false
    }
  }
}

extension StatementSyntax {
  /// Whether its result is objects, rows or sections.
  fileprivate var isQuery: Bool {
    switch self {
    case .select: true
    case .delete, .update, .insert, .begin, .commit, .rollback, .count, .explain, .define, .schema: false
    }
  }
}

extension StatementSyntax {
  /// Whether it has a result, which takes the place of the one before.
  fileprivate var showsResult: Bool {
    switch self {
    case .select, .count, .explain: true
    case .delete, .update, .insert, .begin, .commit, .rollback, .define, .schema: false
    }
  }

  /// Whether a transaction may be over after it.
  fileprivate var endsTransaction: Bool {
    switch self {
    case .commit, .rollback: true
    case .begin, .delete, .update, .insert, .select, .count, .explain, .define, .schema: false
    }
  }
}
