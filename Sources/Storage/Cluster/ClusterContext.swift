import Glibc
import Schema
import Values

/// What all cluster views of one entity in one snapshot share: the columns as numbers and types, where long values
/// are, and memory that must live as long as the views' pointers.
///
/// It does not know LMDB: the source is a closure. Make one for each snapshot and entity, not for each cluster.
package final class ClusterContext: @unchecked Sendable {
  /// The entity.
  package let entity: StoredEntity

  let source: OutOfLineSource
  /// What was checked already; its words belong to the entity.
  let validated: ValidatedChunks.Table
  /// Those of the entity, which live as long as it.
  private let columns: UnsafeBufferPointer<ViewedColumns.Column>
  private var owned: [UnsafeMutableRawPointer] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// A context whose long values come from `source`; without one, a cluster that has long values reads as damaged.
  package init(entity: StoredEntity, source: @escaping OutOfLineSource = { (_) throws(StoreError) in nil }) {
    self.entity = entity
    self.source = source
    validated = entity.validated.table
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    columns = entity.viewedColumns.all
  }

  deinit {
    for memory in owned { memory.deallocate() }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  var columnCount: Int { columns.count }

  /// The column at a position of `StoredEntity.columns`, which the caller got from there.
  @inline(__always) func column(_ index: Int) -> UnsafePointer<ViewedColumns.Column> {
    precondition(index >= 0 && index < columns.count, "no such column")
    // With a column at `index` there is an address.
    return columns.baseAddress.unsafelyUnwrapped + index
  }

  /// Copies bytes to memory at an address that is a multiple of eight and that lives as long as this.
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    memory.copyMemory(from: bytes)
    pthread_mutex_lock(lock)
    if let address = memory.baseAddress { owned.append(address) }
    pthread_mutex_unlock(lock)
    return UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
  }
}
