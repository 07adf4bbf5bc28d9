import Foundation
import Testing

/// Every batch file of `Tools/queries` on the made-up earthquakes of `Tools/sample` and on the stations, projects and
/// airports that stand beside the files, against its golden answers.
@Suite struct QueryFilesTests {
  static let files =
    (try? FileManager.default.contentsOfDirectory(atPath: Command.root.appendingPathComponent("Tools/queries").path))?
    .filter { $0.hasSuffix(".objq") }.sorted() ?? []

  /// The sample as a store, imported once for all files.
  private static let store: Result<(Scratch, String), any Error> = Result {
    let scratch = try Scratch()
    let sample = try Command.run(Command.root.appendingPathComponent("Tools/sample"), [])
    let feed = scratch.path("sample.geojson")
    try Data(sample.output.utf8).write(to: URL(fileURLWithPath: feed))
    let store = scratch.path("quakes")
    let outcome = try Command.run(
      ["import", "--quiet", store, feed, "Quake", "--key", "id", "--index", "mag,time"]
        + ["--date", "time:ms", "--date", "updated:ms"])
    guard outcome.status == 0 else { throw ImportFailed(errors: outcome.errors) }
    let queries = Command.root.appendingPathComponent("Tools/queries")
    for (file, entity, schema) in [
      ("stations.jsonl", "Station", "Station.swift"), ("people.jsonl", "Person", "Projects.swift"),
      ("projects.jsonl", "Project", "Projects.swift"), ("airports.csv", "Airport", "Airports.swift"),
      ("routes.csv", "Route", "Airports.swift"),
    ] {
      let outcome = try Command.run([
        "import", "--quiet", store, queries.appendingPathComponent(file).path, entity,
        "--schema", queries.appendingPathComponent(schema).path,
      ])
      guard outcome.status == 0, outcome.errors.isEmpty else { throw ImportFailed(errors: outcome.errors) }
    }
    return (scratch, store)
  }

  struct ImportFailed: Error { var errors: String }

  @Test func thereAreSome() { #expect(Self.files.count >= 12) }

  @Test(arguments: files) func answersAreGolden(file: String) throws {
    let (_, store) = try Self.store.get()
    let script = Command.root.appendingPathComponent("Tools/queries/\(file)").path
    let outcome = try Command.run(["--mode", "table", store, "-f", script])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens/\(file.replacingOccurrences(of: ".objq", with: ".txt"))")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(outcome.output.utf8).write(to: golden)
    }
    let expected = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    #expect(outcome.output == expected)
  }

  /// A statement of these files is worth having only with a comment that says what it answers.
  @Test(arguments: files) func everyStatementSaysWhatItAnswers(file: String) throws {
    let text = try String(
      contentsOfFile: Command.root.appendingPathComponent("Tools/queries/\(file)").path, encoding: .utf8)
    for block in text.components(separatedBy: "\n\n") where block.contains(";") {
      #expect(block.hasPrefix("-- "), "\(file): \(block)")
    }
  }

  /// What the demo suggests at its end finds something, and a plan that it shows goes by an index.
  @Test func whatTheDemoSuggestsFindsSomething() throws {
    let (_, store) = try Self.store.get()
    let demo = try String(contentsOf: Command.root.appendingPathComponent("Tools/demo"), encoding: .utf8)
    let start = "  $objquery $folder/quakes -c \""
    let suggested = demo.split(separator: "\n").filter { $0.hasPrefix(start) }.map {
      $0.dropFirst(start.count).dropLast()
    }
    #expect(suggested.count >= 4)
    for statement in suggested {
      let outcome = try Command.run([store, "-c", String(statement)])
      #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(statement): \(outcome)")
      guard statement.hasPrefix("EXPLAIN ") else { continue }
      let found = !(outcome.output.split(separator: "\n").first?.contains("actual 0") ?? true)
      #expect(found && outcome.output.contains("via index"), "\(statement): \(outcome)")
    }
  }
}
