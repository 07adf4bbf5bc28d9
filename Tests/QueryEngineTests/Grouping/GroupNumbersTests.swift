import Storage
import TestSeeds
import Testing

@testable import QueryEngine

/// The first of each group in any order of the objects, whether clusters lie close or far apart, and groups are masks or
/// slots.
@Suite struct GroupNumbersTests {
  @Test(arguments: [1, 3, 1_000_000] as [UInt64], [3, 40]) func theFirstOfEachGroupIsFound(
    distance: UInt64, groupCount: Int
  ) throws {
    var random = OracleRandom(seed: testSeed())
    let objects = (0..<3_000).map { _ in UInt64(random.below(30)) * distance << 8 | UInt64(random.below(256)) }
    let set = try ObjectSet(objects, CancellationCheck())
    let numbers = GroupNumbers(set)
    var groups: [UInt64: Int] = [:]
    for (cluster, mask) in zip(set.clusters, set.masks) {
      let parts = GroupPartition()
      var masks = [Mask](repeating: .none, count: groupCount)
      mask.forEach { slot in
        let group = random.below(groupCount)
        groups[cluster << 8 | UInt64(slot)] = group
        masks[group][slot] = true
      }
      for (group, mask) in masks.enumerated() { parts.append(UInt32(group), mask) }
      #expect(parts.areMasks == (groupCount <= GroupPartition.mostMasks))
      numbers.note(cluster, mask, parts)
    }
    var seen: Set<Int> = []
    let wanted = objects.filter { seen.insert(groups[$0] ?? -1).inserted }
    for limit in [1, 2, groupCount] {
      var found: [UInt64] = []
      try numbers.forEachFirst(of: [1 << 60, .max >> 1] + objects, groups: groupCount, CancellationCheck()) {
        object, group in
        #expect(groups[object] == group)
        found.append(object)
        return found.count < limit
      }
      // What is none of the set has no group.
      #expect(found == Array(wanted.prefix(limit)))
    }
  }
}
