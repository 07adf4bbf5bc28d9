internal import Synchronization

/// The store that a value was read from. There is one for each store, shared by all values read from it.
///
/// It does not keep the store alive.
final class StoreReference: Sendable {
  private struct Referred {
    weak var store: Store?
  }

  private let referred = Mutex(Referred())

  /// The store; nil after it has been released.
  var store: Store? { referred.withLock { $0.store } }

  /// Sets the store. The store does so once, when it is created.
  func refer(to store: Store) { referred.withLock { $0.store = store } }
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
    guard let store = origin.store else { throw .closed }
    if store.isPast {
      guard let source = sources.last(where: { $0.store === store }) else { throw .finished }
      return source
    }
    return sources.last { $0.store.file === store.file } ?? .store(store)
  }
}
