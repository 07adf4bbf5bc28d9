internal import Glibc
internal import LMDB
internal import Schema

/// Reads one trigram index in one snapshot. Used by one thread at a time, and not after the snapshot has ended.
///
/// It reads trigrams and positions; `TrigramPhrase` defines what a piece of text requires of them.
package final class TrigramReader: OwnIndexReader {
  /// The index it reads.
  package let index: StoredIndex
  private let transaction: Transaction
  private let database: Database
  let path: String

  init(_ index: StoredIndex, database: Database, transaction: Transaction, path: String) {
    self.index = index
    self.database = database
    self.transaction = transaction
    self.path = path
  }

  /// The cost of finding the block of a cluster in the tree, in positions read.
  static let seekWork = 128
  /// The cost of advancing to the next cluster, in positions read.
  static let runWork = 12
  /// The number of positions between two calls of `work`.
  private static let workBetween = 1 << 13

  /// Estimates the number of positions of a trigram; exact for few. Reads a few blocks.
  package func estimatedCount(_ trigram: Trigram) throws -> Int {
    try StoreError.translating(path) {
      let walk = try walk(trigram)
      guard let (found, first, beyond) = try walk.countBlocks(4, from: 0) else { return 0 }
      guard let beyond else { return found }
      guard let last = try walk.lastCluster(), last > beyond else { return found * 2 }
      // Samples the density of positions at the start and later.
      var density = Double(found) / Double(max(1, beyond - first))
      var samples = 1.0
      for part in 1...2 {
        guard let (found, from, beyond) = try walk.countBlocks(2, from: first + (last - first) / 3 * UInt64(part)),
          let beyond, beyond > from
        else { continue }
        density += Double(found) / Double(beyond - from)
        samples += 1
      }
      return Int(min(1e15, density / samples * (Double(last - first) + 1)))
    }
  }

  /// Calls `body` with every cluster in which a string has the phrase, ascending, and the mask of those strings, until
  /// it returns false. `work` receives the number of positions read, including the equivalent cost of reaching them.
  package func forEachCluster(
    with phrase: TrigramPhrase, work: (Int) throws -> Void, _ body: (UInt64, Mask) throws -> Bool
  ) throws {
    try StoreError.translating(path) {
      let walks = try walks(phrase)
      guard let lead = walks.first else { return }
      for walk in walks { guard try walk.seek(0) else { return } }
      var pairs = 0
      var counted = 0
      var mark = 0
      func addWork() throws {
        mark = pairs &+ lead.work
        let all = walks.reduce(pairs) { $0 &+ $1.work }
        try work(all &- counted)
        counted = all
      }
      clusters: while true {
        let cluster = lead.cluster
        if pairs &+ lead.work &- mark > Self.workBetween { try addWork() }
        for other in walks.dropFirst() {
          guard try other.advance(to: cluster) else { break clusters }
          if other.cluster > cluster {
            guard try lead.advance(to: other.cluster) else { break clusters }
            continue clusters
          }
        }
        for walk in walks { pairs &+= walk.pairs.count / 2 }
        let mask = Self.matches(walks, lead, isAtStart: phrase.isAtStart)
        if !mask.isEmpty, try !body(cluster, mask) { break }
        guard cluster < .max, try lead.advance(to: cluster + 1) else { break }
      }
      try addWork()
    }
  }

  /// Calls `body` with those of some ascending clusters in which a string has the phrase, each by its position among
  /// them, and the mask of those strings. `work` is called as above.
  package func forEach(
    of clusters: [UInt64], with phrase: TrigramPhrase, work: (Int) throws -> Void, _ body: (Int, Mask) throws -> Void
  ) throws {
    try StoreError.translating(path) {
      let walks = try walks(phrase)
      guard let lead = walks.first else { return }
      var pairs = 0
      var counted = 0
      var next: UInt64 = 0
      clusters: for (place, cluster) in clusters.enumerated() where cluster >= next {
        for walk in walks {
          guard try walk.begin(at: cluster) else { break clusters }
          if walk.cluster > cluster {
            next = walk.cluster
            continue clusters
          }
        }
        for walk in walks { pairs &+= walk.pairs.count / 2 }
        let mask = Self.matches(walks, lead, isAtStart: phrase.isAtStart)
        if !mask.isEmpty { try body(place, mask) }
        if pairs &+ lead.work &- counted > Self.workBetween {
          let all = walks.reduce(pairs) { $0 &+ $1.work }
          try work(all &- counted)
          counted = all
        }
      }
      try work(walks.reduce(pairs) { $0 &+ $1.work } &- counted)
    }
  }

  /// A walk for each trigram of a phrase, not begun.
  func walks(_ phrase: TrigramPhrase) throws -> [TrigramWalk] {
    try phrase.parts.map { part in
      let walk = try walk(part.trigram)
      walk.offset = UInt8(truncatingIfNeeded: part.offset)
      return walk
    }
  }

  /// Calls `body` with every cluster from `first` on that has irregular strings with any of the gaps, ascending, until
  /// it returns false.
  package func forEachIrregular(
    _ gaps: TrigramGaps, from first: UInt64 = 0, _ body: (UInt64, Mask) throws -> Bool
  ) throws {
    try StoreError.translating(path) {
      let walk = try walk(.irregular)
      guard try walk.seek(first) else { return }
      while true {
        var mask = Mask.none
        for pair in stride(from: 0, to: walk.pairs.count &- 1, by: 2)
        where walk.pairs[pair &+ 1] & gaps.rawValue != 0 { mask[Int(walk.pairs[pair])] = true }
        if !mask.isEmpty, try !body(walk.cluster, mask) { return }
        guard walk.cluster < .max, try walk.advance(to: walk.cluster + 1) else { return }
      }
    }
  }

  /// Calls `body` with every trigram and position, in order, for checks.
  func forEachPlace(_ body: (Trigram, TrigramPlace) throws -> Void) throws {
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(database)
      var entry = try cursor.first()
      var places: [TrigramPlace] = []
      var last: (Trigram, TrigramPlace)?
      while let found = entry {
        guard let (trigram, first) = TrigramBlock.read(key: found.key) else { throw damage() }
        places.removeAll(keepingCapacity: true)
        guard TrigramBlock.forEachPlace(found.value, from: first, { places.append($0) }) else { throw damage() }
        if let last, last.0 == trigram, last.1 >= first { throw damage() }
        if let end = places.last { last = (trigram, end) }
        for place in places { try body(trigram, place) }
        entry = try cursor.next()
      }
    }
  }

  /// The slots that have every trigram at its position; all walks must be at the same cluster.
  static func matches(_ walks: some Collection<TrigramWalk>, _ lead: TrigramWalk, isAtStart: Bool) -> Mask {
    var mask = Mask.none
    if walks.count == 1, !isAtStart {
      for pair in stride(from: 0, to: lead.pairs.count, by: 2) { mask[Int(lead.pairs[pair])] = true }
      return mask
    }
    for walk in walks { walk.place = 0 }
    for pair in stride(from: 0, to: lead.pairs.count &- 1, by: 2) {
      let slot = lead.pairs[pair]
      if mask[Int(slot)] { continue }
      let start = lead.pairs[pair &+ 1] &- lead.offset
      if isAtStart, start != 0 { continue }
      var isThere = true
      for other in walks.dropFirst() where !other.has(slot, start &+ other.offset) {
        isThere = false
        break
      }
      if isThere { mask[Int(slot)] = true }
    }
    return mask
  }

  func walk(_ trigram: Trigram) throws -> TrigramWalk {
    TrigramWalk(trigram, try transaction.cursor(database), damage)
  }

  private func damage() -> StoreError {
    transaction.noteDamage(in: index.database)
    return .corrupted(location: "the index \(index.index.name): a block of trigrams that makes no sense")
  }
}
