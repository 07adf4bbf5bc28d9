import Foundation
import Testing

/// What stays in a store whatever a schema text says, and what goes because somebody says so.
@Suite struct DropCommandTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let file = try workshop.file(
      "docs.jsonl",
      """
      {"title":"t","body":"long","n":3,"site":{"town":"Ulm","zip":7}}
      {"title":"u","body":"","n":4,"site":{"town":"","zip":0}}
      """)
    let schema = try workshop.file(
      "docs.swift",
      """
      @Model struct Doc { @Attribute(.unique) var title: String; @Attribute(.indexed) var body: String; var n: Int
        var site: Site }
      @Model(.embedded) struct Site { var town: String; var zip: Int }
      """)
    let outcome = try Command.run(["import", "--quiet", store, file, "Doc", "--schema", schema])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  private func ask(_ statement: String) throws -> String {
    try Command.run([store, "--jsonl", "-c", statement]).output
  }

  @Test func aShorterSchemaKeepsTheRest() throws {
    let before = try Command.run(["schema", store]).output
    let short = try workshop.file("short.swift", "@Model struct Doc { var title: String }")
    let more = try workshop.file("more.jsonl", #"{"title":"v"}"#)
    let words = ["import", "--quiet", store, more, "Doc", "--schema"]
    // Nothing is invented in a new object.
    let refused = try Command.run(words + [short])
    #expect(refused.status == 1 && refused.errors.contains("'body', 'n', 'site'"), "\(refused)")
    #expect(refused.errors.contains("objquery drop STORE Doc.body Doc.n Doc.site"), "\(refused)")
    #expect(try Command.run(["schema", store]).output == before)
    #expect(
      try ask("Doc SELECT body, n, site.town") == """
        {"body":"long","n":3,"site.town":"Ulm"}
        {"body":"","n":4,"site.town":""}

        """)
    // Where there are none, it only declares.
    let none = try workshop.file("none.jsonl", "")
    #expect(try Command.run(["import", "--quiet", store, none, "Doc", "--schema", short]).status == 0)
    // Of several, those that are there are changed.
    let both = try workshop.file("both.jsonl", "{\"title\":\"t\"}\n{\"title\":\"v\"}")
    let keyed = try workshop.file("keyed.swift", "@Model struct Doc { @Attribute(.unique) var title: String }")
    let outcome = try Command.run(["import", store, both, "Doc", "--schema", keyed, "--upsert"])
    #expect(outcome.status == 1 && outcome.errors.contains("1 bad row left out"), "\(outcome)")
    #expect(try ask("Doc SELECT body, n") == "{\"body\":\"long\",\"n\":3}\n{\"body\":\"\",\"n\":4}\n")
  }

  @Test func uniquenessThatTheTextDoesNotSayIsNamed() throws {
    let text = try workshop.file(
      "plain.swift",
      "@Model struct Doc { var title: String; var body: String; var n: Int; var site: Site }"
        + "; @Model struct Site { var town: String; var zip: Int }")
    let more = try workshop.file("more.jsonl", #"{"title":"t","body":"","n":1,"site":{"town":"","zip":0}}"#)
    let outcome = try Command.run(["import", store, more, "Doc", "--schema", text])
    #expect(outcome.errors.contains("objquery drop STORE \"@unique Doc.title\""), "\(outcome)")
  }

  @Test func whatATextTakesBackIsSaid() throws {
    let path = workshop.path + "/links"
    let rows = try workshop.file("teams.jsonl", #"{"name":"x","size":1}"#)
    let full = try workshop.file(
      "full.swift",
      "@Model(.entity) struct A { var x: Int }; @Model struct Team { var name: String; var size = 5; "
        + "@Relationship(deleteRule: .cascade) var all: List<A> }")
    #expect(try Command.run(["import", path, rows, "Team", "--schema", full]).status == 0)
    let plain = try workshop.file(
      "plain.swift",
      "@Model(.entity) struct A { var x: Int }; @Model struct Team { var name: String; var size: Int; var all: List<A> }"
    )
    let outcome = try Command.run(["import", path, rows, "Team", "--schema", plain])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("deleting the source of 'Team.all' now follows the rule 'nullify'"), "\(outcome)")
    #expect(outcome.errors.contains("the default of 'Team.size' was 5 and is now 0"), "\(outcome)")
  }

  @Test func defaultsThatAreExpressionsAreRunForEachRow() throws {
    let path = workshop.path + "/made"
    let rows = try workshop.file("rows.jsonl", "{\"n\":1,\"all\":[{\"x\":1}]}\n{\"n\":2,\"all\":[{\"x\":1},{\"x\":2}]}")
    let text = try workshop.file(
      "made.swift",
      "@Model struct Row { var n: Int; @Attribute(.unique) var id: UUID = UUID(); var at = Date(); var all: [Part] }"
        + "; @Model(.embedded) struct Part { var x: Int; var mark: UUID = UUID() }")
    let outcome = try Command.run(["import", "--quiet", path, rows, "Row", "--schema", text])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let marks = try Command.run([path, "--jsonl", "-c", "COUNT Row WHERE all.mark.@count > 0 AND at > now() - 3600"])
    #expect(marks.output == "2\n", "\(marks)")
    #expect(try Command.run([path, "-c", #"INSERT Row {"n": 3, "all": []}"#]).status == 0)
    #expect(try Command.run(["schema", path]).output.contains("var id: UUID = UUID()"))
  }

  @Test func dropNamesWhatGoesAlong() throws {
    let path = workshop.path + "/along"
    let rows = try workshop.file("people.jsonl", #"{"name":"x","age":1}"#)
    let text = try workshop.file(
      "people.swift",
      "@Model struct Person { #Index<Person>([\\.name, \\.age]); #Unique<Person>([\\.age, \\.name]); var name: String; "
        + "var age: Int; @Inverse(\\Team.lead) var leads: LinkingObjects<Team> }"
        + "; @Model struct Team { var name: String; var lead: Link<Person>? }")
    let made = try Command.run(["import", path, rows, "Person", "--schema", text])
    #expect(made.status == 0, "\(made)")
    let outcome = try Command.run(["drop", path, "Person.age", "Team.lead"])
    for part in [
      "@indexed Person.name+age: an index", "@unique Person.age+name: no value is refused",
      "Person.leads: LinkingObjects<Team>, computed from the links that go",
    ] { #expect(outcome.errors.contains(part), "\(outcome)") }
    #expect(try Command.run(["drop", path, "Person.age", "Team.lead", "--yes"]).status == 0)
    #expect(try Command.run(["check", path]).status == 0)
  }

  @Test func aShorterSchemaReplacesNothingThatItLacks() throws {
    let short = try workshop.file(
      "short.swift",
      "@Model struct Doc { @Attribute(.unique) var title: String; var site: Site }; @Model struct Site { var zip: Int }"
    )
    let more = try workshop.file("more.jsonl", #"{"title":"t","body":"other","site":{"zip":9}}"#)
    let outcome = try Command.run(["import", store, more, "Doc", "--schema", short, "--upsert"])
    #expect(outcome.status == 0 && outcome.errors.contains("left out") && outcome.errors.contains("body"), "\(outcome)")
    #expect(
      try ask("Doc WHERE title == 't' SELECT body, n, site.town, site.zip")
        == #"{"body":"long","n":3,"site.town":"Ulm","site.zip":9}"# + "\n")
  }

  @Test func anotherSpellingIsAsked() throws {
    let other = try workshop.file(
      "other.swift", "@Model struct Doc { var title: String; var text = \"\"; var n: Int }")
    let more = try workshop.file("more.jsonl", #"{"title":"v","text":"x","n":1}"#)
    let words = ["import", "--quiet", store, more, "Doc", "--schema", other]
    let outcome = try Command.run(words)
    #expect(outcome.status == 1 && outcome.errors.contains("--keep Doc.body"), "\(outcome)")
    #expect(try ask("COUNT Doc") == "2\n")
    let kept = try Command.run(words + ["--keep", "Doc.body"])
    #expect(kept.status == 1 && kept.errors.contains("a new Doc needs a value of 'body', 'site'"), "\(kept)")
    #expect(try ask("Doc SELECT body, text") == "{\"body\":\"long\",\"text\":\"\"}\n{\"body\":\"\",\"text\":\"\"}\n")
  }

  @Test func dropShowsWhatGoesAndNeedsYes() throws {
    let refused = try Command.run(["drop", store, "Doc.body", "@unique", "Doc.title"])
    #expect(refused.status == 1 && refused.errors.contains("--yes"), "\(refused)")
    #expect(refused.errors.contains("Doc.body: String, 2 objects have a value"))
    #expect(try ask("COUNT Doc WHERE body == 'long'") == "1\n")
    let unknown = try Command.run(["drop", store, "Doc.body", "Doc.sit.town", "--yes"])
    #expect(unknown.status == 1 && unknown.errors.contains("did you mean Doc.site.town?"), "\(unknown)")
    #expect(try ask("COUNT Doc WHERE body == 'long'") == "1\n")
    let gone = try Command.run(["drop", store, "Doc.body", "Doc.site.zip", "@unique Doc.title", "--yes"])
    #expect(gone.status == 0 && gone.output.isEmpty, "\(gone)")
    let schema = try Command.run(["schema", store]).output
    #expect(!schema.contains("body") && !schema.contains("zip") && !schema.contains("unique"))
    #expect(try Command.run(["drop", store + "none", "Doc"]).status == 2)
    #expect(try Command.run(["drop", store]).status == 64)
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func theShellDropsToo() throws {
    #expect(try Command.run([store, "-c", ".drop Doc.n"]).status == 1)
    #expect(try Command.run([store, "-c", ".drop --yes Doc.n @indexed Doc.body"]).status == 0)
    #expect(try Command.run([store, "--readonly", "-c", ".drop --yes Doc"]).status == 1)
    #expect(try Command.run([store, "--safe", "-c", ".drop --yes Doc"]).status == 1)
    let schema = try Command.run(["schema", store]).output
    #expect(!schema.contains("var n") && !schema.contains(".indexed") && schema.contains("body"))
    #expect(try Command.run([store, "--yes", "-c", ".drop Doc", "-c", ".types"]).status == 0)
  }
}
