internal import LMDB

/// Writes the tree of a trigram index. It does not depend on strings.
struct TrigramTree {
  private let database: Database
  private let name: String
  private let transaction: WriteTransaction
  private let cursor: Cursor

  /// A block in the tree.
  private struct Block {
    var key: TrigramPlace
    var places: [TrigramPlace]
    /// The start of the trigram's next block.
    var next: TrigramPlace?
  }

  init(_ database: Database, _ name: String, _ transaction: WriteTransaction) throws(LMDBError) {
    self.database = database
    self.name = name
    self.transaction = transaction
    cursor = try transaction.cursor(database)
  }

  /// Appends a block after all others.
  func append(_ trigram: Trigram, _ block: TrigramBlockWriter) throws {
    try put(trigram, block, append: true)
  }

  /// Adds the positions of new objects: many as separate blocks, few merged into existing ones.
  func merge(_ stream: TrigramChanges.Stream) throws {
    if stream.full.count > 4, let first = stream.full.first?.first {
      let last = try self.last(of: stream.trigram)
      if last.map({ $0 < first }) ?? true {
        for block in stream.blocks { try put(stream.trigram, block, append: false) }
        return
      }
    }
    var changes: [(place: TrigramPlace, isRemoval: Bool)] = []
    for block in stream.blocks {
      guard let first = block.first else { continue }
      block.bytes.withBytes { _ = TrigramBlock.forEachPlace($0, from: first) { changes.append(($0, false)) } }
    }
    try merge(stream.trigram, changes)
  }

  /// Adds and removes ascending positions of a trigram; the last change of a position counts.
  func merge(_ trigram: Trigram, _ changes: [(place: TrigramPlace, isRemoval: Bool)]) throws {
    var start = 0
    while start < changes.count {
      var block = try self.block(of: trigram, for: changes[start].place)
      var end = start + 1
      while end < changes.count, block?.next.map({ changes[end].place < $0 }) ?? true { end += 1 }
      var merged = Self.merged(block?.places ?? [], changes[start..<end])
      if let old = block, !old.places.isEmpty {
        try remove(trigram, old.key)
        // A small remainder is merged with its neighbour, unless that is about to change.
        if merged.count < 40, let next = old.next, let other = try self.block(of: trigram, for: next),
          end == changes.count || other.next.map({ changes[end].place >= $0 }) ?? false
        {
          try remove(trigram, other.key)
          merged += other.places
          block?.next = other.next
        }
      }
      try put(trigram, merged, isLast: block?.next == nil)
      start = end
    }
  }

  /// The block that contains a position or would contain it: the last that begins before it, or else the first.
  private func block(of trigram: Trigram, for place: TrigramPlace) throws -> Block? {
    let sought = TrigramBlock.key(trigram, place)
    var entry = try sought.withBytes { bytes throws(LMDBError) in try cursor.seek(bytes) }
    if entry.map({ !$0.key.elementsEqual(sought) }) ?? true {
      let after = try entry.map(read)
      if let before = try cursor.previous(), try read(before).trigram == trigram {
        entry = before
      } else if after?.trigram == trigram {
        entry = try sought.withBytes { bytes throws(LMDBError) in try cursor.seek(bytes) }
      } else {
        return nil
      }
    }
    guard let entry else { return nil }
    let key = try read(entry).place
    var places: [TrigramPlace] = []
    guard TrigramBlock.forEachPlace(entry.value, from: key, { places.append($0) }) else { throw damage() }
    var block = Block(key: key, places: places)
    if let next = try cursor.next().map(read), next.trigram == trigram { block.next = next.place }
    return block
  }

  private func last(of trigram: Trigram) throws -> TrigramPlace? {
    let end = TrigramBlock.key(Trigram(rawValue: trigram.rawValue + 1), TrigramPlace(cluster: 0, spot: 0))
    let after = try end.withBytes { bytes throws(LMDBError) in try cursor.seek(bytes) }
    guard let entry = try after == nil ? cursor.last() : cursor.previous() else { return nil }
    let (found, first) = try read(entry)
    guard found == trigram else { return nil }
    var last = first
    guard TrigramBlock.forEachPlace(entry.value, from: first, { last = $0 }) else { throw damage() }
    return last
  }

  private static func merged(
    _ places: [TrigramPlace], _ changes: ArraySlice<(place: TrigramPlace, isRemoval: Bool)>
  ) -> [TrigramPlace] {
    var merged: [TrigramPlace] = []
    merged.reserveCapacity(places.count + changes.count)
    var next = 0
    for (position, change) in zip(changes.indices, changes) {
      if position + 1 < changes.endIndex, changes[position + 1].place == change.place { continue }
      while next < places.count, places[next] < change.place {
        merged.append(places[next])
        next += 1
      }
      if next < places.count, places[next] == change.place { next += 1 }
      if !change.isRemoval { merged.append(change.place) }
    }
    merged += places[next...]
    return merged
  }

  /// Writes positions as blocks: full ones at the end of a trigram, where more are appended, and of equal size in the
  /// middle.
  private func put(_ trigram: Trigram, _ places: [TrigramPlace], isLast: Bool) throws {
    var limit = TrigramBlock.limit
    if !isLast {
      var sizes = TrigramBlockWriter(limit: .max)
      for place in places { _ = sizes.add(place) }
      let blocks = (sizes.bytes.count + limit - 1) / limit
      if blocks > 1 { limit = min(limit, sizes.bytes.count / blocks + 16) }
    }
    var block = TrigramBlockWriter(limit: limit)
    for place in places where !block.add(place) {
      try put(trigram, block, append: false)
      block = TrigramBlockWriter(limit: limit)
      _ = block.add(place)
    }
    try put(trigram, block, append: false)
  }

  private func put(_ trigram: Trigram, _ block: TrigramBlockWriter, append: Bool) throws {
    guard let first = block.first else { return }
    let key = TrigramBlock.key(trigram, first)
    try key.withBytes { key throws(LMDBError) in
      try block.bytes.withBytes { value throws(LMDBError) in
        try transaction.put(key, value, database, append: append)
      }
    }
  }

  private func remove(_ trigram: Trigram, _ place: TrigramPlace) throws {
    _ = try TrigramBlock.key(trigram, place).withBytes { key throws(LMDBError) in
      try transaction.delete(key, database)
    }
  }

  private func read(_ entry: Cursor.Entry) throws -> (trigram: Trigram, place: TrigramPlace) {
    guard let key = TrigramBlock.read(key: entry.key) else { throw damage() }
    return key
  }

  private func damage() -> StoreError {
    transaction.noteDamage(in: database.name)
    return .corrupted(location: "the index \(name): a block of trigrams that makes no sense")
  }
}
