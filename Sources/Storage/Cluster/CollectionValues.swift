package import Schema
package import Values

/// The collections of a column in one cluster as they lie in memory: the elements of all objects one after another,
/// and where those of each begin. Valid as long as the snapshot.
///
/// It does not know which slots have objects or are nil, nor the collections that are out of line: those have no
/// elements here.
@usableFromInline package struct CollectionValues {
  /// What kind of collections.
  package let kind: CollectionKind
  /// The type of the elements.
  package let type: ScalarType
  /// Whether all objects that are not nil have the same collection, which is there once.
  @usableFromInline package let isShared: Bool

  /// Where the elements of each slot begin, and after the last where they end; of one slot where all share them.
  @usableFromInline package let offsets: UnsafePointer<UInt32>
  let elementBlock: UnsafeRawPointer
  let keyBlock: UnsafeRawPointer?

  /// The joined elements: an entry each.
  package var elements: ColumnValues { ElementBlock(start: elementBlock, type: type).values }

  /// A bit for each of the joined elements, set where it is nil, the first in the lowest bit; nil where none is.
  package var nils: UnsafePointer<UInt64>? { ElementBlock(start: elementBlock, type: type).nils }

  /// The joined keys of dictionaries, one for each element, always `.text` or `.dictionary`; nil for other collections.
  /// Without any element there is no entry.
  package var keys: ColumnValues? { keyBlock.map { ElementBlock(start: $0, type: .string).values } }

  /// How many elements there are, those that all share counted once.
  package var elementCount: Int { ElementBlock(start: elementBlock, type: type).count }

  /// Which of the elements those of a slot below the view's `slotCount` are.
  @inlinable @inline(__always) package func range(at slot: Int) -> Range<Int> {
    let place = isShared ? 0 : slot
    return Range(uncheckedBounds: (Int(offsets[place]), Int(offsets[place &+ 1])))
  }
}

/// The elements of one object's collection as they lie in memory, in line or not. Valid as long as the snapshot.
package struct CollectionElements {
  /// What kind of collection.
  package let kind: CollectionKind
  /// The type of the elements.
  package let type: ScalarType
  /// Elements, perhaps of other objects too: an entry each.
  package let values: ColumnValues
  /// A bit for each of them, set where it is nil; nil where none is.
  package let nils: UnsafePointer<UInt64>?
  /// The keys of a dictionary, at the same places; nil for other collections.
  package let keys: ColumnValues?
  /// Which of the entries are this object's.
  package let range: Range<Int>

  /// How many elements.
  package var count: Int { range.count }

  /// An element by its place in `range`.
  package func value(at index: Int) -> Value {
    if let nils, nils[index >> 6] >> UInt64(index & 63) & 1 == 1 { return .null }
    return values.value(at: index, type)
  }

  /// A key by its place in `range`; no bytes where there are no keys.
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
