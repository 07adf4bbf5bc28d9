internal import Diagnostics
internal import PredicateLanguage
internal import Storage

/// Runs statements one after the other, with BEGIN, COMMIT and ROLLBACK, and with predicates named by LET.
///
/// ```swift
/// let session = StatementSession(store)
/// try session.run("BEGIN")
/// try session.run("UPDATE Quake SET felt = felt + 1 WHERE magnitude > 5")
/// try session.run("COMMIT")
/// ```
///
/// Between BEGIN and COMMIT, statements see the changes of earlier statements; nobody else does. A statement that fails
/// changes nothing, and the transaction continues. Other writers wait meanwhile, for up to their `Store.busyTimeout`.
/// Outside a transaction, every statement that writes commits by itself.
///
/// A session with an open transaction, and the results of its statements, belong to the thread that began the
/// transaction. Releasing the session undoes the transaction.
public final class StatementSession {
  /// The store.
  public let store: Store
  /// The predicates named by LET, used as `$name`.
  public var definitions: [String: PredicateSyntax] = [:] { didSet { mentioned = nil } }
  /// The names that definitions mention, possibly including names that earlier definitions mentioned; nil until first
  /// needed.
  private var mentioned: Set<String>?
  /// The entity of a bare predicate, as after `.use Quake`.
  public var defaultEntity: String?
  private var open: Open?

  private struct Open {
    let write: OpenWrite
    let transaction: WriteTransaction
  }

  /// A session without a transaction.
  public init(_ store: Store) { self.store = store }

  deinit { rollBackIfOpen() }

  // MARK: Transactions

  /// Whether a transaction is open.
  public var isInTransaction: Bool { open != nil }

  /// The open transaction, for writes other than statements; nil without one.
  public var transaction: WriteTransaction? { open?.transaction }

  /// Begins a transaction, waiting for other writers to finish.
  ///
  /// - Parameter cancellation: Cancels the wait for another writer and reports who is writing.
  /// - Throws: `StoreError`: `busy` after the store's `busyTimeout`, `cancelled`, `readOnly`; `QueryError` in an open
  ///   transaction.
  public func begin(cancellation: Cancellation? = nil) throws {
    guard open == nil else {
      throw Self.misplaced(
        .transactionOpen, "a transaction is open already",
        "COMMIT keeps what was done in it, ROLLBACK undoes it; transactions are not nested")
    }
    let write = try store.file.beginWrite(timeout: store.busyTimeout, wait: cancellation.wait)
    open = Open(write: write, transaction: WriteTransaction(write.session, store: store))
  }

  /// Commits the changes since `begin()`: they are durable and visible to others. If this throws, all of them are
  /// undone.
  ///
  /// - Throws: `StoreError`: `constraintViolated`, `full`, …; `QueryError` without a transaction.
  public func commit() throws {
    guard let open else { throw Self.noTransaction("COMMIT") }
    self.open = nil
    open.transaction.end()
    do { try open.write.commit() } catch { throw store.explained(error) }
  }

  /// Undoes the changes since `begin()`.
  ///
  /// - Throws: `QueryError` without a transaction.
  public func rollback() throws {
    guard open != nil else { throw Self.noTransaction("ROLLBACK") }
    rollBackIfOpen()
  }

  private func rollBackIfOpen() {
    guard let open else { return }
    self.open = nil
    open.transaction.end()
    open.write.rollback()
  }

  private static func noTransaction(_ statement: String) -> QueryError {
    misplaced(
      .noTransaction, "there is no transaction for \(statement) to end",
      "BEGIN starts one; without it every statement commits by itself")
  }

  private static func misplaced(_ code: DiagnosticCode, _ message: String, _ note: String) -> QueryError {
    QueryError(source: "", Diagnostic(code: code, message: message, range: nil, notes: [note]))
  }

  // MARK: Statements

  /// Parses one statement, with or without a final `;`. It is not looked up in the schema.
  ///
  /// ```swift
  /// let session = StatementSession(store)
  /// let syntax = try session.parse("Quake WHERE magnitude > 5", cancellation: Cancellation(after: .seconds(1)))
  /// ```
  ///
  /// - Parameters:
  ///   - statement: The text, of at most 1 MiB.
  ///   - example: The names in the examples of messages; nil for those of the documentation.
  ///   - cancellation: Ends the parsing, as does the time limit of the store.
  /// - Throws: `QueryError` when the text is wrong, `QueryCancelled`, `StoreError.limitExceeded`.
  /// - Complexity: Linear in the length of the text.
  public func parse(
    _ statement: String, example: StatementExample? = nil, cancellation: Cancellation? = nil
  ) throws -> StatementSyntax {
    try store.limits.timed(cancellation).parsing { interruption throws(DiagnosticError) in
      try StatementParser.statement(
        statement, defaultEntity: defaultEntity, example: example, interruption: interruption)
    }
  }

