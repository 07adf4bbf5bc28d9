import Schema
import Values

/// One column of a cluster that is being changed: a word for each slot (two for a UUID), or strings, or collections.
///
/// Words are the bits of the number in the column's type. The buffer checks types, and whether nil is allowed if
/// requested; it does not know which slots have objects.
final class ColumnBuffer {
  let type: ScalarType
  let number: UInt32
  /// The slots that are nil; their words are undefined.
  var nulls: Mask = .none
  /// 256 words, 512 for UUIDs, none for strings and collections.
  let words: UnsafeMutablePointer<UInt64>
  /// The strings of a column of strings or Data.
  let texts: TextBuffer?
  /// The collections of a column of such; `type` is that of their elements.
  let collections: CollectionBuffer?
  private let isCollection: Bool
  private let mayBeNil: Bool

  /// The approximate memory use of a column in bytes.
  static let footprint = 8 * Mask.slotCount + 4096

  init(_ column: StoredColumn) {
    type = column.scalarType
    number = column.number
    mayBeNil = column.column.isOptional
    collections = column.collectionKind.map {
      CollectionBuffer(kind: $0, type: column.scalarType, mayHoldNil: column.column.mayHoldNil)
    }
    isCollection = collections != nil
    let isText = collections == nil && type.isKeptAsBytes
    texts = isText ? TextBuffer() : nil
    let count = isText || collections != nil ? 1 : type == .uuid ? 2 * Mask.slotCount : Mask.slotCount
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
  }

  deinit { words.deallocate() }

  /// Whether a column of that type holds such values; nil is everybody's.
  @inline(__always) func accepts(_ value: Value) -> Bool {
    if isCollection { return collections?.accepts(value) ?? false }
    return switch value {
    case .null: true
    case .bool: type == .bool
    case .int(let value):
      switch type {
      case .int: true
      case .int8: Int8(exactly: value) != nil
      case .int16: Int16(exactly: value) != nil
      case .int32: Int32(exactly: value) != nil
      default: false
      }
    case .float: type == .float
    case .double: type == .double
    case .decimal: type == .decimal
    case .string: type == .string
    case .date: type == .date
    case .uuid: type == .uuid
    case .data: type == .data
    case .list, .embedded, .object: false
    }
  }

  /// Whether an object may have the value: the column accepts it, and it is nil only if nil is allowed.
  @inline(__always) func mayHave(_ value: Value) -> Bool { value.isNull ? mayBeNil : accepts(value) }

  /// Stores an accepted value in a slot.
  @inline(__always) func set(_ slot: Int, _ value: Value) {
    switch value {
    case .bool(let value): words[slot] = value ? 1 : 0
    case .int(let value): words[slot] = UInt64(bitPattern: value)
    case .float(let value): words[slot] = UInt64(value.bitPattern)
    case .double(let value): words[slot] = value.bitPattern
    case .date(let value): words[slot] = value.seconds.bitPattern
    case .uuid(let value):
      words[2 * slot] = value.high
      words[2 * slot + 1] = value.low
    case .string(let value):
      let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { texts?.set(slot, UnsafeRawBufferPointer($0)) }
      if isDone == nil { Array(value.utf8).withUnsafeBytes { texts?.set(slot, $0) } }
    case .data(let value):
      value.withUnsafeBytes { texts?.set(slot, $0) }
    case .decimal(let value):
      value.withBytes { texts?.set(slot, $0) }
    case .list, .embedded:
      collections?.set(slot, value)
    // Not valid in a column: a link is the target's ID.
    case .null, .object:
      texts?.clear(slot)
      collections?.clear(slot)
      nulls[slot] = true
      return
    }
    nulls[slot] = false
  }

  /// Removes the value of a slot.
  func clear(_ slot: Int) {
    nulls[slot] = false
    texts?.clear(slot)
    collections?.clear(slot)
  }

  /// The value of a slot; `long` provides the bytes of an overflow value.
  func value(_ slot: Int, long: () throws(StoreError) -> [UInt8]) throws(StoreError) -> Value {
    if nulls[slot] { return .null }
    if let collections { return try collections.value(slot, long: long) ?? .null }
    switch type {
    case .bool: return .bool(words[slot] == 1)
    case .int8, .int16, .int32, .int: return .int(Int64(bitPattern: words[slot]))
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: words[slot])))
    case .double: return .double(Double(bitPattern: words[slot]))
    case .date: return .date(Instant(seconds: Double(bitPattern: words[slot])))
    case .uuid: return .uuid(UUIDBytes(high: words[2 * slot], low: words[2 * slot + 1]))
    case .string, .data, .decimal: break
    }
    guard let texts else { return .null }
    if texts.outOfLine[slot] {
      let bytes: [UInt8]
      if case .pending(let pending, _)? = texts.long.parts[slot] { bytes = pending } else { bytes = try long() }
      return bytes.withUnsafeBytes { type.value(keptAs: $0) }
    }
    return type.value(keptAs: texts.text(slot))
  }

  /// Loads a column of a view.
  func load(_ view: ColumnView, present: Mask) {
    nulls = view.nulls
    if let texts {
      texts.load(view, slots: present.andNot(view.nulls))
      return
    }
    if let collections {
      collections.load(view, slots: present.andNot(view.nulls))
      return
    }
    let count = view.slotCount
    switch view.values {
    case .same(let value):
      let nils = nulls
      present.andNot(nils).forEach { set($0, value) }
    case .bits(let bits):
      for slot in 0..<count { words[slot] = bits[slot >> 6] >> UInt64(slot & 63) & 1 }
    case .numbers(let numbers): for slot in 0..<count { words[slot] = numbers.word(slot) }
    case .uuid(let pairs):
      for place in 0..<2 * count { words[place] = pairs[place] }
    case .dictionary, .text, .collection: break
    }
  }

  // MARK: Out of line

  /// The values out of line, for a column that may have such.
  var long: OverflowValues? { texts?.long ?? collections?.long }

  /// The number of bytes of an overflow value, derived from its stored size.
  func length(ofSize size: UInt64) -> UInt64 { collections == nil ? size : size & 0xFFFF_FFFF }

  /// Marks all pending overflow values as written and all abandoned ones as deleted.
  func markStored() {
    texts?.long.markStored()
    collections?.long.markStored()
  }
}

extension Value {
  /// The name of the value's type, as in a declaration.
  var typeName: String {
    switch self {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    case .list: "a list"
    case .embedded: "a struct"
    case .object: "an object"
    }
  }
}
