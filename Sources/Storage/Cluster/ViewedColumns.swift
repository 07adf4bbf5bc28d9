import Schema
import Values

/// The columns of an entity in the form that views of its clusters need: numbers and types, and the defaults for
/// clusters that are older than a column, in memory that views can point to.
///
/// Immutable, made once for an entity and shared by all its contexts, of which each snapshot has its own.
final class ViewedColumns: @unchecked Sendable {
  /// A column.
  struct Column {
    let number: UInt32
    let type: ScalarType
    /// Which collections it holds; nil for single values.
    let kind: CollectionKind?
    let defaultValue: Value
    /// The bytes of the default, if its type is stored as bytes.
    let defaultText: UnsafeRawBufferPointer
    /// The default, if it is a collection.
    let defaultCollection: CollectionValues?
  }

  /// In the order of `StoredEntity.columns`.
  let all: UnsafeBufferPointer<Column>
  /// The memory of the defaults.
  private let memory: [UnsafeMutableRawBufferPointer]

  init(_ columns: [StoredColumn]) {
    var memory: [UnsafeMutableRawBufferPointer] = []
    let all = UnsafeMutableBufferPointer<Column>.allocate(capacity: columns.count)
    for (index, column) in columns.enumerated() {
      let text: UnsafeRawBufferPointer
      switch column.defaultAtCreation {
      case .string(let string): text = Self.keep(Array(string.utf8), in: &memory)
      case .data(let bytes): text = Self.keep(bytes, in: &memory)
      case .decimal(let number): text = Self.keep(number.withBytes { Array($0) }, in: &memory)
      default: text = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      all.initializeElement(
        at: index,
        to: Column(
          number: column.number, type: column.scalarType, kind: column.collectionKind,
          defaultValue: column.defaultAtCreation, defaultText: text,
          defaultCollection: Self.defaultCollection(of: column, in: &memory)))
    }
    self.all = UnsafeBufferPointer(all)
    self.memory = memory
  }

  deinit {
    UnsafeMutableBufferPointer(mutating: all).deinitialize().deallocate()
    for memory in memory { memory.deallocate() }
  }

  /// The default of a column of collections, for objects whose cluster is older than the column.
  private static func defaultCollection(
    of column: StoredColumn, in memory: inout [UnsafeMutableRawBufferPointer]
  ) -> CollectionValues? {
    guard !column.defaultAtCreation.isNull, let kind = column.collectionKind else { return nil }
    let buffer = CollectionBuffer(kind: kind, type: column.scalarType, mayHoldNil: column.column.mayHoldNil)
    let (elements, keys) = buffer.joined(column.defaultAtCreation)
    let ends = [UInt32(0), UInt32(truncatingIfNeeded: elements.count)].withUnsafeBytes { Array($0) }
    let offsets = keep(ends, in: &memory)
    let blocks = keep(ElementWriter.bytes(elements, keys), in: &memory)
    guard let first = offsets.baseAddress, let start = blocks.baseAddress else { return nil }
    let length = ElementBlock(start: start, type: column.scalarType).length
    return CollectionValues(
      kind: kind, type: column.scalarType, isShared: true, offsets: first.assumingMemoryBound(to: UInt32.self),
      elementBlock: start, keyBlock: keys == nil ? nil : start + length)
  }

  /// Copies bytes to memory aligned to eight bytes.
  private static func keep(
    _ bytes: [UInt8], in memory: inout [UnsafeMutableRawBufferPointer]
  ) -> UnsafeRawBufferPointer {
    let kept = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    kept.copyBytes(from: bytes)
    memory.append(kept)
    return UnsafeRawBufferPointer(rebasing: kept[..<bytes.count])
  }
}
