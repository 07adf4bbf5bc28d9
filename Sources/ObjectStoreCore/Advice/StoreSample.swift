internal import Storage

/// A store in memory with some of the objects of another store, with the same indexes and further ones. Links to
/// objects that it lacks are left out.
struct StoreSample {
  let store: Store
  /// The indexes that the other store lacks.
  private let added: Set<IndexCandidate>

  /// Copies objects, then builds the indexes.
  ///
  /// - Parameter check: Throws to cancel the work.
  init(
    _ sampled: SampledObjects, of snapshot: Snapshot, with added: [IndexCandidate], _ cancellation: Cancellation?,
    _ check: () throws -> Void
  ) throws {
    let schema = snapshot.schema.schema
    store = try Store.inMemory(schema: schema)
    self.added = Set(added)
    let numbers = sampled.objects.mapValues { objects in
      Dictionary(zip(objects, (1...).lazy.map { ObjectNumber($0).target }), uniquingKeysWith: { first, _ in first })
    }
    try store.file.write { session in
      for source in snapshot.schema.entities {
        guard let target = session.schema.entity(named: source.name) else { continue }
        let columns = target.columns.map { (source: source.column(at: $0.path), links: $0.target) }
        var rows = ObjectRows(source, snapshot)
        for object in sampled.objects[source.name] ?? [] {
          try check()
          let row = try columns.map { column in
            guard let place = column.source, let value = try rows.value(place, of: object) else { return Value.null }
            return column.links.map { value.leading(to: numbers[$0] ?? [:]) } ?? value
          }
          try session.insert(row, into: target)
        }
      }
    }
    if added.isEmpty { return }
    try store.declare(added.reduce(schema) { $0.adding($1.index, to: $1.entity) }, cancellation: cancellation)
  }

  /// Runs `body` on the objects, as if the store had only some of the added indexes.
  func read<R>(with chosen: Set<IndexCandidate>, _ body: (QuerySource) throws -> R) throws -> R {
    try store.file.read { snapshot in
      let seen = snapshot.hiding { entity, index in
        let candidate = IndexCandidate(entity: entity.name, index: index.index)
        return added.contains(candidate) && !chosen.contains(candidate)
      }
      let scope = SnapshotScope(seen, store: store)
      defer { scope.end() }
      return try body(.snapshot(scope))
    }
  }
}

/// An index that an entity might have.
struct IndexCandidate: Hashable {
  let entity: String
  let index: Index
}

extension Value {
  /// The value of a link, with the objects' numbers in another store.
  fileprivate func leading(to numbers: [UInt64: Int64]) -> Value {
    switch self {
    case .int(let target): numbers[ObjectNumber(target: target).rawValue].map { .int($0) } ?? .null
    case .list(let elements): .list(elements.map { $0.leading(to: numbers) }.filter { !$0.isNull })
    default: self
    }
  }
}
