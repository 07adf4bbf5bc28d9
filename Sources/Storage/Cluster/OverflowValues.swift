/// The overflow values of a column that is being changed: those in the file, those to write, and those to delete. It
/// does not depend on the meaning of their bytes.
struct OverflowValues {
  /// A value out of line.
  enum Part {
    /// In the file, unchanged. `size` and `hash` are stored in the chunk.
    case stored(size: UInt64, hash: UInt64)
    /// Not yet in the file.
    case pending([UInt8], size: UInt64)
  }

  /// The slots.
  private(set) var slots: Mask = .none
  private(set) var parts: [Int: Part] = [:]
  /// The slots with an overflow value in the file that no longer belongs to them.
  private(set) var abandoned: Mask = .none

  /// Whether there is nothing to write besides the chunk.
  var isQuiet: Bool { parts.isEmpty && abandoned.isEmpty }

  /// Sets the bytes of a slot's overflow value.
  mutating func put(_ slot: Int, _ bytes: [UInt8], size: UInt64) {
    clear(slot)
    parts[slot] = .pending(bytes, size: size)
    slots[slot] = true
  }

  /// Removes the overflow value of a slot.
  mutating func clear(_ slot: Int) {
    guard let part = parts.removeValue(forKey: slot) else { return }
    slots[slot] = false
    if case .stored = part { abandoned[slot] = true }
  }

  /// Loads the overflow values of a view.
  mutating func load(_ view: ColumnView) {
    guard let references = view.references else { return }
    var rank = 0
    view.outOfLine.forEach { slot in
      parts[slot] = .stored(size: references[2 * rank], hash: references[2 * rank + 1])
      slots[slot] = true
      rank += 1
    }
  }

  /// The size and hash of a slot's overflow value, for the chunk.
  func reference(_ slot: Int) -> (size: UInt64, hash: UInt64) {
    switch parts[slot] {
    case .stored(let size, let hash): (size, hash)
    case .pending(let bytes, let size): (size, bytes.withUnsafeBytes { Checksum.of($0) })
    case nil: (0, 0)
    }
  }

  /// Marks all pending values as written and all abandoned ones as deleted.
  mutating func markStored() {
    for (slot, part) in parts {
      if case .pending = part {
        let (size, hash) = reference(slot)
        parts[slot] = .stored(size: size, hash: hash)
      }
    }
    abandoned = .none
  }
}
