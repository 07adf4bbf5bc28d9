package import Values

/// The values of a column in one cluster as they lie in memory: pointers with one entry for each of the view's
/// `slotCount` slots, valid as long as the snapshot.
///
/// It does not know which slots have objects or are nil; entries of others mean nothing but may be read.
package enum ColumnValues {
  /// Every slot that is not nil has this value; nil itself when all are.
  case same(Value)
  /// Bool: four words, slot 0 in the lowest bit of the first.
  case bits(UnsafePointer<UInt64>)
  /// Integers as `base &+ offset`.
  case int8(base: Int64, UnsafePointer<UInt8>)
  /// Integers as `base &+ offset`.
  case int16(base: Int64, UnsafePointer<UInt16>)
  /// Integers as `base &+ offset`.
  case int32(base: Int64, UnsafePointer<UInt32>)
  /// Integers.
  case int64(UnsafePointer<Int64>)
  /// Float.
  case float32(UnsafePointer<Float>)
  /// Double, and Date as seconds since 2001.
  case float64(UnsafePointer<Double>)
  /// UUID: a pair of words a slot, the high one first.
  case uuid(UnsafePointer<UInt64>)
  /// String and Data with few distinct values: the entry of each slot.
  case dictionary(codes: UnsafePointer<UInt8>, entries: TextBlock)
  /// String and Data: an entry a slot.
  case text(TextBlock)
}
