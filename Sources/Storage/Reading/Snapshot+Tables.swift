internal import LMDB
package import Values

extension Snapshot {
  /// A scan of the table of clusters, if there is a table for this version or the use justifies building one; nil if
  /// the tree must be walked.
  package final func tableScan(_ entity: StoredEntity, for use: TableUse) throws(StoreError) -> TableScan? {
    let reader = try reader(of: entity)
    // Within a write clusters move with every change.
    guard transaction is ReadTransaction else { return nil }
    let tables = entity.clusterTables
    let first = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.cursor(reader.tables.objects).first()
    }
    guard let start = first?.value.baseAddress else { return nil }
    let known = tables.table(version, from: start)
    let clusterCount = if let known { known.count } else { try clusterCount(entity) }
    let isWorthMaking =
      switch use {
      case .scan: known != nil || tables.isSecondScan(of: version)
      case .place: true
      case .visits(let clusters): tables.isVisitedOften(clusters, of: clusterCount, version)
      }
    if let known { return TableScan(known, reader.context, makesColumns: isWorthMaking) }
    guard isWorthMaking, clusterCount <= ClusterTable.longest, let made = try clusterTable(entity) else { return nil }
    tables.put(made)
    return TableScan(made, reader.context, makesColumns: true)
  }

  /// The object at a position among all of an entity, in insertion order; nil beyond the last, and if there is no table
  /// to find it without a walk.
  ///
  /// - Complexity: Logarithmic in the number of clusters, after the first use.
  package final func object(at place: Int, of entity: StoredEntity) throws(StoreError) -> ObjectNumber? {
    try tableScan(entity, for: .place)?.table.object(at: place)
  }

  /// nil if a cluster lies at an unaligned address: it must be copied, which a table does not support.
  private final func clusterTable(_ entity: StoredEntity) throws(StoreError) -> ClusterTable? {
    var rows: [ClusterTable.Row] = []
    // In a damaged file the count may be any.
    rows.reserveCapacity(min(try clusterCount(entity), 1 << 16))
    var isEven = true
    let reader = try reader(of: entity)
    try StoreError.only(path) {
      let cursor = try transaction.cursor(reader.tables.objects)
      var entry = try cursor.first()
      while isEven, let found = entry {
        guard found.key.count == 8 else {
          throw StoreError.corrupted(location: "\(entity.name): a cluster without a number")
        }
        entry = try cursor.next()
        let number = found.key.loadUnaligned(as: UInt64.self)
        let cluster = try ClusterView(found.value, number: number, context: reader.context)
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

/// The intended use of a table of clusters, which determines whether it is worth building.
package enum TableUse {
  /// Full scans build the cluster table on the second scan of a version; the first may be the only one.
  case scan
  /// Finding an object by position, which is not possible otherwise without a walk.
  case place
  /// Looking up a number of clusters. A lookup in the tree costs a few times as much as building a row of the table. So
  /// once half as many clusters of a version have been looked up as there are, a table costs about as much as was
  /// already spent.
  case visits(Int)
}
