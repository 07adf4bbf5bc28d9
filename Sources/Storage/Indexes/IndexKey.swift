import CXXHash
package import Schema
package import Values

/// Encodes values as bytes whose unsigned order is the sort order of the language: nil, NaN, −∞ … +∞, and accordingly
/// for every type.
///
/// No key of a value is a prefix of another, so the key of a tuple is the concatenation of its elements' keys. The keys
/// with the prefix of some first columns' keys are exactly those of the tuples with these values:
///
/// ```
/// nil      00
/// Bool     01 │ 00 or 01
/// integers 01 │ 8 bytes, big-endian, sign bit turned
/// Double   01 │ 8 bytes, big-endian: sign bit turned, negative numbers inverted; NaN is zero, -0.0 is 0.0
/// Date     01 │ likewise
/// Float    01 │ 4 bytes likewise
/// UUID     01 │ 16 bytes
/// Decimal  01 │ 2 to 23 bytes, of which none begin another number's; see `DecimalValue`
/// text     01 │ its bytes, with 00 as 00 FF │ 00 01
/// ```
/// LMDB's keys have at most 511 bytes: a key of more than 499 is truncated to its first 484 bytes, followed by 16 bytes
/// of hash. Keys that share 484 bytes have no defined order, so readers of an index with such keys must check the
/// objects.
///
/// It does not depend on the index of a key, nor on LMDB.
package enum IndexKey {
  /// The length of a truncated key; all others are shorter.
  package static let shortenedLength = 500
  /// All there is of nil.
  static let null: UInt8 = 0
  /// The number of bytes that a truncated key keeps.
  package static let keptLength = 484

  /// The key of a tuple of values of given types.
  package static func encode(_ values: [Value], types: [ScalarType]) -> [UInt8] {
    var key: [UInt8] = []
    encode(values, types: types, into: &key)
    return key
  }

  /// Replaces the content of `key` by the key of a tuple; reuses its memory.
  package static func encode(_ values: [Value], types: [ScalarType], into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    for (index, value) in values.enumerated() {
      append(value, type: index < types.count ? types[index] : nil, to: &key)
    }
    shorten(&key)
  }

  /// Replaces the content of `key` by the key of an object with given values in an index's columns.
  static func encode(_ values: [Value], of index: StoredIndex, into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    for (value, type) in zip(values, index.types) { append(value, type: type, of: index, to: &key) }
    shorten(&key)
  }

  /// The key of an object with the given values in an index's columns.
  static func encode(_ values: [Value], of index: StoredIndex) -> [UInt8] {
    var key: [UInt8] = []
    encode(values, of: index, into: &key)
    return key
  }

  /// Whether the key was truncated.
  package static func isShortened(_ key: UnsafeRawBufferPointer) -> Bool { key.count == shortenedLength }

  /// Whether the key was truncated.
  package static func isShortened(_ key: [UInt8]) -> Bool { key.count == shortenedLength }

  /// The exclusive upper bound of all keys that begin with `key`; nil if every greater key begins with it.
  package static func encodePrefixUpperBound(_ key: [UInt8]) -> [UInt8]? {
    var end = key
    while let last = end.popLast() {
      if last < 0xFF {
        end.append(last + 1)
        return end
      }
    }
    return nil
  }

  /// Truncates a key that is too long and appends a hash of the whole key.
  private static func shorten(_ key: inout [UInt8]) {
    guard key.count >= shortenedLength else { return }
    let hash = key.withUnsafeBytes { XXH3_128bits($0.baseAddress, $0.count) }
    key.removeSubrange(keptLength...)
    appendBigEndian(hash.high64, to: &key)
    appendBigEndian(hash.low64, to: &key)
  }
}

extension IndexKey {
  /// Appends the key of one value. A value of another kind than the type's keeps the form of its own kind, but that
  /// numbers become what a column of floating-point or decimal numbers holds.
  @inline(__always)
  static func append(_ value: Value, type: ScalarType?, to key: inout [UInt8]) {
    switch value {
    case .null:
      key.append(null)
    case .bool(let value):
      key.append(1)
      key.append(value ? 1 : 0)
    case .int(let value):
      switch type {
      case .float: append(Float(value), to: &key)
      case .double, .date: append(Double(value), to: &key)
      case .decimal: append(DecimalValue(value), to: &key)
      case nil, .bool, .int8, .int16, .int32, .int, .string, .uuid, .data:
        key.append(1)
        appendBigEndian(UInt64(bitPattern: value) ^ 1 << 63, to: &key)
      }
    case .double(let value):
      switch type {
      case .float: append(Float(value), to: &key)
      case .decimal: DecimalValue(shortest: value).map { append($0, to: &key) } ?? append(value, to: &key)
      case nil, .bool, .int8, .int16, .int32, .int, .double, .string, .date, .uuid, .data: append(value, to: &key)
      }
    case .date(let value):
      append(value.seconds, to: &key)
    case .float(let value):
      if type == .double { append(Double(value), to: &key) } else { append(value, to: &key) }
    case .decimal(let value):
      append(value, to: &key)
    case .uuid(let value):
      key.append(1)
      appendBigEndian(value.high, to: &key)
      appendBigEndian(value.low, to: &key)
    case .string(var value):
      key.append(1)
      value.withUTF8 { appendText(UnsafeRawBufferPointer($0), to: &key) }
      key.append(0)
      key.append(1)
    case .data(let value):
      key.append(1)
      value.withUnsafeBytes { appendText($0, to: &key) }
      key.append(0)
      key.append(1)
    case .list, .embedded, .object:
      key.append(1)
    }
  }

  /// Appends the key of one value in an index; strings are folded if the index is.
  @inline(__always)
  static func append(_ value: Value, type: ScalarType?, of index: StoredIndex, to key: inout [UInt8]) {
    if index.isFolded, case .string(let text) = value {
      key.append(1)
      TextFolding.full.fold(text).withUnsafeBytes { appendText($0, to: &key) }
      key.append(0)
      key.append(1)
    } else {
      append(value, type: type, to: &key)
    }
  }

  private static func append(_ value: Double, to key: inout [UInt8]) {
    key.append(1)
    appendBigEndian(ordered(value), to: &key)
  }

  @inline(never)
  private static func append(_ value: DecimalValue, to key: inout [UInt8]) {
    key.append(1)
    value.withBytes { key.append(contentsOf: $0) }
  }

  private static func append(_ value: Float, to key: inout [UInt8]) {
    key.append(1)
    appendBigEndian(ordered(value), to: &key)
  }

  /// The bits of a number, transformed so that their unsigned order is that of the numbers; NaN is the smallest.
  static func ordered(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    let bits = value == 0 ? 0 : value.bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The bits of a number, transformed so that their unsigned order is that of the numbers; NaN is the smallest.
  static func ordered(_ value: Float) -> UInt32 {
    if value.isNaN { return 0 }
    let bits = value == 0 ? 0 : value.bitPattern
    return bits >> 31 == 1 ? ~bits : bits | 1 << 31
  }

  @inline(__always)
  static func appendBigEndian<T: FixedWidthInteger>(_ value: T, to key: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { key.append(contentsOf: $0) }
  }

  /// Appends a string with its zero bytes escaped, without the terminator.
  static func appendText(_ bytes: UnsafeRawBufferPointer, to key: inout [UInt8]) {
    // All bytes are appended: those beyond the truncated length contribute to the hash.
    if bytes.contains(0) {
      for byte in bytes {
        key.append(byte)
        if byte == 0 { key.append(0xFF) }
      }
    } else {
      key.append(contentsOf: bytes)
    }
  }
}
