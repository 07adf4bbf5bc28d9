internal import Schema
internal import Storage
internal import Values

/// A column of a cluster reduced to the pointers and numbers needed to read single values, with nothing to retain.
///
/// Valid as long as the `ColumnView` it was made from. Values that it can't read itself are read by the view.
struct OpenColumn {
  /// The layout of the values at `values`, or that all values are the same: then `base` is the value or its bits.
  enum Form: UInt8 {
    case integers, doubles, floats, decimals, bits, uuid, dictionary, text
    case sameInteger, sameFloat, sameDouble, sameBool
    case other
  }

  let form: Form
  let type: ScalarType
  /// Whether some slot has nil.
  private let hasNulls: Bool
  private let nulls: Mask
  /// The slots whose text is stored out of line.
  private let outOfLine: Mask
  /// The value of all, or its bits.
  private let base: Int64
  private let values: UnsafeRawPointer?
  /// The entries of a text column.
  private let block: TextBlock?
  /// The entries of a column of numbers.
  private let numbers: NumberBlock?

  init(_ view: ColumnView) {
    nulls = view.nulls
    hasNulls = !view.nulls.isEmpty
    outOfLine = view.outOfLine
    type = view.type
    var base: Int64 = 0
    var block: TextBlock?
    var numbers: NumberBlock?
    switch view.values {
    case .numbers(let stored):
      (values, numbers) = (nil, stored)
      switch stored.kind {
      case .integers: form = .integers
      case .doubles: form = .doubles
      case .floats: form = .floats
      case .decimals: form = .decimals
      }
    case .bits(let words): (form, values) = (.bits, UnsafeRawPointer(words))
    case .uuid(let pairs): (form, values) = (.uuid, UnsafeRawPointer(pairs))
    case .dictionary(let codes, let entries):
      (form, values, block) = (.dictionary, UnsafeRawPointer(codes), entries)
    case .text(let entries): (form, values, block) = (.text, nil, entries)
    case .same(let value):
      values = nil
      switch value {
      case .int(let number): (form, base) = (.sameInteger, number)
      case .double(let number): (form, base) = (.sameDouble, Int64(bitPattern: number.bitPattern))
      case .date(let instant): (form, base) = (.sameDouble, Int64(bitPattern: instant.seconds.bitPattern))
      case .float(let number): (form, base) = (.sameFloat, Int64(number.bitPattern))
      case .bool(let flag): (form, base) = (.sameBool, flag ? 1 : 0)
      default: form = .other
      }
    case .collection: (form, values) = (.other, nil)
    }
    self.base = base
    self.block = block
    self.numbers = numbers
  }

  /// A column that the file lacks: nil for all objects, or with a substitute that its owner knows.
  init(absent substitute: Value) {
    form = .other
    type = .int
    nulls = substitute.isNull ? .all : .none
    hasNulls = substitute.isNull
    outOfLine = .none
    base = 0
    values = nil
    block = nil
    numbers = nil
  }

  /// Whether a slot has nil.
  @inline(__always) func isNull(_ slot: Int) -> Bool { hasNulls && nulls[slot] }

  /// The number in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func integer(_ slot: Int) -> Int64? {
    if form == .sameInteger { return base }
    guard form == .integers, let numbers else { return nil }
    return numbers.integer(slot)
  }

  /// The number in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func double(_ slot: Int) -> Double? {
    if form == .sameDouble { return Double(bitPattern: UInt64(bitPattern: base)) }
    guard form == .doubles, let numbers else { return nil }
    return numbers[slot]
  }

  /// The number in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func float(_ slot: Int) -> Float? {
    if form == .sameFloat { return Float(bitPattern: UInt32(truncatingIfNeeded: base)) }
    guard form == .floats, let numbers else { return nil }
    return numbers.float(slot)
  }

  /// The flag in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func bool(_ slot: Int) -> Bool? {
    if form == .sameBool { return base == 1 }
    guard form == .bits, let values else { return nil }
    return values.load(fromByteOffset: (slot &>> 6) &* 8, as: UInt64.self) &>> UInt64(slot & 63) & 1 == 1
  }

  /// The UUID in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func uuid(_ slot: Int) -> UUIDBytes? {
    guard form == .uuid, let values else { return nil }
    return UUIDBytes(
      high: values.load(fromByteOffset: slot &* 16, as: UInt64.self),
      low: values.load(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self))
  }

  /// The bytes in a slot that is not nil; nil when the view must be read instead.
  @inline(__always) func text(_ slot: Int) -> UnsafeRawBufferPointer? {
    guard let block else { return nil }
    if form == .text { return outOfLine[slot] ? nil : block[slot] }
    guard let values else { return nil }
    return block[Int(values.load(fromByteOffset: slot, as: UInt8.self))]
  }

  /// The value in a slot, boxed; nil when the view must be read instead.
  func value(_ slot: Int) -> Value? {
    if isNull(slot) { return .null }
    switch form {
    case .integers, .sameInteger: return integer(slot).map(Value.int)
    case .doubles, .sameDouble: return double(slot).map { type == .date ? .date(Instant(seconds: $0)) : .double($0) }
    case .floats, .sameFloat: return float(slot).map(Value.float)
    case .decimals: return numbers.map { .decimal($0.exact(slot)) }
    case .bits, .sameBool: return bool(slot).map(Value.bool)
    case .uuid: return uuid(slot).map(Value.uuid)
    case .dictionary, .text:
      return text(slot).map { type.value(keptAs: $0) }
    case .other: return nil
    }
  }
}
