internal import Storage
internal import Values

/// The distinct values of each group, or their number; nil is skipped.
final class DistinctGroupAccumulator: GroupAccumulator {
  private let numbers: GroupKeyEncoder
  private let counts: Bool
  private let seen = IntegerHashTable()
  /// The numbers of each group's values, in the order of their first occurrence.
  private var members: [[UInt32]] = []
  private let parts = GroupPartition()

  init(_ argument: BoundExpression, counts: Bool, _ compiler: FilterCompiler) throws {
    numbers = try GroupKeyEncoder(argument, compiler)
    self.counts = counts
  }

  func grow(to count: Int) {
    if members.count < count { members.append(contentsOf: repeatElement([], count: count - members.count)) }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    try numbers.read(place, mask, context, into: parts)
    if groups.areMasks, parts.areMasks {
      addMasks(groups)
    } else {
      groups.useSlots()
      parts.useSlots()
      let (groups, numbers) = (groups.slots, parts.slots)
      mask.forEach { add(numbers[$0], to: groups[$0]) }
    }
  }

  private func addMasks(_ groups: GroupPartition) {
    for group in 0..<groups.count {
      var members: [(slot: Int, number: UInt32)] = []
      for part in 0..<parts.count {
        guard let slot = (groups.masks[group] & parts.masks[part]).first else { continue }
        members.append((slot, parts.numbers[part]))
      }
      members.sort { $0.slot < $1.slot }
      for member in members { add(member.number, to: groups.numbers[group]) }
    }
  }

  @inline(__always)
  private func add(_ number: UInt32, to group: UInt32) {
    let pair = UInt64(group) &<< 32 | UInt64(number)
    if seen.number(of: pair, next: 0).isNew, !numbers.isNull(number) { members[Int(group)].append(number) }
  }

  func value(_ group: Int) -> Value {
    counts ? .int(Int64(members[group].count)) : .list(members[group].map(numbers.value))
  }
}
