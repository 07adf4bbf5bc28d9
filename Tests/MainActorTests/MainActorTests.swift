import Foundation
import ObjectStore
import Testing

// This module is compiled so that everything belongs to the main actor unless it says otherwise, as new apps are.

@Model(.embedded) struct Place {
  var name = ""
  var height: Double?
}

enum Grade: String, PersistableEnum { case easy, hard }

/// Encoding happens wherever the store is, so not on the main actor.
nonisolated struct Notes: Codable, Hashable { var text = "" }

@Model struct Hike {
  #Index<Hike>([\.start])
  @Attribute(.unique) var code: String
  var start = Date()
  var minutes = 90, tags: Set<String> = []
  var goal = Place()
  var grade = Grade.easy
  @Attribute(.codable) var notes = Notes()
  @Transient var isShown = false
  var guide: Link<Guide>?
}

@Model nonisolated struct Guide {
  @Attribute(.unique) var name: String
  @Inverse(\Hike.guide) var hikes: LinkingObjects<Hike>
}

@Suite struct MainActorTests {
  @Test func fromTheMainActor() throws {
    let store = try Store.inMemory(Hike.self)
    try store.write { tx in
      try tx.add(Hike(code: "a", goal: Place(name: "Zugspitze", height: 2_962), guide: Link(Guide(name: "Ada"))))
    }
    let hike = try #require(try store.objects(Hike.self).filter("goal.height > %@", 2_000).first)
    #expect(hike.goal.name == "Zugspitze")
    #expect(try hike.guide?.object().name == "Ada")
    #expect(try store.objects(Guide.self).first?.hikes.count == 1)
    #expect(try store.objects(Hike.self).sorted(by: \.start).max(of: \.minutes) == 90)
    var dictionary: [Hike: Int] = [:]
    dictionary[hike] = 1
    #expect(dictionary[hike] == 1)
  }

  @Test func fromElsewhere() async throws {
    let store = try Store.inMemory(Hike.self)
    try await work(store)
    #expect(try store.objects(Hike.self).count == 100)
  }

  @concurrent nonisolated private func work(_ store: Store) async throws {
    try await store.write { tx in
      for number in 0..<100 { try tx.add(Hike(code: "h\(number)", minutes: number)) }
    }
    let long = try store.objects(Hike.self).filter("minutes >= 50 AND grade == %@", Grade.easy)
    #expect(try long.count == 50)
    for hike in try long.objects() { #expect(hike.minutes >= 50 && hike.objectID != nil) }
  }
}
