internal import Storage

/// What a plan comes to that goes by a key which one object has at most: the object is found and asked, with nothing made
/// of sets, orders or tables.
final class PointLookup: Sendable {
  private let entity: StoredEntity
  private let index: StoredIndex
  private let range: IndexKeyRange
  private let conditions: [Filter]

  /// nil for a plan that may find more, or that does more.
  init?(_ root: PlanNode, of entity: StoredEntity) {
    guard case .filter(let conjuncts) = root.kind, case .indexRange(let range) = root.children[0].kind,
      range.ranges.count == 1, range.index.isUnique
    else { return nil }
    self.entity = entity
    index = range.index
    self.range = range.ranges[0]
    conditions = conjuncts.map(\.condition)
  }

  /// The object, if there is one for which all conditions hold. The answer is nil where the index, as it is in a
  /// snapshot, may have more of the key.
  func find(in snapshot: Snapshot, _ isCancelled: (@Sendable () -> Bool)?) throws -> UInt64?? {
    let reader = try snapshot.index(index, of: entity)
    guard let key = reader.uniqueKey(range) else { return nil }
    let patience = CancellationCheck(isCancelled)
    try patience.check()
    guard let object = try reader.firstObject(of: key), let cluster = try snapshot.cluster(object >> 8, of: entity)
    else { return .some(nil) }
    let scratch = ExecutionContext(snapshot, nil, patience)
    var left = Mask(slot: Int(truncatingIfNeeded: object & 255)) & cluster.present
    for condition in conditions where !left.isEmpty {
      condition.expect(1, scratch)
      left = try condition.mask(cluster, left, scratch)
    }
    return .some(left.isEmpty ? nil : object)
  }
}
