internal import CSystem
internal import Storage

/// The time and thread in which a snapshot may be used by results and links that were made from it. Outside of these,
/// reads throw.
final class SnapshotScope: @unchecked Sendable {
  let store: Store
  private let thread = system_thread_number()
  private var current: Snapshot?
  /// Readers of single objects.
  private var objects = LatelyAsked<SingleObjects>()
  private var lookups = LatelyAsked<ObjectLookup>()

  init(_ snapshot: Snapshot, store: Store) {
    current = snapshot
    self.store = store
  }

  /// The version, on the thread that reads it and before its end.
  @inline(__always)
  func snapshot() throws(StoreError) -> Snapshot {
    guard system_thread_number() == thread else {
      throw .unsupported("what is read within 'forEach' or 'snapshot' belongs to the thread it runs on")
    }
    guard let current else { throw .finished }
    return current
  }

  /// Ends it: on the thread that reads.
  func end() {
    current = nil
    objects = LatelyAsked()
    lookups = LatelyAsked()
  }

  /// The reader of single objects of a model in this version.
  func objects<Object: Model>(of model: Object.Type) throws -> SingleObjects {
    let snapshot = try snapshot()
    let definition = Object.modelDefinition
    if let known = objects.first(where: { $0.layout.definition === definition }) { return known }
    let made = try SingleObjects(try store.layout(definition, in: snapshot.schema), in: snapshot, store.reference)
    objects.add(made)
    return made
  }

  /// The lookup of a model's objects by a unique property in this version.
  func lookup<Object: Model>(by keyPath: AnyKeyPath, of model: Object.Type) throws -> ObjectLookup {
    let snapshot = try snapshot()
    if let known = lookups.first(where: { $0.keyPath === keyPath }) { return known }
    let made = try ObjectLookup(keyPath, of: model, try objects(of: model), in: snapshot)
    lookups.add(made)
    return made
  }
}

/// A few recently used objects; the last one is found at once.
private struct LatelyAsked<Thing: AnyObject> {
  private var last: Thing?
  private var others: [Thing] = []
  private static var most: Int { 8 }

  @inline(__always)
  mutating func first(where isWanted: (Thing) -> Bool) -> Thing? {
    if let last, isWanted(last) { return last }
    guard let index = others.firstIndex(where: isWanted) else { return nil }
    let found = others.remove(at: index)
    add(found)
    return found
  }

  mutating func add(_ thing: Thing) {
    if let last { others.append(last) }
    if others.count >= Self.most { others.removeFirst() }
    last = thing
  }
}

extension QuerySource {
  /// Runs `body` with the current snapshot; links are followed in the same snapshot.
  func following<R>(_ body: (Snapshot) throws -> R) throws -> R {
    let source = current
    guard case .store(let store) = source else {
      return try ThreadState.current.reading(in: source) { try read(body) }
    }
    return try read { snapshot in
      let scope = SnapshotScope(snapshot, store: store)
      defer { scope.end() }
      return try ThreadState.current.reading(in: .snapshot(scope)) { try body(snapshot) }
    }
  }
}
