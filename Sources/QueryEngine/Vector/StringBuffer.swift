internal import Storage

/// Memory for the strings of one cluster, reused from cluster to cluster. Results are valid until the buffer is filled
/// again. Used by one thread.
final class StringBuffer {
  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 14)
  private var capacity = 1 << 14
  private let offsets = UnsafeMutablePointer<UInt32>.allocate(capacity: Mask.slotCount + 1)
  /// The number of bytes written so far.
  private var end = 0

  /// The capacity of a buffer, so that offsets fit 32 bits.
  static let mostBytes = 1 << 30

  deinit {
    bytes.deallocate()
    offsets.deallocate()
  }

  /// Fills the buffer with one string for each of the first `count` slots: `write` appends that of each slot in
  /// `slots`, the others are empty.
  func fill(
    _ count: Int, _ slots: Mask, isASCII: Bool, _ write: (Int) throws -> Void
  ) throws -> TextBlock {
    end = 0
    let count = min(max(count, 1), Mask.slotCount)
    for slot in 0..<count {
      offsets[slot] = UInt32(truncatingIfNeeded: end)
      if slots[slot] { try write(slot) }
      guard end < Self.mostBytes else { throw StoreError.unsupported("strings of over 1 GiB in one cluster") }
      reserve(1)
      bytes[end] = 0xFF
      end += 1
    }
    offsets[count] = UInt32(truncatingIfNeeded: end)
    return TextBlock(
      offsets: offsets, bytes: UnsafePointer(bytes), byteCount: end, count: count, isASCII: isASCII)
  }

  /// Stores one string.
  func single(_ write: () -> Void) -> UnsafeRawBufferPointer {
    end = 0
    write()
    return UnsafeRawBufferPointer(start: bytes, count: end)
  }

  /// Appends bytes to the string of the slot that is being written.
  func append(_ text: UnsafeRawBufferPointer) {
    guard let source = text.baseAddress else { return }
    reserve(text.count)
    UnsafeMutableRawPointer(bytes + end).copyMemory(from: source, byteCount: text.count)
    end += text.count
  }

  /// Applies a transform to the strings of a block in some slots; the strings of other slots are undefined.
  ///
  /// - Parameter isStored: Whether the block lies in the store, not in another buffer that is filled next.
  func transformed(
    _ block: TextBlock, _ transform: StringTransform, _ slots: Mask, isStored: Bool
  ) throws -> TextBlock {
    if block.isASCII, let letters = transform.ofASCII {
      end = 0
      reserve(block.byteCount)
      append(UnsafeRawBufferPointer(start: block.bytes, count: block.byteCount), letters)
      if isStored {
        return TextBlock(
          offsets: block.offsets, bytes: UnsafePointer(bytes), byteCount: end, count: block.count, isASCII: true)
      }
      let count = min(block.count, Mask.slotCount)
      offsets.update(from: block.offsets, count: count + 1)
      return TextBlock(
        offsets: offsets, bytes: UnsafePointer(bytes), byteCount: Int(offsets[count]), count: count, isASCII: true)
    }
    return try fill(block.count, slots, isASCII: block.isASCII && transform.keepsASCII) { append(block[$0], transform) }
  }

  /// Appends the result of a transform.
  func append(_ text: UnsafeRawBufferPointer, _ transform: StringTransform) {
    if let letters = transform.ofASCII {
      if text.allSatisfy({ $0 < 0x80 }) { return append(text, letters) }
    } else if transform.keepsFirstCharacter, let first = Self.plainFirst(text) {
      reserve(1)
      bytes[end] = first
      end += 1
      return
    }
    transform.withResult(of: text) { append($0) }
  }

  /// The first letter, if it is a single byte that no following character, such as an accent or a line feed, extends.
  private static func plainFirst(_ text: UnsafeRawBufferPointer) -> UInt8? {
    guard let first = text.first, first < 0x80 else { return nil }
    if text.count == 1 { return first }
    return text[1] < 0x80 && first != 0x0D ? first : nil
  }

  /// Appends ASCII strings, including the bytes between them, with their letters changed.
  private func append(_ text: UnsafeRawBufferPointer, _ letters: StringTransform.ASCIILetters) {
    guard case .exchanged(let first) = letters else { return append(text) }
    guard let source = text.baseAddress else { return }
    reserve(text.count)
    let (from, to) = (source.assumingMemoryBound(to: UInt8.self), bytes + end)
    for position in 0..<text.count {
      let byte = from[position]
      to[position] = byte &- first < 26 ? byte ^ 0x20 : byte
    }
    end += text.count
  }

  /// Makes room for more bytes; written bytes are kept.
  private func reserve(_ more: Int) {
    if end + more <= capacity { return }
    let wanted = max(end + more, 2 * capacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    larger.initialize(from: bytes, count: end)
    bytes.deallocate()
    (bytes, capacity) = (larger, wanted)
  }
}
