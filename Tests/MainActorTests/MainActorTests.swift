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

  @Test func queriesInSwiftAndWritingBack() throws {
    let store = try hikes()
    let least = 60
    #expect(
      try store.objects(Hike.self).where { $0.minutes > least && $0.grade == .hard }.array.map(\.code) == ["b", "c"])
    let long = #query<Hike>("minutes > %@", least)
    #expect(long == Query { $0.minutes > least })
    #expect(try store.objects(Hike.self).filter(long).array.map(\.code) == ["b", "c"])
    var hike = try #require(try store.objects(Hike.self).first(where: "code == 'a'"))
    #expect(try !long.matches(hike))
    hike.minutes = 70
    hike.notes.text = "steep"
    try store.save(&hike)
    var new = Hike(code: "d", minutes: 300)
    try store.save(&new)
    #expect(try long.matches(hike) && new.objectID != nil)
    #expect(try store.objects(Hike.self).filter(long).array.map(\.code) == ["a", "b", "c", "d"])
    #expect(try store.objects(Hike.self).first?.notes.text == "steep")
  }

  @Test func results() async throws {
    let store = try hikes()
    let long = try store.objects(Hike.self).filter("minutes > 60").sorted(by: \.minutes)
    var shown: [Hike] = []
    for try await change in long.changes(keyPaths: [\.minutes]) {
      try change.apply(to: &shown)
      switch change {
      case .initial:
        #expect(shown.map(\.code) == ["b", "c"])
        var hike = try #require(try store.objects(Hike.self).first)
        hike.minutes = 400
        try await store.save(&hike)
      case .update(let hikes, _, let insertions, _, _):
        #expect(try insertions == [2] && shown == hikes.array)
        #expect(shown.map(\.code) == ["b", "c", "a"])
        return
      }
    }
  }

  @Test func aQueryThatChanges() async throws {
    let store = try hikes()
    let live = ObservedQuery(store.objects(Hike.self))
    var steps: [[String]] = []
    for try await change in live.changes() {
      switch change {
      case .initial(let hikes):
        steps.append(try hikes.map(\.code))
        live.query = Query { $0.grade == .hard }
      case .update(let hikes, _, _, _, _):
        steps.append(try hikes.map(\.code))
        if steps.count == 3 {
          #expect(steps == [["a", "b", "c"], ["b", "c"], ["c", "b"]])
          return
        }
        live.sort = [SortDescriptor(\.minutes, order: .reverse)]
      }
    }
  }

  private func hikes() throws -> Store {
    let store = try Store.inMemory(Hike.self)
    try store.write { tx in
      try tx.add([
        Hike(code: "a", minutes: 30), Hike(code: "b", minutes: 100, grade: .hard),
        Hike(code: "c", minutes: 200, grade: .hard),
      ])
    }
    return store
  }
}
