internal import LMDB

extension ClusterContext {
  /// Throws if a cluster that was not found is there under another number: no checksum covers the key under which it
  /// stands, but it knows its own number. Keys in order leave a damaged one only the place beside the right one.
  func expectMissing(_ number: UInt64, _ objects: Database, in transaction: Transaction) throws {
    let cursor = try transaction.cursor(objects)
    let after = try cursor.seek(number)
    for neighbour in [after, try after == nil ? cursor.last() : cursor.previous()] {
      guard let neighbour, neighbour.key.count == 8 else { continue }
      _ = try ClusterView(neighbour.value, number: neighbour.key.loadUnaligned(as: UInt64.self), context: self)
    }
  }
}
