internal import LMDB
package import Values

extension WriteSession {
  /// The moment of reads in this write.
  package var moment: ReadMoment { ReadMoment(commit: transaction.id, step: generation) }

  /// The columns of an object that were changed after a moment, by number, with the digests of their values at that
  /// moment; nil if no longer known.
  package func digests(
    of object: ObjectNumber, _ entity: StoredEntity, at moment: ReadMoment
  ) throws(StoreError) -> [UInt32: UInt64]? {
    let own = transaction.id
    guard moment.commit <= own else { return nil }
    var digests: [UInt32: UInt64] = [:]
    let writer = try writer(of: entity)
    let first = moment.isWholeCommit ? moment.commit + 1 : moment.commit
    if first < own, try !writer.clusters.isUnchanged(object.cluster, since: first - 1) {
      guard let history = try CommitHistory(in: transaction, path: path) else { return nil }
      for commit in first..<own {
        guard let changes = try history.changes(of: commit, in: transaction) else { return nil }
        guard let changes = changes.entities[entity.number] else { continue }
        guard changes.isComplete else { return nil }
        let seen = commit == moment.commit ? moment.step : 0
        Self.add(changes.updates, of: object, after: seen, to: &digests)
      }
    }
    // Steps that exceed the range of a moment all count as its last step.
    let seen = moment.commit < own ? 0 : moment.step == 0xFF_FFFE ? moment.step - 1 : moment.step
    let changes = log.changes(of: entity.number)
    if changes.isChanged(object.rawValue, after: seen) {
      guard changes.isComplete else { return nil }
      Self.add(changes.updates, of: object, after: seen, to: &digests)
    }
    return digests
  }

  private static func add(
    _ updates: [ObjectUpdate], of object: ObjectNumber, after step: UInt32, to digests: inout [UInt32: UInt64]
  ) {
    for update in updates where update.object == object.rawValue && update.step > step {
      if digests[update.column] == nil { digests[update.column] = update.before }
    }
  }
}
