internal import Storage
internal import Values

/// A predicate evaluated row by row, because it has no kernel.
final class RowFilter: Filter {
  let predicate: BoundPredicate

  init(_ predicate: BoundPredicate) {
    self.predicate = predicate.prepared
    goesThroughLinks = predicate.goesThroughLinks
  }

  /// Sampling would follow links, which costs more than the estimate is worth.
  private let goesThroughLinks: Bool

  var usesRows: Bool { true }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { [] }

  var estimate: Double? { goesThroughLinks ? 0.3 : nil }

  var isLocal: Bool { !goesThroughLinks }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let row = ClusterRow(cluster, context)
    var found = Mask.none
    try candidates.forEach { slot in
      row.slot = slot
      if try predicate.holds(for: row) { found[slot] = true }
    }
    return found
  }
}

/// Provides the values of a cluster's objects, one at a time.
final class ClusterRow: RowValues {
  private let cluster: ClusterView
  private var columns: [Int: ColumnView] = [:]
  let linked: LinkedObjects?
  let cancellation: CancellationCheck?
  /// The current object.
  var slot = 0

  init(_ cluster: ClusterView, _ linked: LinkedObjects?, _ cancellation: CancellationCheck) {
    self.cluster = cluster
    self.linked = linked
    self.cancellation = cancellation
  }

  convenience init(_ cluster: ClusterView, _ context: ExecutionContext) {
    self.init(cluster, context.linked, context.cancellation)
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
