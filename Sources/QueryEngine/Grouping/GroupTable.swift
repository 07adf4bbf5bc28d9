internal import PredicateLanguage
internal import Storage
internal import Values

/// The groups of GROUP BY and DISTINCT, built a cluster at a time. Groups are numbered in the order of their first
/// object; without keys there is a single group from the start.
final class GroupTable {
  /// The columns that keys and aggregates read directly.
  let columns: [Int]
  private let keys: [GroupKeyEncoder]
  private let totals: [any GroupAccumulator]
  /// The group of each value number, if there is a single key.
  private var groupOfNumber: [UInt32] = []
  private static let noGroup = UInt32.max
  /// The most keys that have fast tables.
  private static let fewKeys = 16
  /// For each key after the first, a table from the group of the preceding keys and the key's own number to a number.
  private let pairs: [IntegerHashTable]
  /// The number of each key's value, by group.
  private var numbers: [[UInt32]]
  /// The number of groups.
  private(set) var count = 0
  /// The first object of each group.
  private(set) var firsts: [UInt64] = []
  /// The objects of the cluster, partitioned by each key.
  private let keyParts: [GroupPartition]
  /// The objects of the cluster, partitioned by group.
  private var groups = GroupPartition()
  private var other = GroupPartition()
  /// The slots of the first objects of groups that the current cluster has begun.
  private var opened: [Int] = []
  /// Records the group of each object, if requested.
  private let noted: GroupNumbers?

  init(
    _ keys: [BoundExpression], _ aggregates: [GroupAggregate], _ compiler: FilterCompiler,
    _ cancellation: CancellationCheck, noting: GroupNumbers? = nil
  ) throws {
    noted = noting
    self.keys = try keys.map { key in
      try cancellation.step(CancellationCheck.stepsPerPart)
      return try GroupKeyEncoder(key, compiler, isOfMany: keys.count > Self.fewKeys)
    }
    columns = self.keys.compactMap(\.column) + aggregates.compactMap { $0.argument?.column }
    totals = try aggregates.map { aggregate in
      try cancellation.step(CancellationCheck.stepsPerPart)
      return try aggregate.totals(compiler)
    }
    pairs = keys.map { _ in IntegerHashTable() }
    numbers = Array(repeating: [], count: keys.count)
    keyParts = keys.map { _ in GroupPartition() }
    if keys.isEmpty {
      count = 1
      firsts = [0]
      totals.forEach { $0.grow(to: 1) }
    }
  }

  /// Adds the objects of a cluster to their groups.
  func add(_ place: ClusterCursor, _ mask: Mask, _ context: ExecutionContext) throws {
    // If only the groups are requested, most clusters add none.
    let isDistinct = totals.isEmpty && keys.count == 1 && noted == nil
    if isDistinct, keys[0].hasNothingNew(place, mask, isKnown) { return }
    let known = footprint
    let objects = mask.count
    for (key, parts) in zip(keys, keyParts) {
      try context.cancellation.step(objects)
      StepCounter.add(objects)
      try key.read(place, mask, context, into: parts)
    }
    let countBefore = count
    let base = place.number &<< 8
    groups.clear()
    if keys.isEmpty {
      groups.append(0, mask)
    } else if keys.count == 1 {
      findGroups(keyParts[0], mask, base: base)
    } else if keyParts.allSatisfy(\.areMasks), try findGroupsByMask(base: base, context.cancellation) {
      // Masks sufficed.
    } else {
      try findGroupsBySlot(mask, base: base, context.cancellation)
    }
    try noteKeys(ofOpened: context.cancellation)
    try context.cancellation.hold(footprint - known)
    for total in totals {
      try context.cancellation.step(objects)
      StepCounter.add(objects)
      if count > countBefore { total.grow(to: count) }
      try total.add(place, mask, groups, context)
    }
    noted?.note(place.number, mask, groups)
  }

  /// The approximate memory of the groups in bytes, without the values that aggregates collect.
  private var footprint: Int {
    let group = 16 + 16 * keys.count + 32 * totals.count
    return keys.reduce(count * group) { $0 + $1.stringBytes + $1.count * MemoryLayout<Value>.stride }
  }

  /// Whether the single key's value with a number has a group.
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
        // Values are numbered in any order within a cluster, groups by their first object.
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

  /// Among some parts, the one with the smallest first slot.
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

  /// Intersects the parts of each key with those of the next. Returns false if there are too many parts for masks.
  private func findGroupsByMask(base: UInt64, _ cancellation: CancellationCheck) throws -> Bool {
    other.clear()
    for part in 0..<keyParts[0].count { other.append(keyParts[0].numbers[part], keyParts[0].masks[part]) }
    for position in 1..<keys.count {
      try cancellation.step(CancellationCheck.stepsPerPart)
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
      // Groups are numbered by their first object, so the part that begins first comes first.
      found.sort { $0.mask.first ?? 0 < $1.mask.first ?? 0 }
      for (word, mask) in found { groups.append(number(of: word, position, isLast, mask.first ?? 0, base), mask) }
      if !isLast { swap(&groups, &other) }
    }
    return true
  }

  private func findGroupsBySlot(_ mask: Mask, base: UInt64, _ cancellation: CancellationCheck) throws {
    let objects = mask.count
    for parts in keyParts {
      try cancellation.step(objects)
      parts.useSlots()
    }
    groups.clear()
    groups.useSlots()
    let slots = groups.slots
    let first = keyParts[0].slots
    mask.forEach { slots[$0] = first[$0] }
    for position in 1..<keys.count {
      try cancellation.step(objects)
      StepCounter.add(objects)
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

  /// The number of a combination of the first keys' values; for the last key, the group's number.
  @inline(__always)
  private func number(of word: UInt64, _ position: Int, _ isLast: Bool, _ slot: Int, _ base: UInt64) -> UInt32 {
    let next = isLast ? count : pairs[position].count
    let (number, isNew) = pairs[position].number(of: word, next: UInt32(truncatingIfNeeded: next))
    if isNew, isLast { _ = open(slot, base) }
    return number
  }

  /// Creates the next group, whose first object is in a slot. `noteKeys` follows.
  private func open(_ slot: Int, _ base: UInt64) -> UInt32 {
    let group = UInt32(truncatingIfNeeded: count)
    count += 1
    firsts.append(base | UInt64(truncatingIfNeeded: slot))
    opened.append(slot)
    return group
  }

  /// Notes the values of the groups that were created: there may be thousands of keys.
  private func noteKeys(ofOpened cancellation: CancellationCheck) throws {
    if opened.isEmpty { return }
    for (position, parts) in keyParts.enumerated() {
      try cancellation.step(opened.count)
      StepCounter.add(opened.count)
      for slot in opened { numbers[position].append(parts.number(at: slot)) }
    }
    opened.removeAll(keepingCapacity: true)
  }

  /// A value of a group: first those of its keys, then those of its aggregates; nil beyond the last.
  func value(_ group: Int, _ position: Int) -> Value {
    if position < keys.count { return keys[position].value(numbers[position][group]) }
    return position - keys.count < totals.count ? totals[position - keys.count].value(group) : .null
  }
}
