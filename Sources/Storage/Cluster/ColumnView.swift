package import Schema
package import Values

/// A validated column of one cluster in memory; valid as long as the snapshot.
///
/// It does not depend on filters, which read its pointers.
package struct ColumnView: @unchecked Sendable {
  /// The slots whose object has nil; their entries of `values` are undefined.
  package let nulls: Mask
  /// The highest slot in use plus 1, which is the number of entries of `values`.
  package let slotCount: Int
  /// The values.
  package let values: ColumnValues
  /// The slots whose string or collection is an overflow value, with an empty entry in `values`; `text(at:)` and
  /// `elements(at:)` read it.
  package let outOfLine: Mask
  /// The type of the column's values, or of its collections' elements.
  package let type: ScalarType

  /// The bytes of the string, if all are the same.
  let sameText: UnsafeRawBufferPointer
  /// Size and hash of each value out of line, in slot order.
  let references: UnsafePointer<UInt64>?
  let number: UInt64
  let index: Int
  let context: ClusterContext

  /// The value of a slot, boxed: for rows and slow paths. Nil for a slot without an object.
  package func value(at slot: Int) throws(StoreError) -> Value {
    guard slot >= 0, slot < slotCount, !nulls[slot] else { return .null }
    switch values {
    case .dictionary, .text:
      return type.value(keptAs: try text(at: slot))
    case .collection: return try elements(at: slot)?.value ?? .null
    case .same, .bits, .numbers, .uuid: return values.value(at: slot, type)
    }
  }

  /// The bytes of a string, of Data or of a Decimal that is stored as bytes; none for nil, for a slot without an object
  /// and for all else.
  package func text(at slot: Int) throws(StoreError) -> UnsafeRawBufferPointer {
    guard slot >= 0, slot < slotCount else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    switch values {
    case .text(let block): return outOfLine[slot] ? try distantText(at: slot) : block[slot]
    case .dictionary(let codes, let entries): return entries[Int(codes[slot])]
    case .same: return nulls[slot] ? UnsafeRawBufferPointer(start: nil, count: 0) : sameText
    case .bits, .numbers, .uuid, .collection: return UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  private func distantText(at slot: Int) throws(StoreError) -> UnsafeRawBufferPointer {
    try distantBytes(at: slot) { $0 }
  }

  /// The bytes of a slot's overflow value; `length` converts the stored size to their number.
  func distantBytes(at slot: Int, length: (UInt64) -> UInt64) throws(StoreError) -> UnsafeRawBufferPointer {
    let key = OutOfLineKey(cluster: number, column: context.column(index).pointee.number, slot: slot)
    guard let references, let bytes = try context.source(key) else {
      throw context.damage(number, column: index, "the long value of slot \(slot) is missing")
    }
    let rank = (outOfLine & Mask(firstCount: slot)).count
    guard UInt64(bytes.count) == length(references[2 * rank]), Checksum.fits(bytes, references[2 * rank + 1]) else {
      throw context.damage(number, column: index, "the long value of slot \(slot) is not what was written")
    }
    return bytes
  }
}
