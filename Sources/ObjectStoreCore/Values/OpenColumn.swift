internal import Schema
internal import Storage
internal import Values

/// A column of a cluster reduced to what reading single values takes: pointers and numbers, nothing to retain.
///
/// Valid as long as the `ColumnView` it was made of. What it does not read itself is left to the view.
struct OpenColumn {
  /// How the values lie at `values`.
  enum Form: UInt8 {
    case int8, int16, int32, int64, float64, dictionary, text, other
  }

  let form: Form
  /// The slots with nil.
  let nulls: Mask
  /// The slots whose text is elsewhere.
  let outOfLine: Mask
  /// What the offsets of integers are added to.
  let base: Int64
  let values: UnsafeRawPointer?
  /// For text: the entries.
  let block: TextBlock?

  init(_ view: ColumnView) {
    nulls = view.nulls
    outOfLine = view.outOfLine
    var base: Int64 = 0
    var block: TextBlock?
    switch view.values {
    case .int8(let first, let offsets): (form, base, values) = (.int8, first, UnsafeRawPointer(offsets))
    case .int16(let first, let offsets): (form, base, values) = (.int16, first, UnsafeRawPointer(offsets))
    case .int32(let first, let offsets): (form, base, values) = (.int32, first, UnsafeRawPointer(offsets))
    case .int64(let integers): (form, values) = (.int64, UnsafeRawPointer(integers))
    case .float64(let numbers): (form, values) = (.float64, UnsafeRawPointer(numbers))
    case .dictionary(let codes, let entries):
      (form, values, block) = (.dictionary, UnsafeRawPointer(codes), entries)
    case .text(let entries): (form, values, block) = (.text, nil, entries)
    case .same, .bits, .float32, .uuid, .collection: (form, values) = (.other, nil)
    }
    self.base = base
    self.block = block
  }

  /// The number of a slot that is not nil; nil where the view has to be asked.
  @inline(__always) func integer(_ slot: Int) -> Int64? {
    guard let values else { return nil }
    switch form {
    case .int8: return base &+ Int64(values.load(fromByteOffset: slot, as: UInt8.self))
    case .int16: return base &+ Int64(values.load(fromByteOffset: slot &* 2, as: UInt16.self))
    case .int32: return base &+ Int64(values.load(fromByteOffset: slot &* 4, as: UInt32.self))
    case .int64: return values.load(fromByteOffset: slot &* 8, as: Int64.self)
    default: return nil
    }
  }

  /// The number of a slot that is not nil; nil where the view has to be asked.
  @inline(__always) func double(_ slot: Int) -> Double? {
    guard form == .float64, let values else { return nil }
    return values.load(fromByteOffset: slot &* 8, as: Double.self)
  }

  /// The bytes of a slot that is not nil; nil where the view has to be asked.
  @inline(__always) func text(_ slot: Int) -> UnsafeRawBufferPointer? {
    guard let block else { return nil }
    if form == .text { return outOfLine[slot] ? nil : block[slot] }
    guard let values else { return nil }
    return block[Int(values.load(fromByteOffset: slot, as: UInt8.self))]
  }
}
