internal import Storage
internal import Values

/// The groups of GROUP BY while objects are put into them, a cluster at a time. Groups are numbered in the order of
/// their first member, with no keys there is one from the start.
final class GroupTable {
  private let keys: [KeyNumbers]
  private let totals: [any GroupTotals]
  /// With one key, the group of each of its numbers.
  private var groupOfNumber: [UInt32] = []
  /// For each key after the first, the groups of those before it and its own number put together.
  private var pairs: [WordTable]
  /// The number of each key's value, by group.
  private var numbers: [[UInt32]]
  /// How many groups there are.
  private(set) var count = 0
  /// The first object of each group.
  private(set) var firsts: [UInt64] = []
  private let groups: UnsafeMutablePointer<UInt32>
  private let other: UnsafeMutablePointer<UInt32>
  private let keySlots: [UnsafeMutablePointer<UInt32>]

  init(_ keys: [BoundExpression], _ aggregates: [GroupAggregate]) {
    self.keys = keys.map { KeyNumbers($0) }
    totals = aggregates.map { $0.totals() }
    pairs = Array(repeating: WordTable(), count: max(0, keys.count))
    numbers = Array(repeating: [], count: keys.count)
    func slots() -> UnsafeMutablePointer<UInt32> {
      let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: Mask.slotCount)
      slots.initialize(repeating: 0, count: Mask.slotCount)
      return slots
    }
    groups = slots()
    other = slots()
    keySlots = keys.map { _ in slots() }
    if keys.isEmpty {
      count = 1
      firsts = [0]
      totals.forEach { $0.grow(to: 1) }
    }
  }

  deinit {
    groups.deallocate()
    other.deallocate()
    keySlots.forEach { $0.deallocate() }
  }

  /// Puts the objects of a cluster into their groups.
  func add(_ cluster: ClusterView, _ mask: Mask, _ scratch: Scratch) throws {
    for (key, slots) in zip(keys, keySlots) { try key.read(cluster, mask, scratch, into: slots) }
    if !keys.isEmpty { findGroups(mask, base: cluster.number &<< 8) }
    for total in totals { try total.add(cluster, mask, groups, scratch) }
  }

  private func findGroups(_ mask: Mask, base: UInt64) {
    let first = keySlots[0]
    let known = count
    if keys.count == 1 {
      // Numbers are given out in any order within a cluster, groups by their first member.
      let values = keys[0].values.count
      if groupOfNumber.count < values {
        groupOfNumber.append(contentsOf: repeatElement(.max, count: values - groupOfNumber.count))
      }
      mask.forEach { slot in
        let number = Int(first[slot])
        if groupOfNumber[number] == .max {
          groupOfNumber[number] = UInt32(truncatingIfNeeded: count)
          open(slot, base)
        }
        groups[slot] = groupOfNumber[number]
      }
    } else {
      mask.forEach { other[$0] = first[$0] }
      for position in 1..<keys.count {
        let own = keySlots[position]
        let isLast = position == keys.count - 1
        var last: (word: UInt64, number: UInt32) = (.max, 0)
        mask.forEach { slot in
          let word = UInt64(other[slot]) &<< 32 | UInt64(own[slot])
          if word != last.word {
            let next = isLast ? count : pairs[position].count
            let (number, isNew) = pairs[position].number(of: word, next: UInt32(truncatingIfNeeded: next))
            if isNew, isLast { open(slot, base) }
            last = (word, number)
          }
          if isLast { groups[slot] = last.number } else { other[slot] = last.number }
        }
      }
    }
    if count > known { totals.forEach { $0.grow(to: count) } }
  }

  /// Makes the next group, whose first object is in a slot.
  private func open(_ slot: Int, _ base: UInt64) {
    count += 1
    firsts.append(base | UInt64(truncatingIfNeeded: slot))
    for position in keys.indices { numbers[position].append(keySlots[position][slot]) }
  }

  /// The values of a group: its keys, then its aggregates.
  func row(_ group: Int) -> [Value] {
    var row: [Value] = []
    row.reserveCapacity(keys.count + totals.count)
    for (key, numbers) in zip(keys, numbers) { row.append(key.values[Int(numbers[group])]) }
    for total in totals { row.append(total.value(group)) }
    return row
  }
}
