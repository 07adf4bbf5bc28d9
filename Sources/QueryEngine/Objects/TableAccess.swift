internal import Storage

/// Whether the clusters of a scan come from the table of clusters or from the tree.
package enum TableAccess: Hashable, Sendable, CaseIterable {
  /// From the table once it is worth building.
  case cheapest
  /// From the tree, cluster by cluster on one thread, for tests that compare the ways.
  case never
  /// From the table, which is built if it does not exist, for tests that compare the ways.
  case always

  /// The table of an entity for a use; nil if the clusters come from the tree.
  func table(of entity: StoredEntity, in snapshot: Snapshot, for use: TableUse) throws(StoreError) -> TableScan? {
    switch self {
    case .cheapest: try snapshot.tableScan(entity, for: use)
    case .never: nil
    // A place cannot be found without a table, so this use always builds one.
    case .always: try snapshot.tableScan(entity, for: .place)
    }
  }
}
