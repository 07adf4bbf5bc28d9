internal import Storage
internal import Values

/// Finds the columns of objects by number, in one snapshot, and keeps recently used clusters open.
struct ClusterColumnsCache {
  private let snapshot: Snapshot
  private let entity: StoredEntity
  private let columns: [Int?]
  private let substitutes: [Value]
  private let definition: ModelDefinition?
  private let firstColumn: Int
  private let store: StoreReference?
  private var latest: ClusterColumns?
  private var latestNumber: UInt64 = 0
  private var earlier: [UInt64: ClusterColumns] = [:]

  /// The maximum number of open clusters: a few thousand, fewer for wide entities, at most about 20 MB.
  private let capacity: Int

  /// - Parameters:
  ///   - substitutes: The values of columns the file lacks.
  ///   - definition: The model whose columns they are.
  ///   - firstColumn: The position in the model of the first column, when these are the columns of one property.
  ///   - store: The store in which links and inverses are followed.
  init(
    _ snapshot: Snapshot, _ entity: StoredEntity, columns: [Int?], substitutes: [Value] = [],
    of definition: ModelDefinition? = nil, from firstColumn: Int = 0, in store: StoreReference? = nil
  ) {
    self.definition = definition
    self.firstColumn = firstColumn
    self.store = store
    self.snapshot = snapshot
    self.entity = entity
    self.columns = columns
    capacity = 65_536 / Swift.max(columns.count, 4)
    self.substitutes = substitutes.isEmpty ? Array(repeating: .null, count: columns.count) : substitutes
  }

  /// The columns of the cluster that contains an object; nil when there is no such object.
  @inline(__always)
  mutating func columns(of object: ObjectNumber) throws(StoreError) -> ClusterColumns? {
    if let latest, latestNumber == object.cluster { return latest.present[object.slot] ? latest : nil }
    return try otherColumns(of: object)
  }

  private mutating func otherColumns(of object: ObjectNumber) throws(StoreError) -> ClusterColumns? {
    let number = object.cluster
    let found: ClusterColumns
    if let known = earlier[number] {
      found = known
    } else {
      guard let cluster = try snapshot.cluster(number, of: entity) else { return nil }
      found = try ClusterColumns(
        cluster, columns: columns, substitutes: substitutes, of: definition, from: firstColumn, in: store)
      // Objects in order visit each cluster once: no cluster is kept for those.
      if let latest, number != latestNumber &+ 1 {
        if earlier.count >= capacity { earlier.removeAll(keepingCapacity: true) }
        earlier[latestNumber] = latest
      }
    }
    latest = found
    latestNumber = number
    return found.present[object.slot] ? found : nil
  }
}
