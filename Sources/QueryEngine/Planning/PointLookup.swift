internal import Storage

/// A plan that looks up one object by a unique key. It finds and filters the object without sets or sorting.
final class PointLookup: Sendable {
  private let entity: StoredEntity
  private let index: StoredIndex
  private let range: IndexKeyRange
  private let filters: [Filter]

  /// nil for a plan that may find several objects, or has other operators.
  init?(_ root: PlanNode, of entity: StoredEntity) {
    guard case .filter(let conjuncts) = root.kind, case .indexRange(let range) = root.children[0].kind,
      range.ranges.count == 1, range.index.isUnique
    else { return nil }
    self.entity = entity
    index = range.index
    self.range = range.ranges[0]
    filters = conjuncts.map(\.filter)
  }

  /// The object, if it exists and passes all filters. The outer nil means that the index may have several objects for
  /// the key, and the plan must run.
  func find(in snapshot: Snapshot, _ isCancelled: (@Sendable () -> Bool)?) throws -> UInt64?? {
    let reader = try snapshot.index(index, of: entity)
    guard let key = reader.uniqueKey(range) else { return nil }
    let cancellation = CancellationCheck(isCancelled)
    try cancellation.check()
    guard let object = try reader.firstObject(of: key), let cluster = try snapshot.cluster(object >> 8, of: entity)
    else { return .some(nil) }
    let context = ExecutionContext(snapshot, nil, cancellation)
    var left = Mask(slot: Int(truncatingIfNeeded: object & 255)) & cluster.present
    for filter in filters where !left.isEmpty {
      filter.expect(1, context)
      left = try filter.mask(cluster, left, context)
    }
    return .some(left.isEmpty ? nil : object)
  }
}
