import ObjectStoreCore
import Testing

/// An inverse has the objects that link here, each once, however often its list mentions the object.
@Suite struct InverseCountTests {
  @Test func aSourceCountsOnce() throws {
    func name() -> Property { Property(name: "name", type: .scalar(.string)) }
    let byName = Index(kind: .unique, paths: ["name"])
    let store = try Store.inMemory(
      schema: Schema(entities: [
        Entity(
          name: "Team",
          properties: [
            name(), Property(name: "size", type: .scalar(.int)), Property(name: "members", type: .list("Person")),
          ], indexes: [byName]),
        Entity(
          name: "Person",
          properties: [
            name(), Property(name: "teams", type: .linkingObjects(entity: "Team", property: "members")),
          ], indexes: [byName]),
      ]))
    for object in [
      "Person {name: 'Ann'}", "Person {name: 'Bo'}",
      "Team {name: 'red', size: 5, members: ['Ann', 'Ann', 'Bo', 'Ann']}",
      "Team {name: 'blue', size: 1, members: ['Bo']}",
    ] { _ = try store.run("INSERT " + object) }
    let people = try store.objects("Person")
    let facts = [
      ("teams.@count == 1", ["Ann"]), ("teams.@count == 2", ["Bo"]), ("teams.@sum.size == 5", ["Ann"]),
      ("teams.@avg.size == 3", ["Bo"]), ("@links.Team.members.@count == 1", ["Ann"]), ("@links.@count == 2", ["Bo"]),
      ("SUBQUERY(teams, $t, $t.size > 1).@count == 1", ["Ann", "Bo"]),
    ]
    for (text, names) in facts {
      let found = try people.filter(text)
      #expect(try found.objects().map { $0["name"] } == names.map { Value.string($0) }, "\(text)")
    }
    // The list itself keeps what it mentions.
    #expect(try store.objects("Team").filter("members.@count == 4").count == 1)
    #expect(try store.objects("Team").filter("SUBQUERY(members, $p, $p.name == 'Ann').@count == 3").count == 1)
  }
}