  /// Runs one statement, with or without a final `;`.
  ///
  /// - Parameters:
  ///   - statement: The text, of at most 1 MiB.
  ///   - arguments: Values for its placeholders.
  ///   - cancellation: Cancels the statement, also while it waits for another writer.
  /// - Returns: The result of the statement. Objects and rows are evaluated when they are accessed, in the open
  ///   transaction if there is one.
  /// - Throws: `QueryError` when the text is wrong, or a transaction is missing or already open; `StoreError` for all
  ///   other errors.
  @discardableResult
  public func run(
    _ statement: String, arguments: Arguments = Arguments(), cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    let syntax = try parse(statement, cancellation: cancellation)
    return try run(syntax, source: statement, arguments: arguments, cancellation: cancellation)
  }

  /// Runs a parsed statement.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text, for the places in errors.
  ///   - arguments: Values for its placeholders.
  ///   - cancellation: Cancels the statement, also while it waits for another writer.
  /// - Throws: `QueryError` for names, types and values that don't fit the schema, for a transaction that is missing or
  ///   already open, and for a change of the schema in a transaction; `QueryCancelled`; `StoreError` for all other
  ///   errors.
  @discardableResult
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(), cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    switch statement {
    case .begin: try begin(cancellation: cancellation)
    case .commit: try commit()
    case .rollback: try rollback()
    case .define(let name, let predicate): try define(name, predicate, source: source)
    case .schema where open != nil: throw SchemaStatement.misplaced(source)
    case .select, .count, .explain, .delete, .update, .insert, .schema:
      guard let open else {
        return try store.run(
          statement, source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
          cancellation: cancellation)
      }
      return try open.transaction.run(
        statement, source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
        cancellation: cancellation)
    }
    return .none
  }

  /// Warns about parts of a statement that are valid but probably not intended, before it is run. Returns nothing for
  /// statements that are not about objects.
  ///
  /// ```swift
  /// let session = StatementSession(store)
  /// let syntax = try session.parse(text)
  /// for warning in try session.warnings(of: syntax, source: text) { print(warning.message) }
  /// try session.run(syntax, source: text)
  /// ```
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text, for the places in warnings and errors.
  ///   - arguments: Values for its placeholders.
  ///   - cancellation: Cancels the check.
  /// - Throws: `QueryError` for names, types and values that don't fit the schema; `QueryCancelled`; `StoreError` when
  ///   the store can't be read.
  public func warnings(
    of statement: StatementSyntax, source: String, arguments: Arguments = Arguments(),
    cancellation: Cancellation? = nil
  ) throws -> [Diagnostic] {
    let runner = StatementRunner(
      source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity,
      cancellation: cancellation)
    let place = open.map { QuerySource.transaction($0.transaction.scope) } ?? .store(store)
    return try runner.warnings(of: statement, in: place)
  }

  /// Names a predicate, replacing an earlier definition of the name.
  ///
  /// - Throws: `QueryError` for a predicate that would refer to itself.
  private func define(_ name: NameSyntax, _ predicate: PredicateSyntax, source: String) throws {
    let inner = predicate.definedNames
    var mentioned = self.mentioned ?? definitions.values.reduce(into: Set<String>()) { $0.formUnion($1.definedNames) }
    self.mentioned = nil
    // A name that nothing mentions can't close a cycle, so a long chain is not searched again with every definition.
    if inner.contains(name.text) || mentioned.contains(name.text), leads(inner, to: name.text) {
      throw QueryError(
        source: source,
        Diagnostic(
          code: .recursiveDefinition, message: "'$\(name.text)' would be defined by itself", range: name.range,
          notes: ["give it another name"]))
    }
    mentioned.formUnion(inner)
    definitions[name.text] = predicate
    self.mentioned = mentioned
  }

  /// Whether one of `names` is `name` or refers to it, directly or through other definitions.
  private func leads(_ names: Set<String>, to name: String) -> Bool {
    var seen = names
    var pending = Array(names)
    while let next = pending.popLast() {
      StepCounter.add()
      if next == name { return true }
      for inner in definitions[next]?.definedNames ?? [] where seen.insert(inner).inserted { pending.append(inner) }
    }
    return false
  }
}

extension PredicateSyntax {
  /// The names of the predicates it mentions.
  fileprivate var definedNames: Set<String> {
    var names: Set<String> = []
    walk { node in
      if case .predicate(let predicate) = node, case .named(let name) = predicate.kind { names.insert(name) }
      return true
    }
    return names
  }
}
