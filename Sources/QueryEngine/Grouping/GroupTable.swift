internal import Storage
internal import Values

/// The groups of GROUP BY while objects are put into them, a cluster at a time: what DISTINCT, too, finds the first of
/// each by. Groups are numbered in the order of their first member; with no keys there is one from the start.
final class GroupTable {
  /// The columns that keys and aggregates read as they are.
  let columns: [Int]
  private let keys: [GroupKeyEncoder]
  private let totals: [any GroupAccumulator]
  /// With one key, the group of each of its numbers.
  private var groupOfNumber: [UInt32] = []
  private static let noGroup = UInt32.max
  /// For each key after the first, the groups of those before it and its own number put together.
  private let pairs: [IntegerHashTable]
  /// The number of each key's value, by group.
  private var numbers: [[UInt32]]
  /// How many groups there are.
  private(set) var count = 0
  /// The first object of each group.
  private(set) var firsts: [UInt64] = []
  /// The objects of the cluster by the number of each key.
  private let keyParts: [GroupPartition]
  /// The objects of the cluster by group.
  private var groups = GroupPartition()
  private var other = GroupPartition()
  /// Where the group of each object is noted, if anywhere.
  private let noted: GroupNumbers?

  init(
    _ keys: [BoundExpression], _ aggregates: [GroupAggregate], of entity: StoredEntity, noting: GroupNumbers? = nil
  ) throws {
    let compiler = FilterCompiler(entity: entity)
    noted = noting
    self.keys = try keys.map { try GroupKeyEncoder($0, compiler) }
    columns = self.keys.compactMap(\.column) + aggregates.compactMap { $0.argument?.column }
    totals = try aggregates.map { try $0.totals(compiler) }
    pairs = keys.map { _ in IntegerHashTable() }
    numbers = Array(repeating: [], count: keys.count)
    keyParts = keys.map { _ in GroupPartition() }
    if keys.isEmpty {
      count = 1
      firsts = [0]
      totals.forEach { $0.grow(to: 1) }
    }
  }

  /// Puts the objects of a cluster into their groups.
  func add(_ place: ClusterCursor, _ mask: Mask, _ context: ExecutionContext) throws {
    // Where only the groups are wanted, most clusters have none that is not known.
    let isDistinct = totals.isEmpty && keys.count == 1 && noted == nil
    if isDistinct, keys[0].hasNothingNew(place, mask, isKnown) { return }
    for (key, parts) in zip(keys, keyParts) { try key.read(place, mask, context, into: parts) }
    let known = count
    let base = place.number &<< 8
    groups.clear()
    if keys.isEmpty {
      groups.append(0, mask)
    } else if keys.count == 1 {
      findGroups(keyParts[0], mask, base: base)
    } else if keyParts.allSatisfy(\.areMasks), findGroupsByMask(base: base) {
      // All went by masks.
    } else {
      findGroupsBySlot(mask, base: base)
    }
    if count > known { totals.forEach { $0.grow(to: count) } }
    for total in totals { try total.add(place, mask, groups, context) }
    noted?.note(place.number, mask, groups)
  }

  /// Whether the only key's value of a number has a group.
  private func isKnown(_ number: UInt32) -> Bool {
    Int(number) < groupOfNumber.count && groupOfNumber[Int(number)] != Self.noGroup
  }

  // MARK: One key

  private func findGroups(_ parts: GroupPartition, _ mask: Mask, base: UInt64) {
    let values = keys[0].count
    if groupOfNumber.count < values {
      groupOfNumber.append(contentsOf: repeatElement(Self.noGroup, count: values - groupOfNumber.count))
    }
    groupOfNumber.withUnsafeMutableBufferPointer { groupOfNumber in
      if parts.areMasks {
        // Numbers are given out in any order within a cluster, groups by their first member.
        while let new = Self.first(
          in: 0..<parts.count, { parts.masks[$0] },
          where: {
            groupOfNumber[Int(parts.numbers[$0])] == Self.noGroup
          })
        {
          groupOfNumber[Int(parts.numbers[new.part])] = open(new.slot, base)
        }
        for part in 0..<parts.count {
          groups.append(groupOfNumber[Int(parts.numbers[part])], parts.masks[part])
        }
      } else {
        groups.useSlots()
        let numbers = parts.slots
        let slots = groups.slots
        mask.forEach { slot in
          let number = Int(numbers[slot])
          if groupOfNumber[number] == Self.noGroup { groupOfNumber[number] = open(slot, base) }
          slots[slot] = groupOfNumber[number]
        }
      }
    }
  }

