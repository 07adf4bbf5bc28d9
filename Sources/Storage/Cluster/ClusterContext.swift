import Glibc
import Schema
import Values

/// The data that all cluster views of one entity in one snapshot share: column numbers and types, the source of
/// overflow values, and memory that must live as long as the views' pointers.
///
/// It does not depend on LMDB: the source is a closure. Make one for each snapshot and entity, not for each cluster.
package final class ClusterContext: @unchecked Sendable {
  /// The entity.
  package let entity: StoredEntity

  let source: OutOfLineSource
  /// The record of validated chunks; its memory belongs to the entity.
  let validated: ValidatedChunks.Table
  /// The entity's columns, which live as long as the entity.
  private let columns: UnsafeBufferPointer<ViewedColumns.Column>
  private var owned: [UnsafeMutableRawPointer] = []
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// A context whose overflow values come from `source`. Without a source, a cluster with overflow values is reported
  /// as damaged.
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

  /// Copies bytes to aligned memory that lives as long as the context.
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    memory.copyMemory(from: bytes)
    pthread_mutex_lock(lock)
    if let address = memory.baseAddress { owned.append(address) }
    pthread_mutex_unlock(lock)
    return UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
  }
}
