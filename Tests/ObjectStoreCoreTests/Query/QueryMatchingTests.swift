import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

@Suite struct QueryMatchingTests {
  @Test func aValueInNoStoreIsAsked() throws {
    let quake = Quake("x", 5.5, in: Place("Alaska", -150, 61), felt: 3)
    #expect(try Query<Quake>("magnitude > 5 AND place.name BEGINSWITH[c] 'a'").matches(quake))
    #expect(try !Query<Quake>("origin != nil OR felt == nil").matches(quake))
    #expect(try Query<Quake>("place geoWithin geoCircle([-150, 61], 1km)").matches(quake))
    #expect(try Query<Quake>("time < now()").matches(quake))
    #expect(try Query<Quake>.all.matches(quake) && !Query<Quake>.none.matches(quake))
  }

  @Test func whatIsWrongIsThrown() throws {
    let error = #expect(throws: QueryError.self) { try Query<Quake>("magnitud > 5").matches(Quake("x", 5)) }
    #expect(error?.code == "unknown-property")
    let unbound = #expect(throws: QueryError.self) { try Query<Quake>("magnitude > $min").matches(Quake("x", 5)) }
    #expect(unbound?.code == "missing-argument")
  }

  @Test func linksAreFollowedInTheStoreTheyCameFrom() throws {
    let store = try Project.store()
    let query = try Query<Project>("ANY tasks.priority > 8")
    let all = try store.objects(Project.self).array
    #expect(try all.filter { try query.matches($0) } == store.objects(Project.self).filter(query).array)
    let inverse = try Query<Task>("projects.name == 'enterprise'")
    let tasks = try store.objects(Task.self).array
    #expect(try tasks.filter { try inverse.matches($0) } == store.objects(Task.self).filter(inverse).array)
  }

  @Test func linksOfAValueInNoStoreLeadToNothing() throws {
    let query = try Query<Project>("ANY tasks.priority > 8")
    #expect(try !query.matches(Project("new")))
    let new = #expect(throws: StoreError.self) { try query.matches(Project("new", tasks: [Task(priority: 9)])) }
    #expect("\(new as Any)".contains("new objects"))
    let store = try Project.store()
    let id = try #require(try store.objects(Task.self).filter("priority > 8").ids.first)
    let unknown = #expect(throws: StoreError.self) { try query.matches(Project("new", tasks: [id])) }
    #expect("\(unknown as Any)".contains("was not read from a store"))
    #expect(try store.snapshot { _ in try query.matches(Project("new", tasks: [id])) })
  }

  /// Random queries mean of each value what they mean in the store.
  @Test func aQueryMeansTheSameInMemory() throws {
    let seed = testSeed()
    var random = RandomQueries(seed)
    let store = try Project.store()
    try store.write { tx in for _ in 0..<40 { try tx.add(random.task()) } }
    let tasks = try store.objects(Task.self).array
    let projects = try store.objects(Project.self).array
    var found = 0
    for _ in 0..<300 {
      let query = try Query<Task>(random.condition(of: RandomQueries.task))
      let matching = try tasks.filter { try query.matches($0) }.map(\.objectID)
      #expect(try matching == store.objects(Task.self).filter(query).array.map(\.objectID), "SEED=\(seed) \(query)")
      found += matching.count
      let other = try Query<Project>(random.condition(of: RandomQueries.project))
      #expect(
        try projects.filter { try other.matches($0) } == store.objects(Project.self).filter(other).array,
        "SEED=\(seed) \(other)")
    }
    #expect(found > 300, "SEED=\(seed): hardly anything matched")
  }
}
