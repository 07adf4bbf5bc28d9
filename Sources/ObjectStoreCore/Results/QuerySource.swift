internal import Storage

/// Where a query reads: the newest version of a store, a version that is being read, a write in progress, or a version
/// that an observer holds.
///
/// For a thread that is in a write of the store, the newest version is what the write has made so far.
enum QuerySource: Sendable {
  case store(Store)
  case snapshot(SnapshotScope)
  case transaction(TransactionScope)
  case held(HeldSnapshot)

  /// Where the thread that asks reads: in a write of the store that it is in, else as it says.
  @inline(__always)
  var current: QuerySource {
    guard case .store(let store) = self else { return self }
    return ThreadState.current.write(of: store) ?? self
  }

  /// Runs `body` on the version that is current.
  @inline(__always)
  func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    switch current {
    case .store(let store): return try store.file.read(body)
    case .snapshot(let scope): return try body(scope.snapshot())
    case .transaction(let scope): return try body(scope.session().snapshot())
    case .held(let held): return try held.read(body)
    }
  }

  /// What reads single objects of a model in `snapshot`, the version that is current.
  func objects<Object: Model>(of model: Object.Type, in snapshot: Snapshot) throws -> SingleObjects {
    if case .snapshot(let scope) = self { return try scope.objects(of: model) }
    let store = store
    return try SingleObjects(
      try store.layout(Object.modelDefinition, in: snapshot.schema), in: snapshot, store.reference)
  }

  /// The schema of the version that is current.
  func schema() throws -> StoredSchema {
    switch current {
    case .store(let store): return try store.file.currentSchema()
    case .snapshot(let scope): return try scope.snapshot().schema
    case .transaction(let scope): return try scope.session().schema
    case .held(let held): return try held.read(\.schema)
    }
  }

  /// Whether what was found stays right as long as the version is the same. In a write it does not.
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
