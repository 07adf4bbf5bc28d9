internal import CPlatform
internal import Storage

/// The time and thread in which a version that is being read may be used by whatever was made of it: links that are
/// followed, and results. Outside of them it throws.
final class SnapshotScope: @unchecked Sendable {
  let store: Store
  private let thread = platform_thread_number()
  private var current: Snapshot?
  /// Look-ups by the properties that were asked for lately, the last first.
  private var lookups: [ObjectLookup] = []

  init(_ snapshot: Snapshot, store: Store) {
    current = snapshot
    self.store = store
  }

  /// The version, on the thread that reads it and before its end.
  @inline(__always)
  func snapshot() throws(StoreError) -> Snapshot {
    guard platform_thread_number() == thread else {
      throw .unsupported("what is read within 'forEach' or 'snapshot' belongs to the thread it runs on")
    }
    guard let current else { throw .finished }
    return current
  }

  /// Ends it: on the thread that reads.
  func end() {
    current = nil
    lookups = []
  }

  /// The look-up of objects by a unique property.
  func lookup<Object: Model>(by keyPath: AnyKeyPath, of model: Object.Type) throws -> ObjectLookup {
    let snapshot = try snapshot()
    for known in lookups where known.keyPath === keyPath { return known }
    let made = try ObjectLookup(keyPath, of: model, in: snapshot, store)
    lookups.insert(made, at: 0)
    if lookups.count > 4 { lookups.removeLast() }
    return made
  }
}

extension QuerySource {
  /// Runs `body` on the version that is current; links that are followed in it are followed in the same version.
  func following<R>(_ body: (Snapshot) throws -> R) throws -> R {
    guard case .store(let store) = self else {
      return try ThreadState.current.reading(in: self) { try read(body) }
    }
    return try read { snapshot in
      let scope = SnapshotScope(snapshot, store: store)
      defer { scope.end() }
      return try ThreadState.current.reading(in: .snapshot(scope)) { try body(snapshot) }
    }
  }
}
