internal import CPlatform
internal import Synchronization

/// The store that a value was read from, as long as somebody else holds it. One for each store, shared by all values
/// read from it.
///
/// It does not count as one who holds the store, and is not weak either, which would make all counting of stores slow.
final class StoreReference: Sendable {
  private let referred = Mutex<Unmanaged<Store>?>(nil)

  /// The store; nil once nobody holds it.
  var store: Store? {
    referred.withLock { store in
      guard let living = store.flatMap({ platform_retain_living($0.toOpaque()) }) else { return nil }
      return Unmanaged.fromOpaque(living).takeRetainedValue()
    }
  }

  /// Says which store it is: once, by that store.
  func refer(to store: Store) { referred.withLock { $0 = .passUnretained(store) } }

  /// Says that the store is no more: by that store, when it ends.
  func forget() { referred.withLock { $0 = nil } }
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
    return sources.last { $0.store.file === store.file } ?? .store(store)
  }
}
