internal import Storage

/// Capitals or small letters, as `uppercase` and `lowercase` make of texts.
enum LetterCase {
  case upper, lower

  /// The letters that a function makes; nil of other functions.
  init?(_ function: ScalarFunction) {
    switch function {
    case .uppercase: self = .upper
    case .lowercase: self = .lower
    default: return nil
    }
  }

  /// A text of any script.
  func of(_ text: String) -> String { self == .upper ? text.uppercased() : text.lowercased() }

  /// The first of the 26 letters that are changed where texts are ASCII; the others follow it.
  fileprivate var firstChanged: UInt8 { self == .upper ? UInt8(ascii: "a") : UInt8(ascii: "A") }
}

/// Texts of a cluster in capitals or small letters, in memory that is kept from cluster to cluster. One for each thread;
/// what it gives is good until it is asked again.
final class CasedTexts {
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
  func block(_ block: TextBlock, _ letters: LetterCase, _ slots: Mask) -> TextBlock {
    if block.isASCII {
      reserve(block.byteCount)
      change(UnsafeRawBufferPointer(start: block.bytes, count: block.byteCount), letters, at: 0)
      return made(block.offsets, block.byteCount, block.count, isASCII: true)
    }
    let count = min(block.count, Mask.slotCount)
    var end = 0
    for slot in 0..<count {
      offsets[slot] = UInt32(truncatingIfNeeded: end)
      if slots[slot] { end = append(block[slot], letters, at: end) }
      reserve(end + 1)
      bytes[end] = 0xFF
      end += 1
    }
    offsets[count] = UInt32(truncatingIfNeeded: end)
    return made(offsets, end, count, isASCII: false)
  }

  /// One text.
  func text(_ text: UnsafeRawBufferPointer, _ letters: LetterCase) -> UnsafeRawBufferPointer {
    let end = append(text, letters, at: 0)
    return UnsafeRawBufferPointer(start: bytes, count: end)
  }

  private func made(_ offsets: UnsafePointer<UInt32>, _ end: Int, _ count: Int, isASCII: Bool) -> TextBlock {
    TextBlock(offsets: offsets, bytes: UnsafePointer(bytes), byteCount: end, count: count, isASCII: isASCII)
  }

  /// Writes a text from a place on; where it ends.
  private func append(_ text: UnsafeRawBufferPointer, _ letters: LetterCase, at start: Int) -> Int {
    if text.allSatisfy({ $0 < 0x80 }) {
      reserve(start + text.count)
      change(text, letters, at: start)
      return start + text.count
    }
    var changed = letters.of(String(decoding: text, as: UTF8.self))
    return changed.withUTF8 { utf8 in
      reserve(start + utf8.count)
      if let source = utf8.baseAddress { (bytes + start).update(from: source, count: utf8.count) }
      return start + utf8.count
    }
  }

  /// Writes ASCII, and what stands between texts, from a place on.
  private func change(_ text: UnsafeRawBufferPointer, _ letters: LetterCase, at start: Int) {
    guard let source = text.baseAddress else { return }
    let (from, to) = (source.assumingMemoryBound(to: UInt8.self), bytes + start)
    let first = letters.firstChanged
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
