import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// Where objects stand in sets and tables over them.
@Suite struct ObjectPlacesTests {
  private func places(_ works: Works) throws -> (ObjectOrdinals, [UInt64]) {
    let snapshot = try works.file.beginSnapshot()
    let task = try #require(snapshot.schema.entity(named: "Task"))
    let numbers = try works.compile("Task", "TRUEPREDICATE").plan(in: snapshot).objects(in: snapshot).map(\.rawValue)
    return (try ObjectOrdinals(task, in: snapshot, CancellationCheck()), numbers)
  }

  @Test func denseObjectsStandAtTheirNumbers() throws {
    let (places, numbers) = try places(try Works(seed: 1, people: 5, tasks: 600, projects: 5))
    #expect(places.isPlain)
    #expect(places.clusterCount == 3)
    #expect(numbers.map { places.place($0) } == numbers)
    #expect(places.place(768) == ObjectOrdinals.nowhere)
    #expect(places.place(.max) == ObjectOrdinals.nowhere)
    #expect(throws: StoreError.self) { try places.cluster(3) }
    #expect((0..<3).map { places.number(ofCluster: $0) } == [0, 1, 2])
  }

  @Test func scatteredObjectsStandTogether() throws {
    let (places, numbers) = try places(try Works(seed: 1, people: 5, tasks: 600, projects: 5, gap: 10_000_000_000))
    #expect(!places.isPlain)
    let clusters = Set(numbers.map { $0 >> 8 }).sorted()
    #expect(places.clusterCount == clusters.count)
    for (place, cluster) in clusters.enumerated() {
      #expect(try places.cluster(cluster) == UInt64(place))
      #expect(places.number(ofCluster: UInt64(place)) == cluster)
    }
    let found = numbers.map { places.place($0) }
    #expect(found == found.sorted())
    #expect(found.allSatisfy { $0 < places.limit })
    #expect(zip(found, numbers).allSatisfy { $0 & 255 == $1 & 255 })
    var moved = [0, numbers[5], 1 << 30, numbers[500], numbers[501], .max, numbers[0]]
    let expected = moved.map { places.place($0) }
    let count = moved.count
    moved.withUnsafeMutableBufferPointer { if let start = $0.baseAddress { places.place(start, count) } }
    #expect(moved == expected)
    #expect(moved[0] == ObjectOrdinals.nowhere)
    #expect(throws: StoreError.self) { try places.cluster(1) }
  }
}
