import Glibc
import Values

/// The strings of one column of a cluster that is being changed: joined bytes, and the range of each slot's string.
///
/// A replaced string remains as waste until there is more waste than used space. Strings above 2 KiB are overflow
/// values; those already in the file are represented by length and hash. It does not know whether it holds strings, Data
/// or the bytes of Decimals.
final class TextBuffer {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var used = 0
  private var live = 0
  /// The start and length of each slot's string.
  let starts: UnsafeMutablePointer<UInt32>
  let lengths: UnsafeMutablePointer<UInt32>
  /// The strings above 2 KiB.
  var long = OverflowValues()
  /// The slots whose string is an overflow value.
  @inline(__always) var outOfLine: Mask { long.slots }

  init() {
    capacity = 4096
    bytes = .allocate(capacity: capacity)
    starts = .allocate(capacity: Mask.slotCount)
    lengths = .allocate(capacity: Mask.slotCount)
    starts.initialize(repeating: 0, count: Mask.slotCount)
    lengths.initialize(repeating: 0, count: Mask.slotCount)
  }

  deinit {
    bytes.deallocate()
    starts.deallocate()
    lengths.deallocate()
  }

  /// The string of a slot that is not an overflow value.
  @inline(__always) func text(_ slot: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(starts[slot]), count: Int(lengths[slot]))
  }

  /// Replaces the string of a slot.
  @inline(__always) func set(_ slot: Int, _ text: UnsafeRawBufferPointer) {
    if !outOfLine.isEmpty { long.clear(slot) }
    live &-= Int(lengths[slot])
    guard text.count <= ClusterFormat.longestInlineText else {
      lengths[slot] = 0
      long.put(slot, Array(text), size: UInt64(text.count))
      return
    }
    if capacity &- used < text.count { makeRoom(text.count) }
    if let start = text.baseAddress { memcpy(bytes + used, start, text.count) }
    starts[slot] = UInt32(truncatingIfNeeded: used)
    lengths[slot] = UInt32(truncatingIfNeeded: text.count)
    used &+= text.count
    live &+= text.count
  }

  /// Removes the string of a slot.
  @inline(__always) func clear(_ slot: Int) {
    if !outOfLine.isEmpty { long.clear(slot) }
    live &-= Int(lengths[slot])
    lengths[slot] = 0
  }

  /// Makes room for `count` bytes: removes waste if that is most of the space, otherwise grows.
  private func makeRoom(_ count: Int) {
    if live + count <= capacity / 2 {
      let old = UnsafeMutablePointer<UInt8>.allocate(capacity: max(used, 1))
      memcpy(old, bytes, used)
      used = 0
      for slot in 0..<Mask.slotCount where lengths[slot] > 0 {
        memcpy(bytes + used, old + Int(starts[slot]), Int(lengths[slot]))
        starts[slot] = UInt32(truncatingIfNeeded: used)
        used += Int(lengths[slot])
      }
      old.deallocate()
      return
    }
    let larger = max(capacity * 2, used + count)
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memcpy(room, bytes, used)
    bytes.deallocate()
    bytes = room
    capacity = larger
  }

  /// Loads the strings of a view: copies inline strings at once, and the lengths and hashes of overflow values.
  func load(_ view: ColumnView, slots: Mask) {
    switch view.values {
    case .text(let block):
      append(block)
      for slot in 0..<min(block.count, Mask.slotCount) { refer(slot, to: block, entry: slot) }
    case .dictionary(let codes, let entries):
      append(entries)
      for slot in 0..<view.slotCount { refer(slot, to: entries, entry: Int(codes[slot])) }
    case .numbers(let numbers):
      slots.forEach { slot in numbers.exact(slot).withBytes { set(slot, $0) } }
      return
    case .same:
      slots.forEach { set($0, view.sameText) }
      return
    case .bits, .uuid, .collection: return
    }
    slotsWithout(slots).forEach { clear($0) }
    long.load(view)
  }

  private func slotsWithout(_ slots: Mask) -> Mask { ~slots }

  private func append(_ block: TextBlock) {
    if capacity < block.byteCount { makeRoom(block.byteCount) }
    memcpy(bytes, block.bytes, block.byteCount)
    used = block.byteCount
  }

  private func refer(_ slot: Int, to block: TextBlock, entry: Int) {
    let text = block[entry]
    starts[slot] = block.offsets[entry]
    lengths[slot] = UInt32(truncatingIfNeeded: text.count)
    live += text.count
  }
}
