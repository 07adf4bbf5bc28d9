internal import Synchronization

/// The store that a value was read from. One for each store, shared by all values read from it.
///
/// It does not keep the store alive.
final class StoreReference: Sendable {
  private struct Referred {
    weak var store: Store?
  }

  private let referred = Mutex(Referred())

  /// The store; nil once nothing holds it.
  var store: Store? { referred.withLock { $0.store } }

  /// Sets the store: the store does so once, when it is made.
  func refer(to store: Store) { referred.withLock { $0.store = store } }
}

extension QuerySource {
  /// Where a link is followed that was read from a store: in the innermost read or write of that store that the thread
  /// is in, else in the newest version. A link that is from no store is followed in the innermost of any.
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
