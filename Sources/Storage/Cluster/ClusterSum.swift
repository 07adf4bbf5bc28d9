internal import LMDB

/// The sum of the checksums of all clusters of an entity, which every write that changes one adjusts. It tells whether a
/// page of clusters has its former content, or was lost: then every cluster is sound, and there are others than were
/// written.
///
/// Entities made by programs of format 0 have none.
enum ClusterSum {
  static func number(of entity: UInt32) -> SealedNumber { SealedNumber("clusters \(entity)") }
}
