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

  /// A column as views need it.
  struct Column {
    let number: UInt32
    let type: ScalarType
    /// Which collections it holds; nil for single values.
    let kind: CollectionKind?
    let defaultValue: Value
    /// The bytes of the default where that is text.
    let defaultText: UnsafeRawBufferPointer
    /// The default where that is a collection.
    let defaultCollection: CollectionValues?
  }

  let source: OutOfLineSource
  /// What was checked already; its words belong to the entity.
  let validated: ValidatedChunks.Table
  private let columns: UnsafeMutableBufferPointer<Column>
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
    columns = .allocate(capacity: entity.columns.count)
    for (index, column) in entity.columns.enumerated() {
      let type = column.scalarType
      let text: UnsafeRawBufferPointer
      switch column.defaultAtCreation {
      case .string(let string): text = keep(Array(string.utf8))
      case .data(let bytes): text = keep(bytes)
      default: text = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      columns.initializeElement(
        at: index,
        to: Column(
          number: column.number, type: type, kind: column.collectionKind, defaultValue: column.defaultAtCreation,
          defaultText: text, defaultCollection: column.defaultAtCreation.isNull ? nil : defaultCollection(of: column)))
    }
  }

  deinit {
    columns.deinitialize().deallocate()
    for memory in owned { memory.deallocate() }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  var columnCount: Int { columns.count }

  /// The column at a position of `StoredEntity.columns`, which the caller got from there.
  @inline(__always) func column(_ index: Int) -> UnsafePointer<Column> {
    precondition(index >= 0 && index < columns.count, "no such column")
    return UnsafePointer(columns.baseAddress.unsafelyUnwrapped + index)
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

  /// The default of a column of collections, as all objects have it whose cluster is older than the column.
  private func defaultCollection(of column: StoredColumn) -> CollectionValues? {
    guard let kind = column.collectionKind else { return nil }
    let buffer = CollectionBuffer(kind: kind, type: column.scalarType, mayHoldNil: column.column.mayHoldNil)
    let (elements, keys) = buffer.joined(column.defaultAtCreation)
    let offsets = keep([UInt32(0), UInt32(truncatingIfNeeded: elements.count)].withUnsafeBytes { Array($0) })
    let blocks = keep(ElementWriter.bytes(elements, keys))
    guard let first = offsets.baseAddress, let start = blocks.baseAddress else { return nil }
    let length = ElementBlock(start: start, type: column.scalarType).length
    return CollectionValues(
      kind: kind, type: column.scalarType, isShared: true, offsets: first.assumingMemoryBound(to: UInt32.self),
      elementBlock: start, keyBlock: keys == nil ? nil : start + length)
  }

  private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    bytes.withUnsafeBytes { keep($0) }
  }
}
