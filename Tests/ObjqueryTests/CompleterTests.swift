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
    #expect(offer("CR") == ["CREATE INDEX ON", "CREATE UNIQUE INDEX ON"])
    #expect(offer("cr") == ["create index on", "create unique index on"])
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
    #expect(offer("Quake w") == ["where"] && offer("Quake W") == ["WHERE"], "keywords in the letters of the user")
    #expect(offer("Quake where mag > 5 ").contains("and") && offer("Quake where mag ").contains("between"))
    #expect(offer("Quake WHERE ma") == ["mag", "magType", "max("])
    #expect(offer("Quake WHERE location.l") == ["location.longitude", "location.latitude"])
    #expect(offer("Quake WHERE mag ").contains("BETWEEN") && !offer("Quake WHERE mag ").contains("CONTAINS"))
    #expect(offer("Quake WHERE magType CON") == ["CONTAINS", "CONTAINS[c]"])
    #expect(offer("Quake WHERE felt == ").contains("TRUE"))
    #expect(offer("Quake WHERE mag > 5 A") == ["AND"])
    #expect(offer("Quake WHERE mag > 5 AND NOT fe") == ["felt"])
    #expect(offer("Quake SORT ") == ["BY"])
    #expect(offer("Quake SORT BY mag D") == ["DESC", "DISTINCT"])
    #expect(offer("Quake SELECT mag, fe") == ["felt"])
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
    #expect(offer("Trip WHERE st") == ["stops", "stops.name", "stops.minutes", "stops.place.city", "stddev("])
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
    #expect(offer("mag > 5 a", use: "Quake") == ["and"])
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
    #expect(offer("Project WHERE SUB") == ["SUBQUERY(", "substring("])
    #expect(offer("Project WHERE SUBQUERY(ta") == ["tasks"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.p") == ["$t.priority", "$t.projects"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.owner.na") == ["$t.owner.name"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.priority BE") == ["BETWEEN"])
    #expect(offer("Project WHERE SUBQUERY(tasks, $t, $t.title == 'x' AND $t.ow") == ["$t.owner"])
    #expect(offer("Task WHERE @l") == ["@links.Project.tasks"])
    #expect(offer("Person WHERE @links.") == ["@links.Task.owner", "@links.Person.boss"])
  }

  @Test func functionsAndAggregates() {
    #expect(offer("Quake WHERE upp") == ["uppercase("] && offer("Quake WHERE mag > ro") == ["round("])
    #expect(offer("Quake SELECT mag, firstL") == ["firstLetter("])
    #expect(!offer("Quake WHERE ").contains("round("), "all of them would hide the properties")
    #expect(offer("Quake SELECT @c") == ["@count"] && offer("Quake SELECT @av") == ["@avg."])
    #expect(offer("Quake SELECT magType, @avg.") == ["@avg.mag", "@avg.location.longitude", "@avg.location.latitude"])
    #expect(offer("Quake GROUP BY magType SORT BY @max.magT") == ["@max.magType"])
    #expect(offer("Quake WHERE @c") == [])
  }

  @Test func changes() {
    #expect(offer("UPDATE Quake ") == ["SET"])
    #expect(offer("UPDATE Quake SET ma") == ["mag", "magType"] && offer("UPDATE Quake SET mag ") == ["="])
    #expect(offer("UPDATE Quake SET felt = ").prefix(3) == ["nil", "TRUE", "FALSE"])
    #expect(offer("UPDATE Quake SET mag = ma") == ["mag", "magType", "max("])
    #expect(offer("UPDATE Quake SET mag = 5, magT") == ["magType"])
    #expect(offer("update Quake set mag = 5 wh") == ["where"])
    #expect(offer("UPDATE Quake SET mag = 5 WHERE fe") == ["felt"])
    #expect(offer("INSERT Quake {").prefix(2) == ["\"mag\":", "\"magType\":"])
    #expect(offer("INSERT Quake {\"mag\": 5, \"ma") == ["\"magType\":"], "what is given is not offered again")
    #expect(offer("INSERT Quake {\"magType\": \"m") == [] && offer("INSERT Quake {\"mag\": ") == [])
    #expect(offer("INSERT Quake {\"tags\": [\"a\", ") == [])
  }

  @Test func optionsAndParameters() {
    #expect(offer(".schema Quake --").prefix(2) == ["--swift", "--json"] && offer(".import --ups") == ["--upsert"])
    #expect(offer(".backup --overwrite --") == ["--no-verify"])
    let completer = Completer(schema: { Self.schema }, names: { ["least", "most"] })
    #expect(completer.complete("Quake WHERE mag > $l").candidates == ["$least"])
  }

  @Test func values() throws {
    let store = try Store.inMemory(schema: Self.schema)
    func insert(_ type: String, _ count: Int) throws {
      for _ in 0..<count {
        let tail = "\"location\": {\"longitude\": 0, \"latitude\": 0}, \"felt\": true}"
        _ = try store.run("INSERT Quake {\"mag\": 1, \"magType\": \"\(type)\", \(tail)")
      }
    }
    try insert("ml", 3)
    try insert("Mb", 2)
    try insert("it's", 1)
    try insert("us", 4)
    for most in [2_000_000, 0] {
      let frequent = FrequentValues(store, time: .seconds(60), most: most)
      #expect(frequent.values(of: "magType", in: "Quake", beginning: "") == ["us", "ml", "Mb", "it's"])
      #expect(frequent.values(of: "magType", in: "Quake", beginning: "m") == ["ml", "Mb"])
      #expect(frequent.values(of: "mag", in: "Quake", beginning: "") == [])
      #expect(frequent.values(of: "nothing", in: "Quake", beginning: "") == [])
      #expect(frequent.values(of: "magType", in: "Nothing", beginning: "") == [])
    }
    let completer = Completer(
      schema: { Self.schema },
      values: { FrequentValues(store, time: .seconds(60)).values(of: $1, in: $0, beginning: $2) })
    #expect(
      completer.complete("Quake WHERE magType == 'i")
        == Completer.Completion(word: "i", candidates: ["it\\'s"], end: "' "))
    #expect(completer.complete("Quake WHERE magType IN {\"us\", \"").candidates == ["us", "ml", "Mb", "it's"])
    #expect(completer.complete("Quake WHERE magType BEGINSWITH[c] 'u").candidates == ["us"])
    #expect(completer.complete("UPDATE Quake SET magType = 'M").candidates == ["ml", "Mb"])
    #expect(completer.complete("Quake SELECT 'u").candidates == [])
  }

  @Test func whatCandidatesShare() {
    #expect(Completer.Completion(word: "m", candidates: ["mag", "magType"]).shared == "mag")
    #expect(Completer.Completion(word: "MA", candidates: ["mag", "magType"]).shared == "mag")
    #expect(Completer.Completion(word: "x", candidates: []).shared == "x")
  }
}
