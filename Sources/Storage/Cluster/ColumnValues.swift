package import Schema
package import Values

/// The values of a column in one cluster in memory: pointers to one entry for each of the view's `slotCount` slots,
/// valid as long as the snapshot.
///
/// It does not know which slots have objects or are nil; other entries are undefined but may be read.
package enum ColumnValues {
  /// Every slot that is not nil has this value; nil if all slots are nil.
  case same(Value)
  /// Bool: four words, slot 0 in the lowest bit of the first.
  case bits(UnsafePointer<UInt64>)
  /// Integers, Double, Float, Date as seconds since 2001, and most Decimals.
  case numbers(NumberBlock)
  /// UUID: a pair of words for each slot, the high one first.
  case uuid(UnsafePointer<UInt64>)
  /// String, Data and Decimal with few distinct values: the entry of each slot.
  case dictionary(codes: UnsafePointer<UInt8>, entries: TextBlock)
  /// String, Data and Decimal: an entry a slot.
  case text(TextBlock)
  /// Collections, one for each slot.
  case collection(CollectionValues)
}

extension ColumnValues {
  /// The entry at `index` of values of that type, which is below their number.
  package func value(at index: Int, _ type: ScalarType) -> Value {
    switch self {
    case .same(let value): value
    case .bits(let words): .bool(words[index >> 6] >> UInt64(index & 63) & 1 == 1)
    case .numbers(let numbers): numbers.value(index, type)
    case .uuid(let pairs): .uuid(UUIDBytes(high: pairs[2 * index], low: pairs[2 * index + 1]))
    case .dictionary, .text: type.value(keptAs: text(at: index))
    case .collection: .null
    }
  }

  /// The bytes of the string at a valid `index`; empty for other values.
  @inline(__always) package func text(at index: Int) -> UnsafeRawBufferPointer {
    switch self {
    case .dictionary(let codes, let entries): entries[Int(codes[index])]
    case .text(let block): block[index]
    default: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }
}
