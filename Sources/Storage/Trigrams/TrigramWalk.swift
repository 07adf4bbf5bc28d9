internal import LMDB

/// A walk over the places of one trigram, a cluster at a time.
final class TrigramWalk {
  /// The cluster it is at.
  private(set) var cluster: UInt64 = 0
  /// Slot and position of each place there, ascending.
  private(set) var pairs = UnsafeRawBufferPointer(start: nil, count: 0)
  /// How far from the beginning of the phrase the trigram stands.
  var offset: UInt8 = 0
  /// How far the pairs of the cluster were looked at.
  var place = 0
  /// What was done so far to get from cluster to cluster, in places that are read in the same time.
  private(set) var work = 0
  /// What of that it took to begin.
  private(set) var workBefore = 0

  private let trigram: Trigram
  private let cursor: Cursor
  private let damage: StoreError
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var at = 0
  /// The cluster in which the block begins, and that of the run read last.
  private var first: UInt64 = 0
  private var last: UInt64 = 0
  /// The run after those of this cluster.
  private var ahead: TrigramBlock.Run?
  /// Pairs of several runs, joined.
  private var joined: [UnsafeMutableRawBufferPointer] = []

  init(_ trigram: Trigram, _ cursor: Cursor, _ damage: StoreError) {
    self.trigram = trigram
    self.cursor = cursor
    self.damage = damage
  }

  deinit { joined.forEach { $0.deallocate() } }

  /// Goes to the first cluster from `cluster` on; false when there is none.
  func seek(_ cluster: UInt64) throws -> Bool {
    work &+= TrigramReader.seekWork
    guard try open(try entry(for: cluster)) else { return false }
    ahead = try nextRun()
    while let run = ahead, run.cluster < cluster { ahead = try nextRun() }
    return try take()
  }

  /// Goes to the first cluster from `wanted` on, from where it is or, at first, from the beginning; false when there is none.
  func begin(at wanted: UInt64) throws -> Bool {
    if work > 0 { return try advance(to: wanted) }
    defer { workBefore = work }
    return try seek(wanted)
  }

  /// Goes to the first cluster from `wanted` on, which is not before this one; false when there is none.
  func advance(to wanted: UInt64) throws -> Bool {
    if cluster >= wanted { return true }
    while let run = ahead {
      if run.cluster >= wanted { return try take() }
      // What is far beyond this block is sought in the tree.
      if at >= block.count, (wanted &- last) / 4 > last &- first { return try seek(wanted) }
      ahead = try nextRun()
    }
    return false
  }

  /// Whether the slot has the trigram at a position; slots are asked about in ascending order.
  @inline(__always)
  func has(_ slot: UInt8, _ position: UInt8) -> Bool {
    while place < pairs.count, pairs[place] < slot { place &+= 2 }
    var next = place
    while next < pairs.count, pairs[next] == slot {
      if pairs[next &+ 1] == position { return true }
      next &+= 2
    }
    return false
  }

  /// The places of some blocks, the cluster in which they begin, and that after them, nil when there is none; nil when
  /// there are no blocks.
  func countBlocks(_ limit: Int, from cluster: UInt64) throws -> (found: Int, first: UInt64, beyond: UInt64?)? {
    var found = 0
    var begin: UInt64?
    var entry = try entry(for: cluster)
    for _ in 0..<limit {
      guard try open(entry) else { break }
      if begin == nil { begin = first }
      while at < block.count {
        guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage }
        last = run.cluster
        found += run.pairs.count / 2
      }
      entry = try cursor.next()
    }
    guard let begin else { return nil }
    let next = try entry.map { entry throws(StoreError) in
      guard let key = TrigramBlock.read(key: entry.key) else { throw damage }
      return key
    }
    guard let next, next.trigram == trigram else { return (found, begin, nil) }
    if next.place.cluster < begin { throw damage }
    return (found, begin, next.place.cluster)
  }

  /// The last cluster that has the trigram.
  func lastCluster() throws -> UInt64? {
    let end = TrigramBlock.key(Trigram(rawValue: trigram.rawValue + 1), TrigramPlace(cluster: 0, spot: 0))
    let after = try end.withBytes { key throws(LMDBError) in try cursor.seek(key) }
    guard try open(try after == nil ? cursor.last() : cursor.previous()) else { return nil }
    while at < block.count {
      guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage }
      last = run.cluster
    }
    return last
  }

  /// The block in which a cluster is or would be: the last that begins before it, or else the first.
  private func entry(for cluster: UInt64) throws -> Cursor.Entry? {
    let key = TrigramBlock.key(trigram, TrigramPlace(cluster: cluster, spot: 0))
    let entry = try key.withBytes { key throws(LMDBError) in try cursor.seek(key) }
    if cluster == 0 { return entry }
    if let before = try cursor.previous(), TrigramBlock.read(key: before.key)?.trigram == trigram { return before }
    return try entry == nil ? nil : key.withBytes { key throws(LMDBError) in try cursor.seek(key) }
  }

  /// Begins with a block; false when it is none of the trigram.
  @inline(__always)
  private func open(_ entry: Cursor.Entry?) throws -> Bool {
    guard let entry else { return false }
    guard let key = TrigramBlock.read(key: entry.key) else { throw damage }
    guard key.trigram == trigram else { return false }
    block = entry.value
    at = 0
    first = key.place.cluster
    last = first
    return true
  }

  @inline(__always)
  private func nextRun() throws -> TrigramBlock.Run? {
    if at >= block.count {
      let before = last
      guard try open(try cursor.next()) else { return nil }
      if last < before { throw damage }
    }
    guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage }
    last = run.cluster
    work &+= TrigramReader.runWork
    return run
  }

  /// Stands at the cluster of the run ahead, with all its runs; false when there is none.
  private func take() throws -> Bool {
    guard let run = ahead else { return false }
    cluster = run.cluster
    pairs = run.pairs
    place = 0
    ahead = try nextRun()
    guard ahead?.cluster == cluster else { return true }
    var bytes = Array(run.pairs)
    while let more = ahead, more.cluster == cluster {
      bytes += more.pairs
      // No more places than a cluster has, whatever a damaged file says.
      if bytes.count > 1 << 18 { throw damage }
      ahead = try nextRun()
    }
    joined.forEach { $0.deallocate() }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    joined = [copy]
    pairs = UnsafeRawBufferPointer(copy)
    return true
  }
}
