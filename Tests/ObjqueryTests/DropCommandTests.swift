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
    let outcome = try Command.run(["import", "--quiet", store, more, "Doc", "--schema", short])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(try Command.run(["schema", store]).output == before)
    #expect(
      try ask("Doc SELECT body, n, site.town") == """
        {"body":"long","n":3,"site.town":"Ulm"}
        {"body":"","n":4,"site.town":""}
        {"body":"","n":0,"site.town":""}

        """)
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
    #expect(kept.status == 0 && kept.errors.isEmpty, "\(kept)")
    #expect(try ask("Doc WHERE title == 'v' SELECT body, text") == #"{"body":"","text":"x"}"# + "\n")
  }

  @Test func dropShowsWhatGoesAndNeedsYes() throws {
    let refused = try Command.run(["drop", store, "Doc.body", "@unique", "Doc.title"])
    #expect(refused.status == 1 && refused.errors.contains("--yes"), "\(refused)")
    #expect(refused.errors.contains("Doc.body: String, 1 object has a value that is not the default"))
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
