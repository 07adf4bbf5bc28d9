import Foundation
import Testing

/// `.advise` and `objquery advise`.
@Suite struct AdviseTests {
  let workshop: Workshop
  let store: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    let schema = try workshop.file(
      "quake.swift",
      """
      @Model struct Quake { @Attribute(.unique) var code: String; @Attribute(.indexed) var depth: Int; var mag: Double
        var net: String; var place: String }
      """)
    let rows = (0..<12_000).map { n in
      let place = "\(n * 7 % 99)km NE of town\(n * 31 % 500), region\(n % 60)"
      let mag = Double(n * 37 % 900) / 100
      return
        "{\"code\":\"c\(n)\",\"depth\":\(n % 700),\"mag\":\(mag),\"net\":\"net\(n % 7)\",\"place\":\"\(place)\"}"
    }
    let file = try workshop.file("quakes.jsonl", rows.joined(separator: "\n") + "\n")
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

  @Test func fromTheAdviceToTheIndexes() throws {
    let file = try workshop.file(
      "queries.objq",
      """
      # What is asked every day.
      .mode csv
      .use Quake
      LET near = place CONTAINS[c] 'town77,';
      Quake WHERE $near;
      COUNT Quake WHERE $near AND mag > 3;
      place CONTAINS 'town78,';
      Quake WHERE place CONTAINS $part;
      Quake WHERE place CONTAINS[c] 'TOWN90,' SORT BY mag DESC LIMIT $count;
      Quakes WHERE mag > 3;
      INSERT Quake {"code": "x"};
      """)
    let advise = ["advise", store, "-m", "box", "-f", file]
    let told = try transcript([
      advise,
      ["advise", store, "--json", "-f", file],
      advise + ["--apply"],
      advise + ["--apply", "--drop-unused", "--yes"],
      advise,
      [store, "-c", ".indexes", "--csv"],
    ])
    try Golden.check("advise", told)
  }

  @Test func theQueriesOfASession() throws {
    let query = "COUNT Quake WHERE place CONTAINS[c] 'town77,'"
    let shown = try Command.run(
      [store, "--readonly", "-m", "table", "-c", query, "-c", query, "-c", "Quake WHERE nothing == 1", "--no-bail"]
        + ["-c", ".advise"])
    #expect(shown.output.contains("CREATE INDEX ON Quake (place) USING trigram;"), "\(shown)")
    #expect(shown.output.contains("2 statements: ") && shown.output.contains("    2× \(query)"), "\(shown)")
    #expect(shown.output.contains("left out:\n  Quake WHERE nothing == 1\n"), "\(shown)")
    let refused = try Command.run([store, "--readonly", "--yes", "-c", query, "-c", ".advise apply"])
    #expect(refused.status == 1 && refused.errors.contains("can only be read"), "\(refused)")
    let applied = try Command.run([store, "--yes", "-c", query, "-c", ".advise apply", "-c", "EXPLAIN \(query)"])
    #expect(applied.status == 0 && applied.output.contains("via index place"), "\(applied)")
  }

  @Test func whereThereIsNothingToSay() throws {
    let early = try Command.run([store, "-c", ".advise"])
    #expect(early.status == 1 && early.errors.contains("there are no queries to advise on"), "\(early)")
    let cheap = try Command.run(["advise", store, "-m", "box", "-c", "Quake WHERE code == 'c5'"])
    #expect(cheap.status == 0 && cheap.output.hasPrefix("no index is worth having: 1 statement"), "\(cheap)")
    let json = try Command.run(["advise", store, "-c", "Quake WHERE code == 'c5'"])
    #expect(json.output.hasPrefix(#"{"advised":[],"unused":[{"statement":"DROP INDEX ON Quake (depth)""#), "\(json)")
    let empty = workshop.path + "/empty"
    _ = try Command.run([empty, "--create", "-c", "COUNT Quake"])
    let unknown = try Command.run(["advise", empty, "-m", "box", "-c", "Quake WHERE mag > 3"])
    #expect(unknown.output.contains("no statement could be judged"), "\(unknown)")
    #expect(unknown.output.contains("there is no entity 'Quake'"), "\(unknown)")
    let open = try Command.run([store, "-c", "BEGIN", "-c", "COUNT Quake", "-c", ".advise"])
    #expect(open.status == 1 && open.errors.contains("COMMIT or ROLLBACK first"), "\(open)")
  }

  @Test func wrongWords() throws {
    for (words, problem) in [
      (["--drop-unused"], "--drop-unused goes with --apply"),
      (["--apply", "--readonly"], "--apply and --readonly contradict each other"),
      (["--json", "--mode", "csv"], "contradict each other"),
    ] {
      let outcome = try Command.run(["advise", store, "-c", "COUNT Quake"] + words)
      #expect(outcome.status == 64 && outcome.errors.contains(problem), "\(outcome)")
    }
    let shell = try Command.run([store, "-c", ".advise now"])
    #expect(shell.status == 1 && shell.errors.contains("usage: .advise [apply [--drop-unused]]"), "\(shell)")
    let missing = try Command.run(["advise", store, "-f", workshop.path + "/none.objq"])
    #expect(missing.status != 0 && missing.errors.contains("none.objq"), "\(missing)")
  }
}
