internal import LMDB
internal import Schema
internal import Values

/// Writes the inverse of a link: it contains an object once for each target, under the target's ID.
final class InverseIndexWriter: KeyIndexWriter {
  /// The objects that something was linked to since the write began.
  private(set) var newTargets: [UInt64] = []
  private var newTargetLimit = 1 << 22

  override func note(row: UnsafeBufferPointer<Value>, object: UInt64) {
    for column in index.columns { note(targetsOf: row[column], object: object, isRemoval: false) }
  }

  override func note(_ values: [Value], object: UInt64, isRemoval: Bool) {
    for value in values { note(targetsOf: value, object: object, isRemoval: isRemoval) }
  }

  override func note(from old: [Value], to new: [Value], object: UInt64) {
    if new == old { return }
    for (old, new) in zip(old, new) { note(from: old, to: new, object: object) }
  }

  /// Records that an object links, or no longer links, to the targets of a value.
  private func note(targetsOf value: Value, object: UInt64, isRemoval: Bool) {
    if case .int(let target) = value { return note(target: target, object: object, isRemoval: isRemoval) }
    for target in value.targets { note(target: target, object: object, isRemoval: isRemoval) }
  }

  /// Records the difference between two values of the link; a list in another order makes none.
  private func note(from old: Value, to new: Value, object: UInt64) {
    let before = old.targets
    let after = new.targets
    var next = 0
    for target in before {
      while next < after.count, after[next] < target {
        note(target: after[next], object: object, isRemoval: false)
        next += 1
      }
      if next < after.count, after[next] == target {
        next += 1
      } else {
        note(target: target, object: object, isRemoval: true)
      }
    }
    for target in after[next...] { note(target: target, object: object, isRemoval: false) }
  }

  /// Records that an object links, or no longer links, to a target.
  func note(target: Int64, object: UInt64, isRemoval: Bool) {
    changes.add(target: target, object: object, isRemoval: isRemoval)
  }

  /// Calls `body` with the objects that link to each of the targets, including unwritten changes.
  func forEachSource(
    of targets: some Sequence<UInt64>, _ transaction: WriteTransaction, _ body: (UInt64, UInt64) -> Void
  ) throws(StoreError) {
    try flush(transaction)
    try StoreError.meaning(path) { () throws(LMDBError) in
      let cursor = try transaction.cursor(database)
      for target in targets {
        let key = IndexKey.ofTarget(ObjectNumber(target))
        var entry = try key.withBytes { key throws(LMDBError) in try cursor.find(key) }
        while let found = entry, found.value.count == 8 {
          body(target, found.value.loadUnaligned(as: UInt64.self))
          entry = try cursor.nextDuplicate()
        }
      }
    }
  }

  /// Records that something was linked to the target of a key, which must exist when the write ends.
  override func noteAddition(to key: UnsafeRawBufferPointer) {
    guard let target = IndexKey.target(of: key)?.rawValue, newTargets.last != target else { return }
    newTargets.append(target)
    // Links made in many steps name the same targets repeatedly, so duplicates are removed.
    if newTargets.count >= newTargetLimit {
      newTargets = Self.ascending(newTargets)
      newTargetLimit = max(newTargetLimit, newTargets.count * 2)
    }
  }

  /// The first object that links to a target that does not exist, if any. `isThere` is called in ascending order, and
  /// only for targets of links made in this write.
  func dangling(
    _ transaction: WriteTransaction, isThere: (ObjectNumber) throws(StoreError) -> Bool
  ) throws(StoreError) -> (source: ObjectNumber, target: ObjectNumber)? {
    for target in Self.ascending(newTargets) where try !isThere(ObjectNumber(target)) {
      // The source may have been deleted, or may link elsewhere by now.
      if let source = try holders(ofKey: IndexKey.ofTarget(ObjectNumber(target)), transaction).first {
        return (ObjectNumber(source), ObjectNumber(target))
      }
    }
    newTargets = []
    return nil
  }

  private static func ascending(_ targets: [UInt64]) -> [UInt64] {
    var isAscending = true
    for next in targets.indices.dropFirst() where targets[next - 1] >= targets[next] {
      isAscending = false
      break
    }
    if isAscending { return targets }
    var ascending: [UInt64] = []
    for target in targets.sorted() where ascending.last != target { ascending.append(target) }
    return ascending
  }
}
