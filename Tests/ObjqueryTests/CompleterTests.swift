import ObjectStoreCore
import Testing

@testable import objquery

@Suite struct CompleterTests {
  private static let schema = Schema(
    entities: [
      Entity(
        name: "Quake",
        properties: [
          Property(name: "mag", type: .scalar(.double)), Property(name: "magType", type: .scalar(.string)),
          Property(name: "felt", type: .scalar(.bool)), Property(name: "location", type: .embedded("Location")),
          Property(name: "tags", type: .array(.string)), Property(name: "counts", type: .dictionary(.int)),
        ])
    ],
    embedded: [
      Entity(
        name: "Location",
        properties: [
          Property(name: "longitude", type: .scalar(.double)), Property(name: "latitude", type: .scalar(.double)),
        ])
    ])

  private func offer(_ text: String, use entity: String? = nil) -> [String] {
    Completer(schema: { Self.schema }, defaultEntity: { entity }).complete(text).candidates
  }

  @Test func changesOfTheSchema() {
    #expect(offer("cr") == ["CREATE INDEX ON", "CREATE UNIQUE INDEX ON"])
    #expect(offer("CREATE ") == ["INDEX ON", "UNIQUE INDEX ON"])
    #expect(offer("CREATE INDEX ON ") == ["Quake"])
    #expect(offer("CREATE INDEX ON Quake (mag, loc") == ["location.longitude", "location.latitude"])
    #expect(offer("create index on Quake (magType) ") == ["USING"])
    #expect(offer("CREATE INDEX ON Quake (magType) USING t") == ["trigram"])
    #expect(offer("CREATE UNIQUE INDEX ON Quake (mag) ") == [])
    #expect(offer("DROP E") == ["ENTITY"] && offer("DROP ENTITY ") == ["Quake"])
    #expect(offer("ALTER ") == ["Quake"] && offer("ALTER Quake A") == ["ADD", "ALTER PROPERTY"])
    #expect(offer("ALTER Quake ADD x: Da") == ["Date", "Data"])
    #expect(offer("ALTER Quake DROP PROPERTY f") == ["felt"])
    #expect(offer("ALTER Quake ALTER PROPERTY mag Dou") == ["Double"])
    #expect(offer("EXPLAIN ALTER Quake RENAME ta") == ["tags"] && offer("ALTER Quake RENAME tags ") == ["TO"])
    #expect(offer("RENAME Q") == ["Quake"] && offer("RENAME Quake ") == ["TO"])
  }

  @Test func statements() {
    #expect(offer("").contains("Quake") && offer("").contains("COUNT"))
    #expect(offer("q") == ["Quake"])
    #expect(offer("COUNT ") == ["Quake"])
    #expect(offer("Quake ").first == "WHERE")
    #expect(offer("Quake w") == ["WHERE"])
    #expect(offer("Quake WHERE m") == ["mag", "magType"])
    #expect(offer("Quake WHERE location.l") == ["location.longitude", "location.latitude"])
    #expect(offer("Quake WHERE mag ").contains("BETWEEN") && !offer("Quake WHERE mag ").contains("CONTAINS"))
    #expect(offer("Quake WHERE magType CON") == ["CONTAINS", "CONTAINS[c]"])
    #expect(offer("Quake WHERE felt == ").contains("TRUE"))
    #expect(offer("Quake WHERE mag > 5 A") == ["AND"])
    #expect(offer("Quake WHERE mag > 5 AND NOT f") == ["felt"])
    #expect(offer("Quake SORT ") == ["BY"])
    #expect(offer("Quake SORT BY mag D") == ["DESC", "DISTINCT"])
    #expect(offer("Quake SELECT mag, f") == ["felt"])
    #expect(offer("COUNT Quake; Qu") == ["Quake"])
    #expect(offer("Quake WHERE magType == 'm") == [], "nothing within a string")
    #expect(offer("nonsense ") == [])
  }

