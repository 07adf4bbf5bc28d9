package import Schema
package import Values

/// The collections of a column in one cluster in memory: the elements of all objects one after another, and the offsets
/// of each object's elements. Valid as long as the snapshot.
///
/// It does not know which slots have objects or are nil. Overflow collections have no elements here.
@usableFromInline package struct CollectionValues {
  /// The kind of the collections.
  package let kind: CollectionKind
  /// The type of the elements.
  package let type: ScalarType
  /// Whether all objects that are not nil have the same collection, which is stored once.
  @usableFromInline package let isShared: Bool

  /// The start offset of each slot's elements, and the end of the last; of a single slot if all share their elements.
  @usableFromInline package let offsets: UnsafePointer<UInt32>
  let elementBlock: UnsafeRawPointer
  let keyBlock: UnsafeRawPointer?

  /// The joined elements: an entry each.
  package var elements: ColumnValues { ElementBlock(start: elementBlock, type: type).values }

  /// A bit for each of the joined elements, set if it is nil, the first in the lowest bit; nil if no element is nil.
  package var nils: UnsafePointer<UInt64>? { ElementBlock(start: elementBlock, type: type).nils }

  /// The joined keys of dictionaries, one for each element, always `.text` or `.dictionary`; nil for other collections.
  /// Without elements there are no entries.
  package var keys: ColumnValues? { keyBlock.map { ElementBlock(start: $0, type: .string).values } }

  /// The number of elements; shared elements count once.
  package var elementCount: Int { ElementBlock(start: elementBlock, type: type).count }

  /// The range of a slot's elements; the slot must be below the view's `slotCount`.
  @inlinable @inline(__always) package func range(at slot: Int) -> Range<Int> {
    let place = isShared ? 0 : slot
    return Range(uncheckedBounds: (Int(offsets[place]), Int(offsets[place &+ 1])))
  }
}

/// The elements of one object's collection in memory, inline or in an overflow value. Valid as long as the snapshot.
package struct CollectionElements {
  /// The kind of the collection.
  package let kind: CollectionKind
  /// The type of the elements.
  package let type: ScalarType
  /// Elements, perhaps of other objects too: an entry each.
  package let values: ColumnValues
  /// A bit for each element, set if it is nil; nil if no element is nil.
  package let nils: UnsafePointer<UInt64>?
  /// The keys of a dictionary, at the same positions; nil for other collections.
  package let keys: ColumnValues?
  /// Which of the entries are this object's.
  package let range: Range<Int>

  /// The number of elements.
  package var count: Int { range.count }

  /// An element by its position in `range`.
  package func value(at index: Int) -> Value {
    if let nils, nils[index >> 6] >> UInt64(index & 63) & 1 == 1 { return .null }
    return values.value(at: index, type)
  }

  /// A key by its position in `range`; empty if there are no keys.
  package func key(at index: Int) -> UnsafeRawBufferPointer {
    keys?.text(at: index) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The collection, boxed: a list, or for a dictionary its fields.
  package var value: Value {
    guard keys != nil else { return .list(range.map { value(at: $0) }) }
    return .embedded(
      range.map { EmbeddedField(name: String(decoding: key(at: $0), as: UTF8.self), value: value(at: $0)) })
  }
}
