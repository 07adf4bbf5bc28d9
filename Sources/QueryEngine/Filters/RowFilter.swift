internal import Storage
internal import Values

/// A predicate asked row by row: for what has no kernel, such as texts computed from texts.
final class RowFilter: Filter, @unchecked Sendable {
  let predicate: BoundPredicate

  init(_ predicate: BoundPredicate) {
    self.predicate = predicate.prepared
    goesThroughLinks = predicate.goesThroughLinks
  }

  /// Following links for a sample would cost more than it tells.
  private let goesThroughLinks: Bool

  override var estimate: Double? { goesThroughLinks ? 0.3 : nil }

  override var isLocal: Bool { !goesThroughLinks }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: ExecutionContext) throws -> Mask {
    let row = ClusterRow(cluster, scratch)
    var found = Mask.none
    try candidates.forEach { slot in
      row.slot = slot
      if try predicate.holds(for: row) { found[slot] = true }
    }
    return found
  }
}

/// The objects of a cluster, one at a time.
final class ClusterRow: RowValues {
  private let cluster: ClusterView
  private var columns: [Int: ColumnView] = [:]
  let linked: LinkedObjects?
  let patience: CancellationCheck?
  /// Which object.
  var slot = 0

  init(_ cluster: ClusterView, _ linked: LinkedObjects?, _ patience: CancellationCheck) {
    self.cluster = cluster
    self.linked = linked
    self.patience = patience
  }

  convenience init(_ cluster: ClusterView, _ scratch: ExecutionContext) {
    self.init(cluster, scratch.linked, scratch.patience)
  }

  var own: Value { .int(Int64(bitPattern: cluster.number << 8 | UInt64(truncatingIfNeeded: slot))) }

  func value(_ column: Int) throws -> Value { try view(column).value(at: slot) }

  func elementCount(_ column: Int) throws -> Int { try view(column).elementCount(at: slot) }

  func element(_ column: Int, _ place: Int) throws -> Value { try view(column).element(at: slot, place) }

  private func view(_ column: Int) throws -> ColumnView {
    if let known = columns[column] { return known }
    let view = try cluster.column(column)
    columns[column] = view
    return view
  }
}