  /// The one of some parts whose first slot comes first.
  private static func first(
    in parts: Range<Int>, _ mask: (Int) -> Mask, where isWanted: (Int) -> Bool
  ) -> (part: Int, slot: Int)? {
    var best: (part: Int, slot: Int)?
    for part in parts where isWanted(part) {
      if let slot = mask(part).first, slot < best?.slot ?? .max { best = (part, slot) }
    }
    return best
  }

  // MARK: Several keys

  /// Parts the parts of each key by those of the next; false when there come to be too many for masks.
  private func findGroupsByMask(base: UInt64) -> Bool {
    other.clear()
    for part in 0..<keyParts[0].count { other.append(keyParts[0].numbers[part], keyParts[0].masks[part]) }
    for position in 1..<keys.count {
      let own = keyParts[position]
      var found: [(word: UInt64, mask: Mask)] = []
      for left in 0..<other.count {
        for right in 0..<own.count {
          let mask = other.masks[left] & own.masks[right]
          if mask.isEmpty { continue }
          if found.count == GroupPartition.mostMasks { return false }
          found.append((UInt64(other.numbers[left]) &<< 32 | UInt64(own.numbers[right]), mask))
        }
      }
      groups.clear()
      let isLast = position == keys.count - 1
      // Groups are numbered by their first member, so the part that begins first goes first.
      found.sort { $0.mask.first ?? 0 < $1.mask.first ?? 0 }
      for (word, mask) in found { groups.append(number(of: word, position, isLast, mask.first ?? 0, base), mask) }
      if !isLast { swap(&groups, &other) }
    }
    return true
  }

  private func findGroupsBySlot(_ mask: Mask, base: UInt64) {
    keyParts.forEach { $0.useSlots() }
    groups.clear()
    groups.useSlots()
    let slots = groups.slots
    let first = keyParts[0].slots
    mask.forEach { slots[$0] = first[$0] }
    for position in 1..<keys.count {
      let own = keyParts[position].slots
      let isLast = position == keys.count - 1
      var last: (word: UInt64, number: UInt32)?
      mask.forEach { slot in
        let word = UInt64(slots[slot]) &<< 32 | UInt64(own[slot])
        if let last, last.word == word {
          slots[slot] = last.number
          return
        }
        let found = number(of: word, position, isLast, slot, base)
        last = (word, found)
        slots[slot] = found
      }
    }
  }

  /// The number of the values of the first keys up to one: that of their group when it is the last.
  @inline(__always)
  private func number(of word: UInt64, _ position: Int, _ isLast: Bool, _ slot: Int, _ base: UInt64) -> UInt32 {
    let next = isLast ? count : pairs[position].count
    let (number, isNew) = pairs[position].number(of: word, next: UInt32(truncatingIfNeeded: next))
    if isNew, isLast { _ = open(slot, base) }
    return number
  }

  /// Makes the next group, whose first object is in a slot.
  private func open(_ slot: Int, _ base: UInt64) -> UInt32 {
    let group = UInt32(truncatingIfNeeded: count)
    count += 1
    firsts.append(base | UInt64(truncatingIfNeeded: slot))
    for position in keys.indices { numbers[position].append(keyParts[position].number(at: slot)) }
    return group
  }

  /// One of a group's values: its keys', then its aggregates'; nil where there is none.
  func value(_ group: Int, _ position: Int) -> Value {
    if position < keys.count { return keys[position].value(numbers[position][group]) }
    return position - keys.count < totals.count ? totals[position - keys.count].value(group) : .null
  }
}
