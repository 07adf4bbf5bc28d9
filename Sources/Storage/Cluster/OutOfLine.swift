/// The key of bytes that belong to a cluster but are a separate LMDB value: an overflow value, or a whole chunk.
package struct OutOfLineKey: Hashable, Sendable {
  /// The cluster.
  package let cluster: UInt64
  /// The stable number of the column.
  package let column: UInt32
  /// The slot of the overflow value; nil for the chunk of the column.
  package let slot: Int?

  package init(cluster: UInt64, column: UInt32, slot: Int?) {
    self.cluster = cluster
    self.column = column
    self.slot = slot
  }
}

/// Finds separate bytes by their key; nil if there are none. They stay valid as long as the snapshot.
package typealias OutOfLineSource = (OutOfLineKey) throws(StoreError) -> UnsafeRawBufferPointer?
