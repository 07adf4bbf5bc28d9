internal import LMDB

/// The clusters of an entity that a write has touched. Each is written once: when the cache is full or the write ends.
///
/// It knows clusters by number only; its owner handles rows, counters and indexes.
final class ClusterCache {
  /// The approximate maximum memory size of the clusters, in bytes.
  private static let limit = 1 << 26

  private final class Entry {
    let builder: ClusterBuilder
    let footprint: Int
    var isChanged = false
    /// Whether the file has a cluster of that number, so that writing it adds none.
    var isInFile: Bool
    /// The transaction that had written the cluster when it was loaded; this one for a new cluster.
    let writer: UInt64
    /// The checksum of the cluster in the file; 0 if the file has none.
    var checksum: UInt64
    var lastUse: UInt64 = 0

    init(_ builder: ClusterBuilder, isInFile: Bool, writer: UInt64, checksum: UInt64) {
      self.builder = builder
      self.isInFile = isInFile
      self.writer = writer
      self.checksum = checksum
      // A change usually decodes a column or two.
      footprint = builder.footprint + 2 * ColumnBuffer.footprint
    }
  }

  private let entity: StoredEntity
  private let tables: EntityTables
  private let transaction: WriteTransaction
  private let path: String
  private var entries: [UInt64: Entry] = [:]
  private var latest: Entry?
  private var clock: UInt64 = 0
  /// The memory size of the clusters when they were loaded.
  private var footprint = 0
  private var context: ClusterContext?
  private var decoded = 0
  /// The change of the sum of the clusters' checksums that was not written yet.
  private var sumChange: UInt64 = 0
  /// The highest cluster number in the file; nil until it is needed.
  private var highest: UInt64??

  init(_ tables: EntityTables, transaction: WriteTransaction, path: String) {
    entity = tables.entity
    self.tables = tables
    self.transaction = transaction
    self.path = path
  }

