internal import Schema
internal import Storage
internal import Values

/// The columns of one cluster that a reader wants, in the order it wants them: opened once, read for many objects.
///
/// Valid as long as its snapshot. It does not know what the values are made into.
final class ClusterColumns {
  let views: [ColumnView?]
  let substitutes: [Value]
  let present: Mask

  /// Opens columns of a cluster. A column the file lacks (nil) has the value in `substitutes`.
  init(_ cluster: ClusterView, columns: [Int?], substitutes: [Value]) throws(StoreError) {
    var views: [ColumnView?] = []
    views.reserveCapacity(columns.count)
    for column in columns {
      if let column { views.append(try cluster.column(column)) } else { views.append(nil) }
    }
    self.views = views
    self.substitutes = substitutes
    present = cluster.present
  }

  /// The value of an object in one of the columns.
  func value(_ position: Int, slot: Int) throws(StoreError) -> Value {
    guard let view = views[position] else { return substitutes[position] }
    return try view.value(at: slot)
  }
}

/// Finds the columns of objects by number, in one snapshot: the cluster last used is at hand, and some before it.
struct ClusterColumnsCache {
  private let snapshot: Snapshot
  private let entity: StoredEntity
  private let columns: [Int?]
  private let substitutes: [Value]
  private var latest: (number: UInt64, columns: ClusterColumns)?
  private var earlier: [UInt64: ClusterColumns] = [:]

  /// As many clusters as are kept open at once.
  private static let capacity = 64

  init(_ snapshot: Snapshot, _ entity: StoredEntity, columns: [Int?], substitutes: [Value] = []) {
    self.snapshot = snapshot
    self.entity = entity
    self.columns = columns
    self.substitutes = substitutes.isEmpty ? Array(repeating: .null, count: columns.count) : substitutes
  }

  /// The columns of the cluster that has an object; nil when there is no such object.
  mutating func columns(of object: ObjectNumber) throws(StoreError) -> ClusterColumns? {
    let number = object.cluster
    if let latest, latest.number == number { return latest.columns.present[object.slot] ? latest.columns : nil }
    let found: ClusterColumns
    if let known = earlier[number] {
      found = known
    } else {
      guard let cluster = try snapshot.cluster(number, of: entity) else { return nil }
      found = try ClusterColumns(cluster, columns: columns, substitutes: substitutes)
      if earlier.count >= Self.capacity { earlier.removeAll(keepingCapacity: true) }
      earlier[number] = found
    }
    latest = (number, found)
    return found.present[object.slot] ? found : nil
  }
}
