/// The store that a value was read from, as long as somebody else holds it. One for each store, shared by all values
/// read from it.
final class StoreReference: @unchecked Sendable {
  /// The store; nil once nobody holds it. Set by the store when it is made, and then only read.
  fileprivate(set) weak var store: Store?

  init() {}

  /// Says which store it is: once, by that store.
  func refer(to store: Store) { self.store = store }
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
