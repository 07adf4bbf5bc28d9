import Foundation
import ObjectStoreCore
import Testing

/// Statements that change the schema in the command, `.schema --diff`, `.migrate` and `objquery migrate`.
@Suite struct SchemaCommandTests {
  private let workshop: Workshop
  private let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let rows = (0..<1_200).map { "{\"code\":\"c\($0)\",\"mag\":\($0 % 9),\"place\":\"p\($0)\"}\n" }.joined()
    let schema = try workshop.file(
      "quake.swift",
      """
      @Model struct Quake { @Attribute(.unique) var code: String; @Attribute(.indexed) var mag: Int; var place: String
        var felt: Int? }
      """)
    let file = try workshop.file("quakes.jsonl", rows)
    let outcome = try Command.run(["import", "--quiet", store, file, "Quake", "--schema", schema])
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// What the command says to each, one after the other.
  private func transcript(_ calls: [[String]]) throws -> String {
    var told = ""
    for words in calls {
      let outcome = try Command.run(words)
      told +=
        "$ objquery \(words.joined(separator: " "))\n\(outcome.output)\(outcome.errors)status \(outcome.status)\n\n"
    }
    return told.replacingOccurrences(of: workshop.path + "/", with: "")
  }

  @Test func statements() throws {
    func call(_ statement: String, _ options: String...) -> [String] { [store] + options + ["-c", statement] }
    let told = try transcript([
      call("CREATE INDEX ON Quake (place) USING trigram"),
      call("CREATE INDEX ON Quake (place) USING trigram", "--yes"),
      call("CREATE INDEX ON Quake (place) USING trigram", "--yes"),
      call("CREATE UNIQUE INDEX ON Quake (mag)", "--yes"),
      call("EXPLAIN ALTER Quake DROP PROPERTY place"),
      call("ALTER Quake DROP PROPERTY place", "--readonly", "--yes"),
      call("ALTER Quake DROP PROPERTY place", "--safe", "--yes"),
      [store, "--yes", "-c", "BEGIN", "-c", "ALTER Quake DROP PROPERTY place"],
      call("ALTER Quake DROP PROPERTY place", "--yes", "--quiet"),
      call("ALTER Quake ADD count: Int", "--yes"),
      call("ALTER Quake ADD count: Int = 0", "--yes"),
      call("ALTER Quake RENAME mag TO magnitude", "--yes"),
      call("ALTER Quake ALTER PROPERTY magnitude Double", "--yes"),
      call("ALTER Quake ALTER PROPERTY magnitude Double", "--yes"),
      call("RENAME Quake TO Earthquake", "--yes", "--error-format=json"),
      call("DROP INDEX ON Earthquake (magnitude)", "--error-format=json"),
      call("DROP TABLE Earthquake", "--yes"),
      call("DROP ENTITY Earthquakes", "--yes"),
      [store, "-c", ".schema", "-c", ".indexes", "--csv"],
      call("DROP ENTITY Earthquake", "--yes"),
      [store, "-c", ".schema"],
    ])
    try Golden.check("schema-statements", told)
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func wholeSchemas() throws {
    let file = try workshop.file(
      "next.swift",
      """
      @Model struct Quake { @Attribute(.unique) var code: String; var magnitude: Int = 1; var felt: Double?
        @Attribute(.indexed) var time: Date? }
      """)
    let bad = try workshop.file("bad.swift", "@Model struct Quake { var code: Int }")
    let named = try workshop.file(
      "named.swift",
      """
      @Model struct Quake { @Attribute(.unique) var code: String
        @Attribute(originalName: "mag") var magnitude: Double; var felt: Double? }
      """)
    let told = try transcript([
      [store, "-c", ".schema --diff \(file)"], ["schema", store, "--diff", file],
      ["migrate", store, "--schema", file], ["migrate", store], ["migrate", store, "--schema", file + ".none"],
      ["migrate", store + "-none", "--schema", file], ["migrate", store, "--schema", bad, "--yes"],
      [store, "--safe", "-c", ".schema --diff \(file)"], [store, "--readonly", "-c", ".migrate --yes \(named)"],
      ["migrate", "--yes", store, "--schema", named], ["migrate", store, "--schema", named],
      [store, "-c", ".schema --diff \(named)"], [store, "-c", ".schema"],
    ])
    try Golden.check("schema-files", told)
    #expect(try Command.run([store, "-c", "COUNT Quake WHERE magnitude == 8"]).output == "133\n")
    #expect(try Command.run(["check", store]).status == 0)
  }

  @Test func whatSchemaPrintsChangesNothing() throws {
    let file = try workshop.file("same.swift", try Command.run(["schema", store]).output)
    let outcome = try Command.run(["migrate", store, "--schema", file])
    #expect(outcome.status == 0 && outcome.errors == "nothing changes\n" && outcome.output == "", "\(outcome)")
  }

  @Test func anInterruptedStatementChangesNothing() throws {
    let before = try Command.run(["schema", store]).output
    let open = try Store.openDynamic(store, mode: .readWrite)
    for words in [
      [store, "--yes", "-c", "CREATE INDEX ON Quake (place)"],
      [
        "migrate", "--yes", store, "--schema",
        try workshop.file("less.swift", "@Model struct Quake { var code: String }"),
      ],
    ] {
      try open.write { _ in
        let command = try RunningCommand(words)
        #expect(command.waitUntilItSays("waiting for process"))
        #expect(try command.interrupt() == 130)
        #expect(command.errors.contains("nothing was changed"), "\(command.errors)")
      }
    }
    #expect(try Command.run(["schema", store]).output == before)
  }
}
