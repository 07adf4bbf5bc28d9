internal import Glibc

/// Counts how often each key occurs, in bounded memory: exactly up to 100,000 distinct keys, approximately with more.
///
/// It keeps the most frequent keys (Misra and Gries, 1982), and estimates the number of distinct ones from their hashes
/// (Flajolet and others, 2007). It does not know what the keys stand for, only where each occurred first.
final class FrequencyTable {
  /// With more distinct keys the rare ones are dropped.
  static let most = 100_000

  /// A kept key.
  struct Entry {
    var key: UInt64
    /// The number of occurrences; 0 for an empty slot.
    var count: Int
    /// The object with the first occurrence that is counted.
    var first: UInt64
    /// How much counts had been lowered by when this one began.
    var base = 0
  }

  private var slots: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var entries = 0
  /// How much less than the true number any count may be.
  private var lost = 0
  /// The longest run of leading zeros among the hashes of each of many parts.
  private let runs: UnsafeMutablePointer<UInt8>
  private static let partBits = 14
  private static let parts = 1 << partBits

  init() {
    capacity = 64
    slots = Self.empty(capacity)
    runs = .allocate(capacity: Self.parts)
    runs.initialize(repeating: 0, count: Self.parts)
  }

  deinit {
    slots.deallocate()
    runs.deallocate()
  }

  private static func empty(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let slots = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    slots.initialize(repeating: Entry(key: 0, count: 0, first: 0), count: capacity)
    return slots
  }

  /// Adds some occurrences of a key.
  @inline(__always)
  func add(_ key: UInt64, _ count: Int = 1, at object: UInt64) {
    let hash = Self.mixed(key)
    let part = Int(truncatingIfNeeded: hash &>> UInt64(64 - Self.partBits))
    let rest = hash &<< UInt64(Self.partBits) | 1 &<< UInt64(Self.partBits - 1)
    let run = UInt8(truncatingIfNeeded: rest.leadingZeroBitCount) &+ 1
    if run > runs[part] { runs[part] = run }
    var slot = Int(truncatingIfNeeded: hash) & (capacity &- 1)
    while slots[slot].count > 0 {
      if slots[slot].key == key {
        slots[slot].count &+= count
        return
      }
      slot = (slot &+ 1) & (capacity &- 1)
    }
    slots[slot] = Entry(key: key, count: count, first: object, base: lost)
    entries &+= 1
    if entries &* 2 > capacity { makeRoom() }
  }

  @inline(__always)
  private static func mixed(_ key: UInt64) -> UInt64 {
    var hash = (key ^ key &>> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash &>> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash &>> 33
  }

  private func makeRoom() {
    var kept = Array(UnsafeBufferPointer(start: slots, count: capacity)).filter { $0.count > 0 }
    if kept.count > Self.most {
      // Every count is lowered by the median, which removes half of the keys.
      let counts = kept.map(\.count).sorted()
      let lowered = counts[counts.count / 2]
      lost += lowered
      kept = kept.compactMap { entry in
        entry.count > lowered
          ? Entry(key: entry.key, count: entry.count - lowered, first: entry.first, base: entry.base) : nil
      }
    } else {
      slots.deallocate()
      capacity *= 4
      slots = Self.empty(capacity)
    }
    for slot in 0..<capacity { slots[slot].count = 0 }
    entries = kept.count
    for entry in kept {
      var slot = Int(truncatingIfNeeded: Self.mixed(entry.key)) & (capacity - 1)
      while slots[slot].count > 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = entry
    }
  }

  /// The number of distinct keys, and whether it is an estimate.
  var distinct: (count: Int, isEstimate: Bool) {
    if lost == 0, entries <= Self.most { return (entries, false) }
    let parts = Double(Self.parts)
    let sum = (0..<Self.parts).reduce(0.0) { $0 + exp2(-Double(runs[$1])) }
    return (max(Self.most, Int(0.7213 / (1 + 1.079 / parts) * parts * parts / sum)), true)
  }

  /// The most frequent keys that surely occur more than once, the most frequent first; of equally frequent ones that
  /// with the earlier object. Their counts are those since they came in, which no true one is below.
  func top(_ count: Int) -> [Entry] {
    var best: [Entry] = []
    for slot in 0..<capacity where slots[slot].count > 0 && slots[slot].count + lost - slots[slot].base > 1 {
      var entry = slots[slot]
      entry.count += lost - entry.base
      let place =
        best.firstIndex { entry.count > $0.count || entry.count == $0.count && entry.first < $0.first } ?? best.count
      if place >= count { continue }
      best.insert(entry, at: place)
      if best.count > count { best.removeLast() }
    }
    return best
  }
}
