internal import LMDB
package import Values

extension Snapshot {
  /// A scan over all clusters by a table, where there is one for this version or it is worth making; nil for those who
  /// must walk.
  ///
  /// - Parameter isWanted: Whether it is worth making for this scan alone.
  package final func tableScan(_ entity: StoredEntity, isWanted: Bool = false) throws(StoreError) -> TableScan? {
    let context = try context(of: entity)
    // Within a write clusters move with every change.
    guard transaction is ReadTransaction else { return nil }
    let tables = entity.clusterTables
    let first = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.cursor(context.tables.objects).first()
    }
    guard let start = first?.value.baseAddress else { return nil }
    if let known = tables.table(version, from: start) { return TableScan(known, context.cluster) }
    guard isWanted || tables.isSecondScan(of: version), try clusterCount(entity) <= ClusterTable.longest,
      let made = try clusterTable(entity)
    else { return nil }
    tables.put(made)
    return TableScan(made, context.cluster)
  }

  /// The object at a place among all of an entity, in insertion order; nil beyond the last, and where there is no table
  /// that says so without walking.
  ///
  /// - Complexity: logarithmic in the clusters, once somebody has asked.
  package final func object(at place: Int, of entity: StoredEntity) throws(StoreError) -> ObjectNumber? {
    try tableScan(entity, isWanted: true)?.table.object(at: place)
  }

  /// nil where a cluster lies at an odd address: such are copied, which no table can say.
  private final func clusterTable(_ entity: StoredEntity) throws(StoreError) -> ClusterTable? {
    var rows: [ClusterTable.Row] = []
    rows.reserveCapacity(try clusterCount(entity))
    var isEven = true
    let context = try context(of: entity)
    try StoreError.only(path) {
      let cursor = try transaction.cursor(context.tables.objects)
      var entry = try cursor.first()
      while isEven, let found = entry {
        guard found.key.count == 8 else {
          throw StoreError.corrupted(location: "\(entity.name): a cluster without a number")
        }
        entry = try cursor.next()
        let number = found.key.loadUnaligned(as: UInt64.self)
        let cluster = try ClusterView(found.value, number: number, context: context.cluster)
        guard let start = found.value.baseAddress, UInt(bitPattern: start) & 7 == 0,
          let length = UInt32(exactly: found.value.count)
        else {
          isEven = false
          break
        }
        rows.append(ClusterTable.Row(cluster, start, length))
      }
    }
    return isEven ? ClusterTable(version: version, rows) : nil
  }
}
