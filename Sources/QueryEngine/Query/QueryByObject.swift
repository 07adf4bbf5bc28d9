package import Storage
package import Values

/// A query evaluated object by object: which of a few objects match, and in which order objects come. It is for results
/// that are kept while a few objects change, where planning would cost more than the objects.
///
/// It remembers the keys of objects that it compared with others, since a binary search begins with the same ones each
/// time.
package final class QueryByObject {
  private let entity: StoredEntity
  /// nil where whether an object matches depends on others: then a plan reads these for several objects at once.
  private let predicate: BoundPredicate?
  /// The keys of SORT, the most significant first. Objects with equal keys are in the order of their IDs.
  private let keys: [BoundSortKey]
  private var known: [ObjectNumber: [Value]] = [:]

  private static var mostKnown: Int { 4_096 }
  /// From this number of objects on, a plan evaluates them faster.
  private static var fewestPlanned: Int { 32 }

  /// - Parameter query: A query with neither a window nor `DISTINCT`, which does not depend on the time.
  package init(_ query: CompiledQuery) {
    entity = query.entity
    var filters: [BoundPredicate] = []
    var keys: [BoundSortKey] = []
    // Each SORT keeps the order of the one before it among objects with equal keys.
    for stage in query.stages.reversed() {
      switch stage {
      case .filter(let filter): filters.append(filter)
      case .sort(let sorted): keys += sorted.map { $0.mapped(\.prepared) }
      case .distinct, .window: break
      }
    }
    self.keys = keys
    let predicate = BoundPredicate.and(filters.reversed())
    self.predicate = predicate.goesThroughLinks ? nil : predicate.prepared
  }

  /// Those of some objects that exist and match, in order; nil if a plan is to find them. The objects must be ascending.
  package func found(among objects: [ObjectNumber], in snapshot: Snapshot) throws -> [ObjectNumber]? {
    guard let predicate, objects.count < Self.fewestPlanned else { return nil }
    let context = ExecutionContext(snapshot, nil, CancellationCheck())
    var found: [(keys: [Value], object: ObjectNumber)] = []
    for object in objects {
      guard let row = try row(of: object, in: snapshot, context), try predicate.holds(for: row) else { continue }
      found.append((try keys.map { try $0.expression.value(in: row) }, object))
    }
    if !keys.isEmpty { found.sort { precedes($0.keys, $0.object, $1.keys, $1.object) } }
    return found.map(\.object)
  }

  /// Forgets the keys of objects, whose values may have changed.
  package func forget(_ objects: some Sequence<ObjectNumber>) {
    for object in objects { known[object] = nil }
  }

  /// The number of objects in order that come before an object, which is not among them. It reads about as many objects
  /// as `count` has binary digits.
  ///
  /// - Parameter at: The object at a position below `count`.
  /// - Throws: `StoreError.corrupted` if one of the objects does not exist.
  package func position(
    of object: ObjectNumber, among count: Int, at: (Int) -> ObjectNumber, in snapshot: Snapshot
  ) throws -> Int {
    let context = ExecutionContext(snapshot, nil, CancellationCheck())
    let own = try sortValues(of: object, in: snapshot, context)
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      let other = at(middle)
      if precedes(try sortValues(of: other, in: snapshot, context), other, own, object) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func precedes(_ left: [Value], _ first: ObjectNumber, _ right: [Value], _ second: ObjectNumber) -> Bool {
    for (key, values) in zip(keys, zip(left, right)) {
      let order = SortOrder.compare(values.0, values.1)
      if order != 0 { return (order < 0) == key.ascending }
    }
    return first < second
  }

  private func sortValues(
    of object: ObjectNumber, in snapshot: Snapshot, _ context: ExecutionContext
  ) throws -> [Value] {
    if let values = known[object] { return values }
    guard let row = try row(of: object, in: snapshot, context) else {
      throw StoreError.corrupted(location: "\(entity.name): an index does not have what the objects have")
    }
    let values = try keys.map { try $0.expression.value(in: row) }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[object] = values
    return values
  }

  /// The object's values; nil if it does not exist.
  private func row(
    of object: ObjectNumber, in snapshot: Snapshot, _ context: ExecutionContext
  ) throws -> ClusterRow? {
    guard let cluster = try snapshot.cluster(object.cluster, of: entity), cluster.present[object.slot] else {
      return nil
    }
    let row = ClusterRow(cluster, context)
    row.slot = object.slot
    return row
  }
}