  /// The cluster with a number, for reading; nil if it does not exist.
  func existing(_ number: UInt64) throws(StoreError) -> ClusterBuilder? {
    if let latest, latest.builder.number == number { return latest.builder }
    if let entry = entries[number] { return use(entry).builder }
    let bytes = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.get(number, tables.objects) }
    guard let bytes else {
      let context = currentContext()
      try StoreError.only(path) { try context.expectMissing(number, tables.objects, in: transaction) }
      return nil
    }
    let view = try ClusterView(bytes, number: number, context: currentContext())
    let builder = try ClusterBuilder(changing: view, isLasting: isLasting(view))
    return try add(builder, isInFile: true, writer: view.transaction, checksum: view.directory.version).builder
  }

  /// Whether a cluster was last written by a commit up to `commit`; false if unknown.
  func isUnchanged(_ number: UInt64, since commit: Int) throws(StoreError) -> Bool {
    guard try existing(number) != nil, let writer = latest?.writer else { return false }
    return writer <= UInt64(clamping: commit)
  }

  /// The cluster with a number, or a new one.
  func existingOrNew(_ number: UInt64) throws(StoreError) -> ClusterBuilder {
    if let builder = try existing(number) { return builder }
    let builder = ClusterBuilder(number: number, entity: entity, source: currentContext().source)
    return try add(builder, isInFile: false, writer: UInt64(truncatingIfNeeded: transaction.id), checksum: 0).builder
  }

  /// Notes that the cluster just got differs from the file.
  @inline(__always)
  func noteChange(of number: UInt64) {
    if let latest, latest.builder.number == number {
      latest.isChanged = true
    } else {
      entries[number]?.isChanged = true
    }
  }

  /// Writes a cluster and releases it, because it is full and later objects go elsewhere.
  func finish(_ number: UInt64) throws(StoreError) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    footprint -= entry.footprint
    if latest === entry { latest = nil }
    if entry.isChanged { try write(entry) }
  }

  /// Writes all changed clusters, in order, and keeps them.
  func flush() throws(StoreError) {
    for number in entries.keys.sorted() {
      if let entry = entries[number], entry.isChanged { try write(entry) }
    }
    if sumChange == 0 { return }
    let sum = ClusterSum.number(of: entity.number)
    try StoreError.meaning(path) { () throws(LMDBError) in
      if let known = try transaction.number(sum) { try transaction.put(known &+ sumChange, sum) }
    }
    sumChange = 0
  }

  private func use(_ entry: Entry) -> Entry {
    clock += 1
    entry.lastUse = clock
    latest = entry
    return entry
  }

  /// Whether the bytes of a cluster stay unchanged until the write ends, regardless of its other changes.
  ///
  /// Large values have pages of their own, and those of earlier commits are neither moved nor reused before the write
  /// has ended, since readers may use them. Values that this write has written are moved by the next change, and so are
  /// small values, which share their page with others.
  private func isLasting(_ view: ClusterView) -> Bool {
    view.directory.bytes.count > transaction.environment.pageSize
      && view.transaction != UInt64(truncatingIfNeeded: transaction.id)
  }

  private func add(
    _ builder: ClusterBuilder, isInFile: Bool, writer: UInt64, checksum: UInt64
  ) throws(StoreError) -> Entry {
    if footprint >= Self.limit { try evict() }
    let entry = Entry(builder, isInFile: isInFile, writer: writer, checksum: checksum)
    entries[builder.number] = entry
    footprint += entry.footprint
    return use(entry)
  }

  /// Releases the least recently used half; writes changed clusters in order.
  private func evict() throws(StoreError) {
    let oldest = entries.values.sorted { $0.lastUse < $1.lastUse }.prefix((entries.count + 1) / 2)
    for entry in oldest.sorted(by: { $0.builder.number < $1.builder.number }) {
      if entry.isChanged { try write(entry) }
      entries[entry.builder.number] = nil
      footprint -= entry.footprint
      if latest === entry { latest = nil }
    }
  }

  private func write(_ entry: Entry) throws(StoreError) {
    let builder = entry.builder
    let encoded = try builder.encode(transaction: UInt64(truncatingIfNeeded: transaction.id))
    let number = builder.number
    let checksum = builder.isEmpty ? 0 : ClusterFormat.checksum(in: encoded.bytes)
    sumChange &+= checksum &- entry.checksum
    entry.checksum = checksum
    if builder.isEmpty {
      try StoreError.meaning(path) { () throws(LMDBError) in _ = try transaction.delete(number, tables.objects) }
      entry.isInFile = false
    } else {
      // Finding the highest number needs a separate descent in the tree.
      let isLast = entry.isInFile ? false : try highestNumber().map { number > $0 } ?? true
      try StoreError.meaning(path) { () throws(LMDBError) in
        try encoded.bytes.withBytes { bytes throws(LMDBError) in
          try transaction.put(number, bytes, tables.objects, append: isLast)
        }
      }
      entry.isInFile = true
      if isLast { highest = .some(number) }
    }
    for change in encoded.outOfLine { try write(change) }
    entry.isChanged = false
  }

  private func write(_ change: EncodedCluster.OutOfLineChange) throws(StoreError) {
    let key = LongValues.key(change.key)
    try StoreError.meaning(path) { () throws(LMDBError) in
      try key.withBytes { key throws(LMDBError) in
        if let bytes = change.bytes {
          try bytes.withBytes { bytes throws(LMDBError) in try transaction.put(key, bytes, tables.values) }
        } else {
          try transaction.delete(key, tables.values)
        }
      }
    }
  }

  private func highestNumber() throws(StoreError) -> UInt64? {
    if let highest { return highest }
    let found: UInt64? = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.cursor(tables.objects).last().flatMap {
        $0.key.count == 8 ? $0.key.loadUnaligned(as: UInt64.self) : nil
      }
    }
    highest = .some(found)
    return found
  }

  /// A context for decoding. It keeps copies of unaligned clusters, so it is replaced from time to time.
  private func currentContext() -> ClusterContext {
    decoded += 1
    if let context, decoded % 256 != 0 { return context }
    let made = tables.makeClusterContext(in: transaction, path: path)
    context = made
    return made
  }
}

extension EntityTables {
  /// The context that cluster views of the entity share in one transaction.
  func makeClusterContext(
    for entity: StoredEntity? = nil, in transaction: Transaction, path: String
  ) -> ClusterContext {
    ClusterContext(
      entity: entity ?? self.entity, source: LongValues.source(in: transaction, values, path: path))
  }
}
