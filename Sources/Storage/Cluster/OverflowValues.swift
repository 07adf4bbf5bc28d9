/// The slots of a column being changed whose value is out of line: what is in the file, what is to be written, and
/// what is to be deleted. It does not know what the bytes mean.
struct OverflowValues {
  /// A value out of line.
  enum Part {
    /// In the file, unchanged. `size` and `hash` are what the chunk keeps of it.
    case stored(size: UInt64, hash: UInt64)
    /// Not yet in the file.
    case pending([UInt8], size: UInt64)
  }

  /// The slots.
  private(set) var slots: Mask = .none
  private(set) var parts: [Int: Part] = [:]
  /// The slots that have a value out of line in the file which is no longer theirs.
  private(set) var abandoned: Mask = .none

  /// Whether there is nothing to write beside the chunk.
  var isQuiet: Bool { parts.isEmpty && abandoned.isEmpty }

  /// Gives a slot new bytes out of line.
  mutating func put(_ slot: Int, _ bytes: [UInt8], size: UInt64) {
    clear(slot)
    parts[slot] = .pending(bytes, size: size)
    slots[slot] = true
  }

  /// The slot has nothing out of line any more.
  mutating func clear(_ slot: Int) {
    guard let part = parts.removeValue(forKey: slot) else { return }
    slots[slot] = false
    if case .stored = part { abandoned[slot] = true }
  }

  /// Takes over those of a view.
  mutating func load(_ view: ColumnView) {
    guard let references = view.references else { return }
    var rank = 0
    view.outOfLine.forEach { slot in
      parts[slot] = .stored(size: references[2 * rank], hash: references[2 * rank + 1])
      slots[slot] = true
      rank += 1
    }
  }

  /// What the chunk keeps of a slot: size and hash.
  func reference(_ slot: Int) -> (size: UInt64, hash: UInt64) {
    switch parts[slot] {
    case .stored(let size, let hash): (size, hash)
    case .pending(let bytes, let size): (size, bytes.withUnsafeBytes { Checksum.of($0) })
    case nil: (0, 0)
    }
  }

  /// Says that what was pending is in the file now, and nothing abandoned is.
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
