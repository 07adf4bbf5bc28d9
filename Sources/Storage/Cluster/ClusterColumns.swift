import Schema
import Values

/// The columns of an entity as the views of its clusters need them: numbers and types, and the bytes of their defaults.
///
/// Made once for an entity, not for each snapshot or write; whoever reads them has the entity.
final class ClusterColumns: @unchecked Sendable {
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

  /// By position in `StoredEntity.columns`; they and what they point to live as long as this.
  let all: UnsafeBufferPointer<Column>
  private let owned: [UnsafeMutableRawBufferPointer]

  init(_ columns: [StoredColumn]) {
    let made = UnsafeMutableBufferPointer<Column>.allocate(capacity: columns.count)
    var owned: [UnsafeMutableRawBufferPointer] = []
    for (index, column) in columns.enumerated() {
      let text: UnsafeRawBufferPointer
      switch column.defaultAtCreation {
      case .string(let string): text = Self.keep(Array(string.utf8), &owned)
      case .data(let bytes): text = Self.keep(bytes, &owned)
      default: text = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      made.initializeElement(
        at: index,
        to: Column(
          number: column.number, type: column.scalarType, kind: column.collectionKind,
          defaultValue: column.defaultAtCreation, defaultText: text,
          defaultCollection: column.defaultAtCreation.isNull ? nil : Self.defaultCollection(of: column, &owned)))
    }
    all = UnsafeBufferPointer(made)
    self.owned = owned
  }

  deinit {
    UnsafeMutableBufferPointer(mutating: all).deinitialize().deallocate()
    for memory in owned { memory.deallocate() }
  }

  /// The default of a column of collections, as all objects have it whose cluster is older than the column.
  private static func defaultCollection(
    of column: StoredColumn, _ owned: inout [UnsafeMutableRawBufferPointer]
  ) -> CollectionValues? {
    guard let kind = column.collectionKind else { return nil }
    let buffer = CollectionBuffer(kind: kind, type: column.scalarType, mayHoldNil: column.column.mayHoldNil)
    let (elements, keys) = buffer.joined(column.defaultAtCreation)
    let offsets = keep(
      [UInt32(0), UInt32(truncatingIfNeeded: elements.count)].withUnsafeBytes { Array($0) }, &owned)
    let blocks = keep(ElementWriter.bytes(elements, keys), &owned)
    guard let first = offsets.baseAddress, let start = blocks.baseAddress else { return nil }
    let length = ElementBlock(start: start, type: column.scalarType).length
    return CollectionValues(
      kind: kind, type: column.scalarType, isShared: true, offsets: first.assumingMemoryBound(to: UInt32.self),
      elementBlock: start, keyBlock: keys == nil ? nil : start + length)
  }

  /// Copies bytes to memory at an address that is a multiple of eight.
  private static func keep(
    _ bytes: [UInt8], _ owned: inout [UnsafeMutableRawBufferPointer]
  ) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    memory.copyBytes(from: bytes)
    owned.append(memory)
    return UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
  }
}
