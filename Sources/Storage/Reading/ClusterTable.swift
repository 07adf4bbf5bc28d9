internal import Glibc
internal import Synchronization
internal import Values

/// Where the clusters of an entity lie in one version of the store, ascending, and what loops read of some of their
/// columns: so that scans of a version that was scanned before walk no tree and open no cluster they need not.
///
/// Its addresses are those of a snapshot of that version, while the store's file is mapped at the same place. It is
/// unchanging, but that columns are added to it.
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
  /// How many objects there are before each cluster, once somebody asked.
  private let before = Mutex<[Int]?>(nil)

  /// More clusters are not listed: the table would be too large.
  static let longest = 1 << 20
  /// What the columns of a table may take.
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

  /// The row of the cluster with a number; nil where there is none. Rows before `start` are not looked at.
  func row(of number: UInt64, from start: Int) -> Int? {
    guard start >= 0, start < count, number >= rows[start].number else { return nil }
    // Numbers ascend, so no row is further away than the numbers are; where none is missing between them, it is there.
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

  /// The object at a place in insertion order; nil beyond the last.
  func object(at place: Int) -> ObjectNumber? {
    let before = before.withLock { known in
      if let known { return known }
      let made = counted()
      known = made
      return made
    }
    // The last cluster that begins at the place or before it; one without objects begins where the next does.
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

  /// A column of all clusters that was asked for before.
  func knownColumn(_ index: Int) -> ColumnTable? { columns.withLock { $0[index] } }

  /// A column of all clusters; nil where there is no room for it.
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
    /// The version of which a scan was begun without a table.
    var begun: Int?
    /// How many clusters of a version were gone to by number.
    var visits = (version: 0, count: 0)
  }

  private let state = Mutex(State())

  /// The table of a version, if there is one that begins at the same address.
  func table(_ version: Int, from start: UnsafeRawPointer) -> ClusterTable? {
    let latest = state.withLock { $0.latest }
    guard let latest, latest.version == version, latest.count > 0, latest.rows[0].bytes == start else { return nil }
    return latest
  }

  /// Whether a version is scanned for the second time: the first scan may be the only one.
  func isSecondScan(of version: Int) -> Bool {
    state.withLock { state in
      defer { state.begun = version }
      return state.begun == version
    }
  }

  /// Whether with `count` more the clusters of a version gone to by number are half as many as it has.
  func isVisitedOften(_ count: Int, of total: Int, _ version: Int) -> Bool {
    state.withLock { state in
      if state.visits.version != version { state.visits = (version, 0) }
      // No more is counted than needs to be.
      state.visits.count = min(state.visits.count + min(count, total), total)
      return 2 * state.visits.count >= total
    }
  }

  func put(_ table: ClusterTable) { state.withLock { $0.latest = table } }
}
