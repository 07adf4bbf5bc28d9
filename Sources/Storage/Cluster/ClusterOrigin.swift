import Glibc

/// A cluster as it was before it is changed: its bytes, from which the columns that nobody touches are written again as
/// they are, without being decoded. They are a copy, unless they stay where they are for long enough.
///
/// It does not know what was changed.
final class ClusterOrigin {
  let view: ClusterView
  private let memory: UnsafeMutableRawBufferPointer?

  /// Of a view whose bytes stay as they are as long as this is used.
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

  /// How many bytes it has.
  var count: Int { view.directory.bytes.count }

  /// The entry and the chunk of the column at a position of `StoredEntity.columns`; nil for one that the cluster does not
  /// have, has elsewhere, or has otherwise than it is written today.
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

  /// The text of a bound that the directory keeps.
  func rangeText(_ bound: UInt64) -> UnsafeRawBufferPointer {
    guard let start = view.directory.bytes.baseAddress else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start + Int(bound & 0xFFFF_FFFF), count: Int(bound >> 32))
  }
}
