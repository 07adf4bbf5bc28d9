internal import Diagnostics
internal import Storage

/// A write transaction: the argument of the closure of `Store.write`. It ends with the closure.
///
/// ```swift
/// try store.write { tx in
///   let id = try tx.add(quake)
///   try tx.update(id) { $0.felt = 3 }
/// }
/// ```
///
/// It may be used only on the thread of the closure; afterwards, and on other threads, every access throws. Its queries
/// include the changes written so far.
public final class WriteTransaction {
  let scope: TransactionScope
  /// Tells observers how the transaction ended.
  let outcome: WriteOutcome
  private let activeSession: WriteSession
  private var isOpen = true
  /// One encoder, reused for all models that are added.
  private var encoder = RowEncoder()
  private var latest: ModelLayout?

  init(_ session: WriteSession, store: Store) {
    session.limit(to: store.limits.ofValues)
    activeSession = session
    scope = TransactionScope(session, store: store)
    outcome = WriteOutcome(store.reference)
  }

  /// Runs the body of the write and then ends the transaction.
  func run<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    defer { end() }
    return try ThreadState.current.reading(in: .transaction(scope)) { try body(self) }
  }

  func end() {
    isOpen = false
    scope.end()
  }

  var session: WriteSession {
    get throws(StoreError) {
      guard isOpen else { throw .finished }
      return activeSession
    }
  }

  func entity(named name: String) throws(StoreError) -> StoredEntity {
    let schema = try session.schema
    guard let entity = schema.entity(named: name) else {
      throw .unknownEntity(
        name, suggestion: Suggestion.nearest(to: name, among: schema.entities.map(\.name)))
    }
    return entity
  }

  func layout(_ definition: ModelDefinition) throws(StoreError) -> ModelLayout {
    if let latest, latest.definition === definition { return latest }
    let layout = try scope.store.layout(definition, in: session.schema)
    latest = layout
    return layout
  }

  /// Adds the new objects that `object` links to and runs `body` with its values. The memory is reused for the next
  /// object.
  ///
  /// - Parameter isMerging: Whether a new object updates an existing one with the same value of a unique property.
  func encoding<Object: Model, R>(
    _ object: borrowing Object, isMerging: Bool = false, _ body: ([Value]) throws -> R
  ) throws -> R {
    encoder.reset()
    object.encode(into: &encoder)
    if encoder.refusal != nil { try encoder.requireStorable(Object.modelDefinition) }
    if encoder.newObjects.isEmpty { return try body(encoder.values) }
    var writer = GraphWriter(self, isMerging: isMerging)
    return try writer.write(encoder.encoded, body)
  }

  /// The values of a new object.
  func encoded(_ object: any AddableObject) throws(StoreError) -> EncodedRow {
    encoder.reset()
    object.encode(into: &encoder)
    try encoder.requireStorable(object.definition)
    return encoder.encoded
  }
}
