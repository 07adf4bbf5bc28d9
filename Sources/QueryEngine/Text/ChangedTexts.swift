internal import Storage

/// Texts of a cluster as a function changes them, in memory that is kept from cluster to cluster. One for each thread; what it
/// gives is good until it is asked again.
final class ChangedTexts {
  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 14)
  private var capacity = 1 << 14
  private let offsets = UnsafeMutablePointer<UInt32>.allocate(capacity: Mask.slotCount + 1)

  /// The bytes of a block that may be changed: of as many, other letters are still counted by 32 bits. No store that is whole
  /// has a thousandth of it.
  static let most = 1 << 28

  deinit {
    bytes.deallocate()
    offsets.deallocate()
  }

  /// The texts of some slots of a block; what stands for the others means nothing.
  func block(_ block: TextBlock, _ function: TextFunction, _ slots: Mask) -> TextBlock {
    if block.isASCII, let letters = Self.letters(function) {
      reserve(block.byteCount)
      change(UnsafeRawBufferPointer(start: block.bytes, count: block.byteCount), letters, at: 0)
      return made(block.offsets, block.byteCount, block.count, isASCII: true)
    }
    let count = min(block.count, Mask.slotCount)
    var end = 0
    for slot in 0..<count {
      offsets[slot] = UInt32(truncatingIfNeeded: end)
      if slots[slot] { end = append(block[slot], function, at: end) }
      reserve(end + 1)
      bytes[end] = 0xFF
      end += 1
    }
    offsets[count] = UInt32(truncatingIfNeeded: end)
    return made(offsets, end, count, isASCII: block.isASCII)
  }

  /// One text.
  func text(_ text: UnsafeRawBufferPointer, _ function: TextFunction) -> UnsafeRawBufferPointer {
    let end = append(text, function, at: 0)
    return UnsafeRawBufferPointer(start: bytes, count: end)
  }

  private func made(_ offsets: UnsafePointer<UInt32>, _ end: Int, _ count: Int, isASCII: Bool) -> TextBlock {
    TextBlock(offsets: offsets, bytes: UnsafePointer(bytes), byteCount: end, count: count, isASCII: isASCII)
  }

  /// The first of the 26 letters that a function changes where texts are ASCII, the others following it; nil where it does
  /// more.
  private static func letters(_ function: TextFunction) -> UInt8? {
    switch function {
    case .uppercase: UInt8(ascii: "a")
    case .lowercase: UInt8(ascii: "A")
    case .firstLetter: nil
    }
  }

  /// Writes what a text is changed to from a place on; where it ends.
  private func append(_ text: UnsafeRawBufferPointer, _ function: TextFunction, at start: Int) -> Int {
    if let letters = Self.letters(function) {
      if text.allSatisfy({ $0 < 0x80 }) {
        reserve(start + text.count)
        change(text, letters, at: start)
        return start + text.count
      }
    } else if let first = Self.plainFirst(text) {
      reserve(start + 1)
      bytes[start] = first
      return start + 1
    }
    var changed = function.of(String(decoding: text, as: UTF8.self))
    return changed.withUTF8 { utf8 in
      reserve(start + utf8.count)
      if let source = utf8.baseAddress { (bytes + start).update(from: source, count: utf8.count) }
      return start + utf8.count
    }
  }

  /// The first letter where it is one byte: nothing that goes on with it can follow, as an accent does, or a line feed.
  private static func plainFirst(_ text: UnsafeRawBufferPointer) -> UInt8? {
    guard let first = text.first, first < 0x80 else { return nil }
    if text.count == 1 { return first }
    return text[1] < 0x80 && first != 0x0D ? first : nil
  }

  /// Writes ASCII, and what stands between texts, from a place on, 26 letters changed.
  private func change(_ text: UnsafeRawBufferPointer, _ first: UInt8, at start: Int) {
    guard let source = text.baseAddress else { return }
    let (from, to) = (source.assumingMemoryBound(to: UInt8.self), bytes + start)
    for place in 0..<text.count {
      let byte = from[place]
      to[place] = byte &- first < 26 ? byte ^ 0x20 : byte
    }
  }

  /// Has room for so many bytes, and keeps what is there.
  private func reserve(_ count: Int) {
    if count <= capacity { return }
    let wanted = max(count, 2 * capacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    larger.initialize(from: bytes, count: capacity)
    bytes.deallocate()
    (bytes, capacity) = (larger, wanted)
  }
}
