/// One cluster in mapped memory with a validated directory; valid as long as the snapshot.
///
/// Columns are validated on first access, once for each process and version. A view does not depend on LMDB or on other
/// clusters.
package struct ClusterView: @unchecked Sendable {
  /// The cluster's number: object numbers divided by 256.
  package let number: UInt64
  /// The slots that have an object.
  package let present: Mask
  /// The highest slot in use plus 1.
  package let slotCount: Int

  let directory: ClusterDirectory
  let context: ClusterContext

  /// A view of the bytes of cluster `number`, which must stay unchanged as long as the view is used.
  package init(_ bytes: UnsafeRawBufferPointer, number: UInt64, context: ClusterContext) throws(StoreError) {
    directory = try ClusterDirectory(bytes, number: number, context: context)
    self.context = context
    self.number = number
    present = directory.present
    slotCount = (present.last ?? -1) + 1
  }

  /// The number of the transaction that wrote it.
  package var transaction: UInt64 { directory.transaction }
}

extension ClusterContext {
  /// The error for damage in a cluster, with its place.
  func damage(_ number: UInt64, column: Int? = nil, _ what: String) -> StoreError {
    let property = column.map { ", property '\(entity.columns[$0].path)'" } ?? ""
    return .corrupted(location: "\(entity.name) cluster \(number)\(property): \(what)")
  }
}
