package import Schema
package import Values

extension IndexKey {
  /// The values of a key, with -0.0 as 0.0 and a single NaN; nil for a truncated or damaged key.
  package static func decode(_ key: UnsafeRawBufferPointer, types: [ScalarType]) -> [Value]? {
    guard !isShortened(key) else { return nil }
    var place = 0
    var values: [Value] = []
    for type in types {
      guard let value = decode(key, at: &place, type: type) else { return nil }
      values.append(value)
    }
    return place == key.count ? values : nil
  }

  private static func decode(_ key: UnsafeRawBufferPointer, at place: inout Int, type: ScalarType) -> Value? {
    guard place < key.count else { return nil }
    let tag = key[place]
    place += 1
    if tag == 0 { return .null }
    guard tag == 1 else { return nil }
    switch type {
    case .bool:
      guard let byte: UInt8 = bigEndian(key, at: &place), byte <= 1 else { return nil }
      return .bool(byte == 1)
    case .int8, .int16, .int32, .int:
      guard let word: UInt64 = bigEndian(key, at: &place) else { return nil }
      return .int(Int64(bitPattern: word ^ 1 << 63))
    case .float:
      guard let word: UInt32 = bigEndian(key, at: &place) else { return nil }
      return .float(word == 0 ? .nan : Float(bitPattern: word >> 31 == 1 ? word & ~(1 << 31) : ~word))
    case .double, .date:
      guard let word: UInt64 = bigEndian(key, at: &place) else { return nil }
      let number = word == 0 ? .nan : Double(bitPattern: word >> 63 == 1 ? word & ~(1 << 63) : ~word)
      return type == .date ? .date(Instant(seconds: number)) : .double(number)
    case .uuid:
      guard let high: UInt64 = bigEndian(key, at: &place), let low: UInt64 = bigEndian(key, at: &place)
      else { return nil }
      return .uuid(UUIDBytes(high: high, low: low))
    case .decimal:
      return DecimalValue(bytes: key, at: &place).map { .decimal($0) }
    case .string:
      return text(key, at: &place).map { .string(String(decoding: $0, as: UTF8.self)) }
    case .data:
      return text(key, at: &place).map { .data($0) }
    }
  }

  private static func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(
    _ key: UnsafeRawBufferPointer, at place: inout Int
  ) -> T? {
    let size = MemoryLayout<T>.size
    guard key.count - place >= size else { return nil }
    defer { place += size }
    return T(bigEndian: key.loadUnaligned(fromByteOffset: place, as: T.self))
  }

  private static func text(_ key: UnsafeRawBufferPointer, at place: inout Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let zero = key[place...].firstIndex(of: 0), zero + 1 < key.count {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: key[place..<zero]))
      place = zero + 2
      switch key[zero + 1] {
      case 1: return bytes
      case 0xFF: bytes.append(0)
      default: return nil
      }
    }
    return nil
  }
}
