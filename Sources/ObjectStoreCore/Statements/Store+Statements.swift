extension Store {
  /// Runs one statement of the language: `Quake WHERE magnitude > 5 SORT BY time SELECT code`, `COUNT Quake`,
  /// `EXPLAIN Quake WHERE …`, `DELETE Quake WHERE …`.
  ///
  /// - Parameters:
  ///   - statement: The text, without or with a final `;`.
  ///   - arguments: Values for its placeholders.
  ///   - definitions: Predicates named by LET, for `$name`.
  ///   - defaultEntity: The entity of a bare predicate, as after `.use Quake`.
  ///   - cancellation: Stops it from outside.
  /// - Returns: What it gives. Objects are evaluated when they are asked for.
  /// - Throws: `QueryError` when the text is wrong, `StoreError` for all else.
  public func run(
    _ statement: String, arguments: Arguments = Arguments(), definitions: [String: PredicateSyntax] = [:],
    defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    let syntax = try StatementParser.statement(statement, defaultEntity: defaultEntity)
    return try run(
      syntax, source: statement, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation)
  }

  /// Runs a statement already parsed; `source` is the text its ranges refer to.
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    definitions: [String: PredicateSyntax] = [:], defaultEntity: String? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    throw StoreError.unsupported("not yet")
  }
}