  @Test func listsOfStructs() {
    let schema = Schema(
      entities: [
        Entity(
          name: "Trip",
          properties: [
            Property(name: "code", type: .scalar(.string)), Property(name: "stops", type: .embeddedList("Stop")),
          ])
      ],
      embedded: [
        Entity(
          name: "Stop",
          properties: [
            Property(name: "name", type: .scalar(.string)), Property(name: "minutes", type: .scalar(.int)),
            Property(name: "place", type: .embedded("Place"), isOptional: true),
          ]), Entity(name: "Place", properties: [Property(name: "city", type: .scalar(.string))]),
      ])
    func offer(_ text: String) -> [String] { Completer(schema: { schema }).complete(text).candidates }
    #expect(offer("Trip WHERE st") == ["stops", "stops.name", "stops.minutes", "stops.place.city"])
    #expect(offer("Trip WHERE ANY stops.n") == ["stops.name"])
    #expect(offer("Trip WHERE ANY stops.minutes BE") == ["BETWEEN"])
    #expect(offer("Trip WHERE ANY stops.name LI") == ["LIKE", "LIKE[c]"])
    #expect(
      offer("Trip SELECT stops.@") == [
        "stops.@count", "stops.@sum.minutes", "stops.@avg.minutes", "stops.@min.minutes", "stops.@max.minutes",
        "stops.@median.minutes", "stops.@mode.minutes", "stops.@stddev.minutes", "stops.@percentile(0.9).minutes",
      ])
    #expect(offer("Trip SELECT stops.minutes.@a") == ["stops.minutes.@avg"])
    #expect(offer("Trip WHERE SUBQUERY(stops, $s, $s.m") == ["$s.minutes"])
    #expect(offer("Trip WHERE SUBQUERY(stops, $s, $s.name LI") == ["LIKE", "LIKE[c]"])
  }

  @Test func collections() {
    #expect(offer("Quake WHERE AN") == ["ANY"])
    #expect(offer("Quake WHERE ANY ") == ["tags", "counts"])
    #expect(offer("Quake WHERE tags CON") == ["CONTAINS"])
    #expect(offer("Quake WHERE counts BE") == ["BETWEEN"])
    #expect(offer("Quake WHERE tags.@c") == ["tags.@count"])
    #expect(offer("Quake WHERE tags.@s") == [], "texts have no sum")
    #expect(offer("Quake SELECT counts.@k") == ["counts.@keys"])
    #expect(offer("Quake SELECT mag.@") == [])
  }

  @Test func groups() {
    #expect(offer("Quake GR") == ["GROUP BY"])
    #expect(offer("Quake GROUP ") == ["BY"])
    #expect(offer("Quake GROUP BY magT") == ["magType"])
    #expect(offer("UPDATE ") == ["Quake"])
  }

  @Test func barePredicates() {
    #expect(offer("ma", use: "Quake") == ["mag", "magType"])
    #expect(offer("mag > 5 a", use: "Quake") == ["AND"])
  }

  @Test func commands() throws {
    #expect(offer(".sch") == [".schema"])
    #expect(offer(".use Q") == ["Quake"])
    #expect(offer(".mode js") == ["json", "jsonl"])
    #expect(offer(".timer o") == ["on", "off"])
    #expect(offer(".nonsense x") == [])
    let workshop = try Workshop()
    let file = try workshop.file("data.csv", "")
    #expect(offer(".read " + file.dropLast(3)) == [file])
  }

  @Test func throughLinks() throws {
    let schema = try SchemaText.parse(
      """
      @Model struct Task { var title: String; var priority: Int; var owner: Link<Person>?; var tags: [String]
        @Inverse(\\Project.tasks) var projects: LinkingObjects<Project> }
      @Model struct Person { var name: String; var boss: Link<Person>? }
      @Model struct Project { var name: String; var tasks: List<Task> }
      """, name: "x.swift")
    func offer(_ text: String) -> [String] { Completer(schema: { schema }).complete(text).candidates }
    #expect(offer("Task WHERE own") == ["owner"])
    #expect(offer("Task WHERE owner.") == ["owner.name", "owner.boss"])
    #expect(offer("Task WHERE owner.boss.boss.n") == ["owner.boss.boss.name"])
    #expect(offer("Task WHERE owner.boss.name BEG") == ["BEGINSWITH"])
    #expect(offer("Task WHERE owner ") == ["==", "!=", "IN"])
    #expect(offer("Task WHERE ANY pro") == ["projects"] && offer("Task WHERE ANY projects.n") == ["projects.name"])
    #expect(
      offer("Project WHERE ANY tasks.") == [
        "tasks.title", "tasks.priority", "tasks.owner", "tasks.tags", "tasks.projects",
      ])
    #expect(
      offer("Project WHERE tasks.@") == [
        "tasks.@count", "tasks.@sum.priority", "tasks.@avg.priority", "tasks.@min.priority", "tasks.@max.priority",
        "tasks.@median.priority", "tasks.@mode.priority", "tasks.@stddev.priority", "tasks.@percentile(0.9).priority",
      ])
    #expect(offer("Project WHERE SUB") == ["SUBQUERY("])
    #expect(offer("Project WHERE SUBQUERY(ta") == ["tasks"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.p") == ["$t.priority", "$t.projects"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.owner.na") == ["$t.owner.name"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.priority BE") == ["BETWEEN"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.title == 'x' AND $t.ow") == ["$t.owner"])
    #expect(offer("Task WHERE @l") == ["@links.Project.tasks"])
    #expect(offer("Person WHERE @links.") == ["@links.Task.owner", "@links.Person.boss"])
  }

  @Test func whatCandidatesShare() {
    #expect(Completer.Completion(word: "m", candidates: ["mag", "magType"]).shared == "mag")
    #expect(Completer.Completion(word: "MA", candidates: ["mag", "magType"]).shared == "mag")
    #expect(Completer.Completion(word: "x", candidates: []).shared == "x")
  }
}
