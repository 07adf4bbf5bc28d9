import CKernels
import Schema

extension TextBlock {
  /// The joined strings at an address: `count u32 │ byte count u32 │ offsets (count + 1) × u32 │ bytes`.
  @inlinable @inline(__always) init(at start: UnsafeRawPointer, isASCII: Bool) {
    let count = Int(start.load(as: UInt32.self))
    self.init(
      offsets: Self.offsets(at: start),
      bytes: (start + (8 &+ 4 &* (count &+ 1))).assumingMemoryBound(to: UInt8.self),
      byteCount: Int(start.load(fromByteOffset: 4, as: UInt32.self)), count: count, isASCII: isASCII)
  }

  /// The address of the offsets of joined strings.
  @inlinable @inline(__always) static func offsets(at start: UnsafeRawPointer) -> UnsafePointer<UInt32> {
    (start + 8).assumingMemoryBound(to: UInt32.self)
  }

  /// Validates joined strings that fill `bytes`, except for padding. Returns their number.
  static func validate(
    _ bytes: UnsafeRawBufferPointer, isASCII: Bool, type: ScalarType
  ) throws(Chunk.Damage) -> Int {
    let tooShort = Chunk.Damage(what: "the length is wrong")
    let wrongOffsets = Chunk.Damage(what: "its offsets are wrong")
    guard bytes.count >= 12, let start = bytes.baseAddress else { throw tooShort }
    let count = Int(start.load(as: UInt32.self))
    let byteCount = Int(start.load(fromByteOffset: 4, as: UInt32.self))
    guard count >= 1, ClusterFormat.aligned(8 + 4 * (count + 1) + byteCount) == bytes.count else { throw tooShort }
    let block = TextBlock(at: start, isASCII: isASCII)
    var previous: UInt32 = 0
    guard block.offsets[0] == 0, Int(block.offsets[count]) == byteCount else { throw wrongOffsets }
    for i in 1...count {
      let offset = block.offsets[i]
      guard offset > previous, Int(offset) <= byteCount, block.bytes[Int(offset) - 1] == 0xFF
      else { throw wrongOffsets }
      previous = offset
    }
    if isASCII, !os_is_ascii(block.bytes, byteCount, true) { throw Chunk.Damage(what: "a text is not ASCII") }
    if type == .string {
      var joints = 0
      guard os_is_joined_utf8(block.bytes, byteCount, &joints), joints == count else {
        throw Chunk.Damage(what: "a text is not UTF-8")
      }
    }
    return count
  }
}
