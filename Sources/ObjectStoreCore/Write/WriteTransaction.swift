internal import Storage

/// A write transaction: what `Store.write` hands to its closure. It ends with the closure.
///
/// Used on the thread of the closure only; afterwards, and elsewhere, whatever it is asked for throws. Queries made
/// from it see what it has written so far.
public final class WriteTransaction {
  let scope: TransactionScope
  private let activeSession: WriteSession
  private var isOpen = true
  /// One row, for all models that are added.
  private var encoder = RowEncoder()
  private var latest: ModelLayout?

  init(_ session: WriteSession, store: Store) {
    activeSession = session
    scope = TransactionScope(session, store: store)
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

  /// Runs `body` with the values of `object`; their memory is used again for the next.
  func encoding<Object: Model, R>(
    _ object: borrowing Object, _ body: ([Value]) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    encoder.reset()
    object.encode(into: &encoder)
    return try body(encoder.values)
  }
}
