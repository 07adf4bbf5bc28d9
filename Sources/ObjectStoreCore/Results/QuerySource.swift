internal import Storage

/// The source of a query: the newest version of a store, a snapshot, a write in progress, or a snapshot of an observer.
///
/// For a thread in a write of the store, the newest version includes the changes so far.
enum QuerySource: Sendable {
  case store(Store)
  case snapshot(SnapshotScope)
  case transaction(TransactionScope)
  case held(HeldSnapshot)

  /// The actual source on the current thread: its write of the store, if there is one.
  @inline(__always)
  var current: QuerySource {
    guard case .store(let store) = self else { return self }
    return ThreadState.current.write(of: store) ?? self
  }

  /// Runs `body` with the current version.
  @inline(__always)
  func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    switch current {
    case .store(let store): return try store.file.read(body)
    case .snapshot(let scope): return try body(scope.snapshot())
    case .transaction(let scope): return try body(scope.session().snapshot())
    case .held(let held): return try held.read(body)
    }
  }

  /// The reader of single objects of a model in `snapshot`, the current version.
  func objects<Object: Model>(of model: Object.Type, in snapshot: Snapshot) throws -> SingleObjects {
    if case .snapshot(let scope) = self { return try scope.objects(of: model) }
    let store = store
    return try SingleObjects(
      try store.layout(Object.modelDefinition, in: snapshot.schema), in: snapshot, store.reference)
  }

  /// The schema of the current version.
  func schema() throws -> StoredSchema {
    switch current {
    case .store(let store): return try store.file.currentSchema()
    case .snapshot(let scope): return try scope.snapshot().schema
    case .transaction(let scope): return try scope.session().schema
    case .held(let held): return try held.read(\.schema)
    }
  }

  /// Whether results stay valid for a version; false within a write.
  var keepsVersions: Bool {
    if case .transaction = current { return false }
    return true
  }

  /// The store.
  var store: Store {
    switch self {
    case .store(let store): store
    case .snapshot(let scope): scope.store
    case .transaction(let scope): scope.store
    case .held(let held): held.store
    }
  }
}
