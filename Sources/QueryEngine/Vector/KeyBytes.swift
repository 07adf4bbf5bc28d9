internal import Storage
internal import Values

/// Values that are no numbers and no strings as bytes: equal values have equal bytes, and the order of the bytes is that
/// of SORT, NaN first. Sorts, top-k, groups and DISTINCT treat such a value as the string of its bytes.
///
/// It does not know nil, which has no bytes.
enum KeyBytes {
  /// Whether the values of a type have bytes, and no other form in vectors.
  static func exist(for type: ExpressionType) -> Bool {
    switch type {
    case .decimal, .uuid, .data: true
    case .null, .bool, .int, .float, .double, .number, .string, .date, .list, .structure, .object: false
    }
  }

  /// Calls `body` with the bytes of a value, or of a string; nil where it has none. A whole number has those of the
  /// Decimal.
  static func with<Result>(_ value: Value, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    switch value {
    case .string(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    case .data(let bytes): bytes.withUnsafeBytes(body)
    case .decimal(let number): number.withBytes(body)
    case .int(let number): DecimalValue(number).withBytes(body)
    case .uuid(let id): with(id, body)
    case .null, .bool, .float, .double, .date, .list, .embedded, .object: nil
    }
  }

  /// Calls `body` with the bytes of a UUID, the highest first.
  @inline(__always)
  static func with<Result>(_ id: UUIDBytes, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian), body)
  }

  /// The value of a type with these bytes, which were made of one.
  static func value(_ bytes: UnsafeRawBufferPointer, of type: ExpressionType) -> Value {
    switch type {
    case .string: return .string(String(decoding: bytes, as: UTF8.self))
    case .data: return .data(Array(bytes))
    case .decimal: return DecimalValue(bytes: bytes).map(Value.decimal) ?? .null
    case .uuid:
      guard bytes.count == 16 else { return .null }
      return .uuid(
        UUIDBytes(
          high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
    case .null, .bool, .int, .float, .double, .number, .date, .list, .structure, .object: return .null
    }
  }
}

extension BoundExpression {
  /// The form of its vectors as a key.
  var keyForm: VectorForm { !isRanked && KeyBytes.exist(for: type) ? .strings : vectorForm }
}

extension Vector {
  /// Reads a column whose values have bytes.
  func loadKeys(_ view: ColumnView, wanted: Mask) throws {
    let slots = wanted & Mask(firstCount: view.slotCount).andNot(view.nulls)
    switch view.values {
    case .uuid(let pairs):
      form = .strings
      nulls = view.nulls
      let block = try buffer.fill(view.slotCount, slots, isASCII: false) { slot in
        KeyBytes.with(UUIDBytes(high: pairs[2 * slot], low: pairs[2 * slot + 1])) { buffer.append($0) }
      }
      strings = StringVector(layout: .block(block))
    case .same(.uuid(let id)):
      form = .strings
      nulls = view.nulls
      strings = StringVector(layout: .same(buffer.single { KeyBytes.with(id) { buffer.append($0) } }))
    case .numbers(let numbers):
      form = .strings
      nulls = view.nulls
      let block = try buffer.fill(view.slotCount, slots, isASCII: false) { slot in
        numbers.exact(slot).withBytes { buffer.append($0) }
      }
      strings = StringVector(layout: .block(block))
    case .same, .bits, .dictionary, .text, .collection: try loadStrings(view, wanted: wanted)
    }
  }

  /// Replaces values by their bytes.
  func takeKeyBytes(wanted: Mask) throws {
    guard form == .values || form == .decimals else { return }
    let slots = wanted.andNot(nulls)
    let block = try buffer.fill((slots.last ?? 0) + 1, slots, isASCII: false) { slot in
      let value = value(at: slot, of: .decimal)
      guard KeyBytes.with(value, { buffer.append($0) }) != nil else {
        throw StoreError.unsupported("a key that is \(ExpressionType(value).name)")
      }
    }
    form = .strings
    strings = StringVector(layout: .block(block))
  }
}
