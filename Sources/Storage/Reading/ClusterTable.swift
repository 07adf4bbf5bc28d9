internal import Glibc
internal import Synchronization
internal import Values

/// The addresses of an entity's clusters in one version of the store, ascending, and data of some of their columns.
/// Scans of a version that was scanned before need not walk the tree or open clusters.
///
/// Its addresses are valid in a snapshot of that version, while the store's file is mapped at the same address. It is
/// immutable, except that columns are added.
@usableFromInline package final class ClusterTable: @unchecked Sendable {
  /// A cluster.
  @usableFromInline struct Row {
    @usableFromInline let number: UInt64
    let bytes: UnsafeRawPointer
    /// The words of the mask of its objects.
    @usableFromInline let presence: UnsafePointer<UInt64>
    let length: UInt32
    /// Whether every slot has an object.
    @usableFromInline let isFull: Bool

    /// A cluster that was opened.
    init(_ cluster: ClusterView, _ bytes: UnsafeRawPointer, _ length: UInt32) {
      number = cluster.number
      self.bytes = bytes
      presence = (bytes + ClusterFormat.Header.presence).assumingMemoryBound(to: UInt64.self)
      self.length = length
      isFull = cluster.present == .all
    }
  }

  /// The version of the store.
  let version: Int
  /// The number of clusters.
  package let count: Int
  @usableFromInline let rows: UnsafeMutablePointer<Row>
  private let columns = Mutex<[Int: ColumnTable]>([:])
  /// The number of objects before each cluster; computed when first needed.
  private let before = Mutex<[Int]?>(nil)

  /// More clusters are not listed: the table would be too large.
  static let longest = 1 << 20
  /// The maximum memory size of the columns.
  private static let mostBytes = 64 << 20

  init(version: Int, _ rows: [Row]) {
    self.version = version
    count = rows.count
    self.rows = .allocate(capacity: max(1, rows.count))
    self.rows.initialize(from: rows, count: rows.count)
  }

  deinit { rows.deallocate() }

  /// The view of a cluster.
  @inline(__always) func view(_ row: Int, _ context: ClusterContext) throws(StoreError) -> ClusterView {
    let row = rows[row]
    return try ClusterView(
      UnsafeRawBufferPointer(start: row.bytes, count: Int(row.length)), number: row.number, context: context)
  }

  /// The objects of a cluster.
  @inlinable @inline(__always) func present(_ row: Int) -> Mask {
    rows[row].isFull ? .all : Mask(loading: rows[row].presence)
  }

  /// The row of the cluster with a number; nil if there is none. Only rows from `start` on are searched.
  func row(of number: UInt64, from start: Int) -> Int? {
    guard start >= 0, start < count, number >= rows[start].number else { return nil }
    // Numbers ascend, so the row is at most as many rows away as the numbers differ; without gaps it is exactly there.
    let distance = number - rows[start].number
    let last = distance < UInt64(count - start) ? start + Int(distance) : count - 1
    if rows[last].number == number { return last }
    var (first, end) = (start, last)
    while first < end {
      let middle = first + (end - first) / 2
      if rows[middle].number < number { first = middle + 1 } else { end = middle }
    }
    return first < count && rows[first].number == number ? first : nil
  }

  /// The object at a position in insertion order; nil beyond the last.
  func object(at place: Int) -> ObjectNumber? {
    let before = before.withLock { known in
      if let known { return known }
      let made = counted()
      known = made
      return made
    }
    // Finds the last cluster that begins at or before the position; skips clusters without objects.
    var (row, end) = (0, count)
    while row < end {
      let middle = row + (end - row) / 2
      if before[middle] <= place { row = middle + 1 } else { end = middle }
    }
    row -= 1
    guard place >= 0, row >= 0, let slot = present(row).slot(at: place - before[row]) else { return nil }
    return ObjectNumber(cluster: rows[row].number, slot: slot)
  }

  private func counted() -> [Int] {
    var before: [Int] = []
    before.reserveCapacity(count)
    var sum = 0
    for row in 0..<count {
      before.append(sum)
      sum += present(row).count
    }
    return before
  }

  /// A column of all clusters, if it has been built.
  func knownColumn(_ index: Int) -> ColumnTable? { columns.withLock { $0[index] } }

  /// A column of all clusters; nil if there is no memory for it.
  func column(_ index: Int, _ context: ClusterContext) throws(StoreError) -> ColumnTable? {
    let known = columns.withLock { $0[index] }
    if let known, !known.isOutdated { return known }
    let isRoom = columns.withLock { ($0.count + 1) * count * MemoryLayout<RawColumn>.stride <= Self.mostBytes }
    guard known != nil || isRoom else { return nil }
    let made = try ColumnTable(index, of: self, context, after: known)
    columns.withLock { $0[index] = made }
    return made
  }
}

/// The tables of an entity: that of the version scanned last.
final class ClusterTables: Sendable {
  private struct State {
    var latest: ClusterTable?
    /// The version in which a scan was started without a table.
    var begun: Int?
    /// The number of clusters of a version that were looked up by number.
    var visits = (version: 0, count: 0)
  }

  private let state = Mutex(State())

  /// The table of a version, if there is one that begins at the same address.
  func table(_ version: Int, from start: UnsafeRawPointer) -> ClusterTable? {
    let latest = state.withLock { $0.latest }
    guard let latest, latest.version == version, latest.count > 0, latest.rows[0].bytes == start else { return nil }
    return latest
  }

  /// Whether a version is being scanned for the second time; the first scan may be the only one.
  func isSecondScan(of version: Int) -> Bool {
    state.withLock { state in
      defer { state.begun = version }
      return state.begun == version
    }
  }

  /// Whether, with `count` more, the lookups by number reach half of a version's clusters.
  func isVisitedOften(_ count: Int, of total: Int, _ version: Int) -> Bool {
    state.withLock { state in
      if state.visits.version != version { state.visits = (version, 0) }
      // Counts no further than necessary.
      state.visits.count = min(state.visits.count + min(count, total), total)
      return 2 * state.visits.count >= total
    }
  }

  func put(_ table: ClusterTable) { state.withLock { $0.latest = table } }
}
