internal import Synchronization

/// The store that a value was read from. There is one for each store, shared by all values read from it.
///
/// It does not keep the store open: it counts the `Store`s, and has their parts while there is one. A weak reference
/// would do the same, but makes counting the references to the `Store` slow for ever, which every query does.
final class StoreReference: Sendable {
  private struct Referred {
    var parts: StoreParts?
    var stores = 1
  }

  private let referred: Mutex<Referred>

  /// The reference of the one store that has these parts.
  init(to parts: StoreParts) { referred = Mutex(Referred(parts: parts)) }

  /// The parts of the store; nil after it has been released.
  var parts: StoreParts? { referred.withLock { $0.parts } }

  /// The store, which stays open with what is returned; nil after it has been released.
  var store: Store? {
    let parts = referred.withLock { referred -> StoreParts? in
      if referred.parts != nil { referred.stores += 1 }
      return referred.parts
    }
    return parts.map { Store($0, self) }
  }

  /// One of the stores has been released.
  func end() {
    // The parts end outside of the lock.
    _ = referred.withLock { referred -> StoreParts? in
      referred.stores -= 1
      guard referred.stores == 0 else { return nil }
      defer { referred.parts = nil }
      return referred.parts
    }
  }
}

extension QuerySource {
  /// The source in which a link is followed that was read from a store: the thread's innermost read or write of that
  /// store, or the newest version if there is none. A link from no store is followed in the innermost read or write of
  /// any store.
  static func following(linkFrom origin: StoreReference?) throws(StoreError) -> QuerySource {
    let sources = ThreadState.current.sources
    guard let origin else {
      if let source = sources.last { return source }
      throw .unsupported(
        "a link made from an identity alone does not know its store: follow it within 'write' or 'snapshot'")
    }
    guard let parts = origin.parts else { throw .closed }
    if parts.isPast {
      guard let source = sources.last(where: { $0.store.reference === origin }) else { throw .finished }
      return source
    }
    if let source = sources.last(where: { $0.store.file === parts.file }) { return source }
    guard let store = origin.store else { throw .closed }
    return .store(store)
  }
}
