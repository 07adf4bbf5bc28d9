internal import Storage

/// The objects of one cluster parted by a number: of the value that a key has there, or of a group.
///
/// Where there are few numbers they are kept with a mask each, so that what follows works on whole masks; where there
/// are many, with a number for each slot. It does not know what the numbers stand for.
final class GroupPartition {
  /// More parts than this are kept by slot.
  static let mostMasks = 8

  /// Whether the parts are masks; else `slots` has the numbers.
  private(set) var areMasks = true
  /// How many masks.
  private(set) var count = 0
  /// The number of each mask, each another.
  let numbers: UnsafeMutablePointer<UInt32>
  /// The masks: none is empty, and none has a slot of another.
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

  /// Forgets all parts.
  func clear() {
    areMasks = true
    count = 0
  }

  /// Whether so many more masks have room.
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

  /// Adds to the part of a number, which may be there: what is added up is added up in the order of slots.
  func join(_ number: UInt32, _ mask: Mask) {
    if areMasks, let part = (0..<count).first(where: { numbers[$0] == number }) {
      masks[part] |= mask
    } else {
      append(number, mask)
    }
  }

  /// Keeps the parts by slot from here on.
  func useSlots() {
    guard areMasks else { return }
    areMasks = false
    let slots = slots
    for part in 0..<count {
      let number = numbers[part]
      masks[part].forEach { slots[$0] = number }
    }
  }

  /// The number of a slot that is in a part.
  func number(at slot: Int) -> UInt32 {
    guard areMasks else { return slots[slot] }
    for part in 0..<count where masks[part][slot] { return numbers[part] }
    return 0
  }
}
