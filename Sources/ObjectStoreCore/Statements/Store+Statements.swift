internal import Diagnostics
internal import PredicateLanguage

extension Store {
  /// Runs one statement of the language: `Quake WHERE magnitude > 5 SORT BY time SELECT code`, `COUNT Quake`,
  /// `EXPLAIN Quake WHERE …`, `DELETE Quake WHERE …`, `UPDATE Quake SET felt = 0 WHERE …`,
  /// `INSERT Quake {"code": "x"}`, `CREATE INDEX ON Quake (time)`, `ALTER Quake ADD felt: Int?`.
  ///
  /// ```swift
  /// let result = try store.run("COUNT Quake WHERE magnitude > $min", arguments: Arguments(["min": 5]))
  /// if case .count(let count) = result { print(count) }
  /// ```
  ///
  /// - Parameters:
  ///   - statement: The text, with or without a final `;`.
  ///   - arguments: Values for its placeholders.
  ///   - definitions: The predicates named by LET, used as `$name`.
  ///   - defaultEntity: The entity of a bare predicate, as after `.use Quake`.
  ///   - cancellation: Cancels the statement.
  /// - Returns: The result. Objects are evaluated when they are accessed.
  /// - Throws: `QueryError` when the text is wrong, `QueryCancelled`, `StoreError` for all other errors.
  public func run(
    _ statement: String, arguments: Arguments = Arguments(), definitions: [String: PredicateSyntax] = [:],
    defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    let syntax = try limits.timed(cancellation).parsing { interruption throws(DiagnosticError) in
      try StatementParser.statement(statement, defaultEntity: defaultEntity, interruption: interruption)
    }
    return try run(
      syntax, source: statement, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation)
  }

  /// Runs a parsed statement. A statement that changes objects or the schema runs in its own write transaction. LET
  /// returns no result: the caller keeps the definition.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text, for the places in errors.
  ///   - arguments: Values for its placeholders.
  ///   - definitions: The predicates named by LET, used as `$name`.
  ///   - defaultEntity: The entity of a bare predicate, as after `.use Quake`.
  ///   - cancellation: Cancels the statement, also while it waits for another writer.
  /// - Returns: The result. Objects are evaluated when they are accessed.
  /// - Throws: `QueryError` for names, types and values that don't fit the schema, and for BEGIN, COMMIT and ROLLBACK,
  ///   which need a `StatementSession`; `QueryCancelled`; `StoreError` for all other errors.
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    definitions: [String: PredicateSyntax] = [:], defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    var runner = StatementRunner(
      source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation, isUndone: true)
    if case .schema(let change) = statement {
      let timed = limits.timed(cancellation)
      guard let timed else { return try run(change, source: source, cancellation: nil) }
      return try timed.naming { try run(change, source: source, cancellation: timed) }
    }
    guard runner.isWrite(statement) else { return try runner.read(statement, in: .store(self)) }
    // The time limit of a change includes the wait for other writers. A query has one for each evaluation.
    runner.cancellation = limits.timed(cancellation)
    guard let timed = runner.cancellation else { return try write { try runner.change(statement, in: $0) } }
    return try timed.naming { try write(cancellation: timed) { try runner.change(statement, in: $0) } }
  }
}

extension WriteTransaction {
  /// Runs one statement in this transaction: queries see the objects it has written, and the changes of the statement
  /// are committed or undone with the rest. `cancellation` does not end a change that has begun.
  ///
  /// The parameters are those of `Store.run`.
  ///
  /// - Throws: `QueryError` for names, types and values that don't fit the schema, and for BEGIN, COMMIT, ROLLBACK and
  ///   changes of the schema, which a transaction does not run; `QueryCancelled`; `StoreError` for all other errors.
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    definitions: [String: PredicateSyntax] = [:], defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    let runner = StatementRunner(
      source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation)
    if runner.isWrite(statement) { return try runner.change(statement, in: self) }
    return try runner.read(statement, in: .transaction(scope))
  }
}
