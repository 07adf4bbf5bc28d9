internal import LMDB
package import Values

// Reads the inverse of a link: keys are targets, and the IDs of a key are the objects that link to it.

extension IndexReader {
  /// Calls `body` with the objects that link to `target`, ascending, in runs that are good for the call only. `body`
  /// returns false to stop.
  package func forEachSource(
    of target: ObjectNumber, _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    let key = IndexKey.ofTarget(target)
    try forEachRun(IndexKeyRange(lower: .included(key), upper: .included(key)), body)
  }

  /// Like `forEachSource`, for many targets in order: `body` also receives the target of the run. Targets without
  /// sources are skipped.
  package func forEachSource(
    of targets: some Sequence<ObjectNumber>, _ body: (ObjectNumber, UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    try walk { cursor, scratch in
      for target in targets {
        let found = try IndexKey.ofTarget(target).withBytes { key throws(LMDBError) in try cursor.find(key) }
        guard let found else { continue }
        guard try runs(of: cursor, first: found.value, scratch, { try body(target, $0) }) else { return }
      }
    }
  }

  /// Calls `body` with every target, ascending, and the objects that link to it, like `forEachSource`. For checks:
  /// impossible objects are included.
  package func forEachTarget(_ body: (ObjectNumber, UnsafeBufferPointer<UInt64>) throws -> Bool) throws {
    try walk { cursor, scratch in
      var entry = try cursor.first()
      while let found = entry {
        guard let target = IndexKey.target(of: found.key) else { throw damage() }
        guard try runs(of: cursor, first: found.value, scratch, refusesDamage: false, { try body(target, $0) }) else {
          return
        }
        entry = try cursor.nextKey()
      }
    }
  }

  /// The number of objects that link to `target`. Takes constant time.
  package func sourceCount(of target: ObjectNumber) throws(StoreError) -> Int {
    let key = IndexKey.ofTarget(target)
    return try count(IndexKeyRange(lower: .included(key), upper: .included(key)))
  }
}

extension Snapshot {
  /// The objects that link to `target` through a link, ascending, each once.
  package final func sources(
    of target: ObjectNumber, through link: StoredLink
  ) throws(StoreError) -> [ObjectNumber] {
    let reader = try index(link.inverse, of: link.source)
    var sources: [ObjectNumber] = []
    try StoreError.only(path) {
      try reader.forEachSource(of: target) { run in
        sources += run.lazy.map { ObjectNumber($0) }
        return true
      }
    }
    return sources
  }
}
