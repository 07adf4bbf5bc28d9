internal import Storage

/// The objects of one cluster, partitioned by a number: that of a key's value, or of a group.
///
/// A few parts are stored as masks, so later steps work on whole masks; many parts are stored as a number for each
/// slot. It does not depend on the meaning of the numbers.
final class GroupPartition {
  /// With more parts than this they are stored by slot.
  static let mostMasks = 8

  /// Whether the parts are stored as masks; otherwise in `slots`.
  private(set) var areMasks = true
  /// The number of masks.
  private(set) var count = 0
  /// The number of each mask; all are different.
  let numbers: UnsafeMutablePointer<UInt32>
  /// The masks, not empty and disjoint.
  let masks: UnsafeMutablePointer<Mask>
  /// The number of each slot.
  let slots: UnsafeMutablePointer<UInt32>

  init() {
    numbers = .allocate(capacity: Self.mostMasks)
    numbers.initialize(repeating: 0, count: Self.mostMasks)
    masks = .allocate(capacity: Self.mostMasks)
    masks.initialize(repeating: .none, count: Self.mostMasks)
    slots = .allocate(capacity: Mask.slotCount)
    slots.initialize(repeating: 0, count: Mask.slotCount)
  }

  deinit {
    numbers.deallocate()
    masks.deallocate()
    slots.deallocate()
  }

  /// Removes all parts.
  func clear() {
    areMasks = true
    count = 0
  }

  /// Whether there is room for `more` masks.
  func hasRoom(for more: Int) -> Bool { areMasks && count + more <= Self.mostMasks }

  /// Adds a part.
  func append(_ number: UInt32, _ mask: Mask) {
    if mask.isEmpty { return }
    if !hasRoom(for: 1) { useSlots() }
    if areMasks {
      numbers[count] = number
      masks[count] = mask
      count &+= 1
    } else {
      let slots = slots
      mask.forEach { slots[$0] = number }
    }
  }

  /// Adds to the part with a number, if it exists; otherwise adds a part. Within a part, slots stay in order.
  func join(_ number: UInt32, _ mask: Mask) {
    if areMasks, let part = (0..<count).first(where: { numbers[$0] == number }) {
      masks[part] |= mask
    } else {
      append(number, mask)
    }
  }

  /// Stores the parts by slot from now on.
  func useSlots() {
    guard areMasks else { return }
    areMasks = false
    let slots = slots
    for part in 0..<count {
      let number = numbers[part]
      masks[part].forEach { slots[$0] = number }
    }
  }

  /// Calls `body` with the number and the mask of each part, which are stored as masks.
  @inline(__always)
  func forEachPart(_ body: (Int, Mask) -> Void) {
    for part in 0..<count { body(Int(numbers[part]), masks[part]) }
  }

  /// Calls `body` with the number of each slot of a mask, and the slot.
  @inline(__always)
  func forEach(_ mask: Mask, _ body: (Int, Int) -> Void) {
    useSlots()
    let slots = slots
    mask.forEach { body(Int(slots[$0]), $0) }
  }

  /// The number of a slot, which must belong to a part.
  func number(at slot: Int) -> UInt32 {
    guard areMasks else { return slots[slot] }
    for part in 0..<count where masks[part][slot] { return numbers[part] }
    return 0
  }
}
