import Storage
import TestSeeds
import Testing

@testable import QueryEngine

/// Sets of objects made of numbers in any order, near to each other and far apart.
@Suite struct ObjectSetTests {
  @Test func setsHoldEachObjectOnceAndInOrder() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    for round in 0..<400 {
      // Up to some thousands of objects over few clusters, as many, or far more.
      let count = Int.random(in: 0...[3, 40, 3_000][round % 3], using: &random)
      let first = UInt64.random(in: 0..<5_000, using: &random)
      let span = UInt64([1, 300, 100_000, 1 << 40].randomElement(using: &random) ?? 1)
      var objects = (0..<count).map { _ in first + UInt64.random(in: 0..<span, using: &random) }
      if round % 4 == 0 { objects.sort() }
      // Runs that ascend, as those of the keys of an index.
      if round % 4 == 1 {
        let middle = objects.count / 2
        objects = objects[..<middle].sorted() + objects[middle...].sorted()
      }
      let set = try ObjectSet(objects, CancellationCheck())
      #expect(set.objects == Set(objects).sorted())
      #expect(set.count == Set(objects).count)
      #expect(zip(set.clusters, set.clusters.dropFirst()).allSatisfy { $0 < $1 })
      #expect(set.masks.allSatisfy { !$0.isEmpty })
      #expect(set.isEmpty == objects.isEmpty)
    }
  }
}
