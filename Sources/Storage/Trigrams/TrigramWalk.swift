internal import LMDB

/// Iterates over the positions of one trigram, a cluster at a time.
final class TrigramWalk {
  /// The current cluster.
  private(set) var cluster: UInt64 = 0
  /// The slot and position of each entry in the cluster, ascending.
  private(set) var pairs = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The distance of the trigram from the start of the phrase.
  var offset: UInt8 = 0
  /// The offset in `pairs` up to which entries were read.
  var place = 0
  /// The cost so far of moving between clusters, in positions read.
  private(set) var work = 0
  /// The part of that cost for the initial seek.
  private(set) var workBefore = 0

  private let trigram: Trigram
  private let cursor: Cursor
  private let damage: () -> StoreError
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var at = 0
  /// The cluster in which the block begins, and that of the run read last.
  private var first: UInt64 = 0
  private var last: UInt64 = 0
  /// The run after those of the current cluster.
  private var ahead: TrigramBlock.Run?
  /// Pairs of several runs, joined.
  private var joined: [UnsafeMutableRawBufferPointer] = []

  init(_ trigram: Trigram, _ cursor: Cursor, _ damage: @escaping () -> StoreError) {
    self.trigram = trigram
    self.cursor = cursor
    self.damage = damage
  }

  deinit { joined.forEach { $0.deallocate() } }

  /// Moves to the first cluster from `cluster` on. Returns false if there is none.
  func seek(_ cluster: UInt64) throws -> Bool {
    work &+= TrigramReader.seekWork
    guard try open(try entry(for: cluster)) else { return false }
    ahead = try nextRun()
    while let run = ahead, run.cluster < cluster { ahead = try nextRun() }
    return try take()
  }

  /// Moves to the first cluster from `wanted` on, from the current cluster or, initially, from the start. Returns false
  /// if there is none.
  func begin(at wanted: UInt64) throws -> Bool {
    if work > 0 { return try advance(to: wanted) }
    defer { workBefore = work }
    return try seek(wanted)
  }

  /// Moves to the first cluster from `wanted` on, which is not before the current one. Returns false if there is none.
  func advance(to wanted: UInt64) throws -> Bool {
    if cluster >= wanted { return true }
    while let run = ahead {
      if run.cluster >= wanted { return try take() }
      // A cluster far beyond this block is searched in the tree.
      if at >= block.count, (wanted &- last) / 4 > last &- first { return try seek(wanted) }
      ahead = try nextRun()
    }
    return false
  }

  /// Whether the slot has the trigram at a position; slots must be tested in ascending order.
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

  /// The number of positions in some blocks, their first cluster, and the first cluster after them or nil. Returns nil
  /// if there are no blocks.
  func countBlocks(_ limit: Int, from cluster: UInt64) throws -> (found: Int, first: UInt64, beyond: UInt64?)? {
    var found = 0
    var begin: UInt64?
    var entry = try entry(for: cluster)
    for _ in 0..<limit {
      guard try open(entry) else { break }
      if begin == nil { begin = first }
      while at < block.count {
        guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage() }
        last = run.cluster
        found += run.pairs.count / 2
      }
      entry = try cursor.next()
    }
    guard let begin else { return nil }
    let next = try entry.map { entry throws(StoreError) in
      guard let key = TrigramBlock.read(key: entry.key) else { throw damage() }
      return key
    }
    guard let next, next.trigram == trigram else { return (found, begin, nil) }
    if next.place.cluster < begin { throw damage() }
    return (found, begin, next.place.cluster)
  }

  /// The last cluster that has the trigram.
  func lastCluster() throws -> UInt64? {
    let end = TrigramBlock.key(Trigram(rawValue: trigram.rawValue + 1), TrigramPlace(cluster: 0, spot: 0))
    let after = try end.withBytes { key throws(LMDBError) in try cursor.seek(key) }
    guard try open(try after == nil ? cursor.last() : cursor.previous()) else { return nil }
    while at < block.count {
      guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage() }
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

  /// Begins with a block. Returns false if it does not belong to the trigram.
  @inline(__always)
  private func open(_ entry: Cursor.Entry?) throws -> Bool {
    guard let entry else { return false }
    guard let key = TrigramBlock.read(key: entry.key) else { throw damage() }
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
      if last < before { throw damage() }
    }
    guard let run = TrigramBlock.run(block, at: &at, after: last) else { throw damage() }
    last = run.cluster
    work &+= TrigramReader.runWork
    return run
  }

  /// Moves to the cluster of the next run, and reads all its runs. Returns false if there is none.
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
      // A limit for damaged files: a cluster cannot have more positions.
      if bytes.count > 1 << 18 { throw damage() }
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
