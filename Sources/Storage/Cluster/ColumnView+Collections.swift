internal import Schema
package import Values

extension ColumnView {
  /// The joined collections; nil for a column of single values, and if every object has nil.
  package var collections: CollectionValues? {
    if case .collection(let values) = values { values } else { nil }
  }

  /// The number of elements of a slot's collection, without reading them; 0 for nil and for a slot without an object.
  @inline(__always) package func elementCount(at slot: Int) -> Int {
    guard case .collection(let values) = values, slot >= 0, slot < slotCount, !nulls[slot] else { return 0 }
    return outOfLine[slot] ? distantCount(at: slot) : values.range(at: slot).count
  }

  /// The elements of a slot's collection; nil if there is no collection or no object.
  ///
  /// Those of an overflow collection are read and validated; they are valid as long as the snapshot.
  package func elements(at slot: Int) throws(StoreError) -> CollectionElements? {
    guard case .collection(let values) = values, slot >= 0, slot < slotCount, !nulls[slot] else { return nil }
    if outOfLine[slot] { return try distantElements(at: slot, values) }
    return CollectionElements(
      kind: values.kind, type: type, values: values.elements, nils: values.nils, keys: values.keys,
      range: values.range(at: slot))
  }

  /// An element of a slot's collection by its position from 0; nil if there is none.
  package func element(at slot: Int, _ place: Int) throws(StoreError) -> Value {
    guard let elements = try elements(at: slot), place >= 0, place < elements.count else { return .null }
    return elements.value(at: elements.range.lowerBound + place)
  }

  private func distantCount(at slot: Int) -> Int {
    let rank = (outOfLine & Mask(firstCount: slot)).count
    return references.map { Int($0[2 * rank] >> 32) } ?? 0
  }

  private func distantElements(
    at slot: Int, _ values: CollectionValues
  ) throws(StoreError) -> CollectionElements {
    var bytes = try distantBytes(at: slot) { $0 & 0xFFFF_FFFF }
    if UInt(bitPattern: bytes.baseAddress) & 7 != 0 { bytes = context.keep(bytes) }
    do throws(Chunk.Damage) {
      let elements = try CollectionElements(checking: bytes, values.kind, type, writtenAs: type)
      guard elements.count == distantCount(at: slot) else { throw Chunk.Damage(what: "the number is wrong") }
      return elements
    } catch {
      throw context.damage(number, column: index, "the long value of slot \(slot): \(error.what)")
    }
  }
}
