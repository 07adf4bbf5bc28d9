import Glibc

/// The original cluster before a change. Unchanged columns are copied from its bytes without being decoded. The bytes
/// are a copy, unless they stay valid long enough.
///
/// It does not track changes.
final class ClusterOrigin {
  let view: ClusterView
  private let memory: UnsafeMutableRawBufferPointer?

  /// The bytes of a view that stay valid as long as this object is used.
  init(lasting view: ClusterView) {
    self.view = view
    memory = nil
  }

  init(_ view: ClusterView) throws(StoreError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(view.directory.bytes.count, 8), alignment: 8)
    self.memory = memory
    memory.copyMemory(from: view.directory.bytes)
    do throws(StoreError) {
      let bytes = UnsafeRawBufferPointer(rebasing: memory[..<view.directory.bytes.count])
      self.view = try ClusterView(bytes, number: view.number, context: view.context)
    } catch {
      memory.deallocate()
      throw error
    }
  }

  deinit { memory?.deallocate() }

  /// The number of bytes.
  var count: Int { view.directory.bytes.count }

  /// The entry and the chunk of the column at a position of `StoredEntity.columns`. nil if the cluster lacks the
  /// column, stores its chunk separately, or has an encoding that is no longer written.
  func chunk(_ index: Int) -> (entry: ClusterEntry, address: UnsafeRawPointer, bytes: UnsafeRawBufferPointer)? {
    let (directory, column) = (view.directory, view.context.column(index))
    guard let start = directory.bytes.baseAddress,
      let position = directory.position(ofColumn: column.pointee.number, guess: index)
    else { return nil }
    let entry = ClusterEntry(directory.entry(position))
    guard !entry.flags.contains(.elsewhere), entry.isOf(column.pointee.type, column.pointee.kind),
      entry.rangeTexts.allSatisfy({ $0 >> 32 <= UInt64(ClusterFormat.longestRangeText) })
    else { return nil }
    return (entry, directory.entry(position), UnsafeRawBufferPointer(start: start + entry.place, count: entry.length))
  }

  /// The string of a bound in the directory.
  func rangeText(_ bound: UInt64) -> UnsafeRawBufferPointer {
    guard let start = view.directory.bytes.baseAddress else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start + Int(bound & 0xFFFF_FFFF), count: Int(bound >> 32))
  }
}
