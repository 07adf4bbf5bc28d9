internal import Diagnostics
internal import PredicateLanguage
internal import Storage

/// Statements one after the other, with BEGIN, COMMIT and ROLLBACK, and predicates named by LET.
///
/// ```swift
/// let session = StatementSession(store)
/// try session.run("BEGIN")
/// try session.run("UPDATE Quake SET felt = felt + 1 WHERE magnitude > 5")
/// try session.run("COMMIT")
/// ```
///
/// Between BEGIN and COMMIT statements see what those before them changed and nobody else does. A statement that fails
/// changes nothing, and the transaction goes on. Other writers wait meanwhile, as long as their `Store.busyTimeout`
/// says. Outside of a transaction every statement that writes commits by itself.
///
/// A session with an open transaction, and results that its statements gave, belong to the thread that began it.
/// Letting go of the session undoes the transaction.
public final class StatementSession {
  /// The store.
  public let store: Store
  /// Predicates named by LET, for `$name`.
  public var definitions: [String: PredicateSyntax] = [:] { didSet { mentioned = nil } }
  /// The names that definitions mention, and perhaps some that they did; nil until it is asked for.
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

  /// The open transaction, to write in it by other means than statements; nil when there is none.
  public var transaction: WriteTransaction? { open?.transaction }

  /// Begins a transaction, once other writers are done.
  ///
  /// - Parameter cancellation: Stops waiting for another writer from outside, and hears who that is.
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

  /// Makes what was done since `begin()` safe and visible. When it throws, all of that was undone.
  ///
  /// - Throws: `StoreError`: `constraintViolated`, `full`, …; `QueryError` without a transaction.
  public func commit() throws {
    guard let open else { throw Self.noTransaction("COMMIT") }
    self.open = nil
    open.transaction.end()
    do { try open.write.commit() } catch { throw store.explained(error) }
  }

  /// Undoes what was done since `begin()`.
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

  /// Runs one statement, with or without a final `;`.
  ///
  /// - Returns: What it gives. Objects and rows are evaluated when they are asked for, in the transaction if one is
  ///   open.
  /// - Throws: `QueryError` when the text is wrong or a transaction is missing or open already, `StoreError` for all
  ///   else.
  @discardableResult
  public func run(
    _ statement: String, arguments: Arguments = Arguments(), cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    let syntax = try StatementParser.statement(statement, defaultEntity: defaultEntity)
    return try run(syntax, source: statement, arguments: arguments, cancellation: cancellation)
  }

  /// Runs a statement already parsed; `source` is the text its ranges refer to.
  @discardableResult
  public func run(
    _ statement: StatementSyntax, source: String, arguments: Arguments = Arguments(), cancellation: Cancellation? = nil
  ) throws -> StatementResult {
    switch statement {
    case .begin: try begin(cancellation: cancellation)
    case .commit: try commit()
    case .rollback: try rollback()
    case .define(let name, let predicate): try define(name, predicate, source: source)
    default:
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

  /// What is probably not meant by a statement, though it has a meaning: to be told before it is run. Nothing for one
  /// that is not about objects.
  ///
  /// - Throws: `QueryError` when the text is wrong.
  public func warnings(
    of statement: StatementSyntax, source: String, arguments: Arguments = Arguments()
  ) throws -> [Diagnostic] {
    let runner = StatementRunner(
      source: source, arguments: arguments, definitions: definitions, defaultEntity: defaultEntity, cancellation: nil)
    let place = open.map { QuerySource.transaction($0.transaction.scope) } ?? .store(store)
    return try runner.warnings(of: statement, in: place)
  }

  /// Names a predicate. What it was named before is forgotten.
  ///
  /// - Throws: `QueryError` for one that would be defined by itself.
  private func define(_ name: NameSyntax, _ predicate: PredicateSyntax, source: String) throws {
    let inner = predicate.definedNames
    var mentioned = self.mentioned ?? definitions.values.reduce(into: Set<String>()) { $0.formUnion($1.definedNames) }
    self.mentioned = nil
    // What nothing mentions closes no circle: so a long chain is not gone through again with every link.
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

  /// Whether one of `names` is `name`, or stands for something that mentions it, however indirectly.
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
  /// The names of predicates in it.
  fileprivate var definedNames: Set<String> {
    var names: Set<String> = []
    walk { node in
      if case .predicate(let predicate) = node, case .named(let name) = predicate.kind { names.insert(name) }
      return true
    }
    return names
  }
}
