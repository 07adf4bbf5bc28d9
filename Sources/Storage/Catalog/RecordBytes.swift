internal import CXXHash
internal import LMDB

/// Why a record of the catalog cannot be read. The caller adds which record it was.
struct RecordDamage: Error {
  let what: String
}

/// Writes records of the catalog: little-endian numbers, counted bytes, and a checksum of everything at the end.
///
/// It does not depend on the meaning of the numbers. Its functions are not inlined: records are written rarely, in many
/// places, and that took a tenth of the module's compile time.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  @inline(never) mutating func put(_ byte: UInt8) { bytes.append(byte) }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  @inline(never) mutating func put(_ number: UInt32) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(never) mutating func put(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(never) mutating func put(counted other: [UInt8]) {
    put(UInt64(other.count))
    bytes.append(contentsOf: other)
  }

  @inline(never) mutating func put(_ text: String) {
    put(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Clears the record and keeps its capacity.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func put<T>(optional value: T?, _ body: (inout RecordWriter, T) -> Void) {
    put(value != nil)
    if let value { body(&self, value) }
  }

  mutating func put<T>(each values: [T], _ body: (inout RecordWriter, T) -> Void) {
    put(UInt64(values.count))
    for value in values { body(&self, value) }
  }

  /// The record, sealed with its checksum.
  consuming func sealed() -> [UInt8] {
    let sum = checksum(of: bytes)
    put(sum)
    return bytes
  }
}

/// Reads the records of `RecordWriter`. Every length is checked against the remaining bytes, so no input can make it
/// trap.
struct RecordReader {
  private let bytes: [UInt8]
  private var position = 0

  /// Checks the checksum and starts at the first byte.
  init(sealed record: UnsafeRawBufferPointer) throws(RecordDamage) {
    guard record.count >= 8 else { throw RecordDamage(what: "it is only \(record.count) bytes long") }
    let payload = Array(record.dropLast(8))
    var sum: UInt64 = 0
    for byte in record.suffix(8).reversed() { sum = sum << 8 | UInt64(byte) }
    guard sum == checksum(of: payload) || DamageChecks.areSkipped else {
      throw RecordDamage(what: "its checksum does not fit its bytes")
    }
    bytes = payload
  }

  /// Whether everything was read.
  var isAtEnd: Bool { position == bytes.count }

  @inline(never) mutating func byte() throws(RecordDamage) -> UInt8 {
    guard position < bytes.count else { throw RecordDamage(what: "it ends early") }
    defer { position += 1 }
    return bytes[position]
  }

  @inline(never) mutating func flag() throws(RecordDamage) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    case let other: throw RecordDamage(what: "\(other) stands where 0 or 1 should")
    }
  }

  @inline(never) mutating func uint32() throws(RecordDamage) -> UInt32 { try number() }

  @inline(never) mutating func uint64() throws(RecordDamage) -> UInt64 { try number() }

  @inline(never) mutating func counted() throws(RecordDamage) -> [UInt8] { Array(bytes[try countedRange()]) }

  @inline(never) mutating func text() throws(RecordDamage) -> String {
    let range = try countedRange()
    let text = bytes.withUnsafeBufferPointer { bytes -> String? in
      let written = UnsafeBufferPointer(rebasing: bytes[range])
      // Decoding repairs invalid UTF-8; comparing the result is faster than a separate validation.
      var text = String(decoding: written, as: UTF8.self)
      return text.withUTF8 { $0.elementsEqual(written) } ? text : nil
    }
    guard let text else { throw RecordDamage(what: "a name in it is not UTF-8") }
    return text
  }

  private mutating func countedRange() throws(RecordDamage) -> Range<Int> {
    let count = try uint64()
    guard count <= UInt64(bytes.count - position) else { throw RecordDamage(what: "it ends early") }
    let start = position
    position += Int(count)
    return start..<position
  }

  mutating func optional<T>(
    _ body: (inout RecordReader) throws(RecordDamage) -> T
  ) throws(RecordDamage) -> T? {
    try flag() ? try body(&self) : nil
  }

  /// Reads a counted list. A count larger than the remaining bytes is refused before memory is reserved.
  mutating func each<T>(
    _ body: (inout RecordReader) throws(RecordDamage) -> T
  ) throws(RecordDamage) -> [T] {
    let count = try uint64()
    guard count <= UInt64(bytes.count - position) else { throw RecordDamage(what: "it ends early") }
    var values: [T] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() throws(RecordDamage) -> Number {
    let size = MemoryLayout<Number>.size
    guard size <= bytes.count - position else { throw RecordDamage(what: "it ends early") }
    let number = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    position += size
    return Number(littleEndian: number)
  }
}

/// XXH3 of the bytes, 64 bits.
private func checksum(of bytes: [UInt8]) -> UInt64 {
  bytes.withUnsafeBytes { XXH3_64bits($0.baseAddress, $0.count) }
}
