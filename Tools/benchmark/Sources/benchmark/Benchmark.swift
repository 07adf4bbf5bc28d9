import ArgumentParser
import Foundation
import ObjectStoreCore

/// Loads the same earthquakes into this store and into SQLite, asks both the same questions, and prints the times.
@main struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measures this store against SQLite (through GRDB) on the same generated rows, in one process."
  )

  @Option(help: "How many earthquakes.") var objects = 1_000_000
  @Option(help: "Measurements a row, of which the median counts.") var repetitions = 7
  @Option(help: "Also write the rows as JSON to this file.") var json: String?

  func validate() throws {
    guard (1...100_000_000).contains(objects) else {
      throw ValidationError("--objects takes 1 to 100000000")
    }
    guard (1...1000).contains(repetitions) else {
      throw ValidationError("--repetitions takes 1 to 1000")
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "objectstore-benchmark-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    say("Generating \(objects) earthquakes")
    let quakes = QuakeRow.generate(objects)
    var rows: [Row] = []

    say("Inserting")
    let small = try Insertion(folder: folder).run(quakes)
    rows += small
    let store = try Store(
      folder.appendingPathComponent("quakes.store").path, models: StoredQuake.self)
    let sqlite = try SQLiteSide(folder: folder)
    let models = quakes.map(StoredQuake.init)
    let ours = try seconds(
      ContinuousClock().measure {
        try store.write { tx in for quake in models { try tx.add(quake) } }
      })
    let theirs = try sqlite.load(quakes)
    rows.append(
      Row(
        row: "insert, nine properties", unit: "objects/s", ours: Double(objects) / ours,
        sqlite: theirs))
    let bytes = try store.statistics().fileBytes
    rows.append(
      Row(
        row: "size of an object", unit: "bytes", ours: Double(bytes) / Double(objects),
        sqlite: Double(sqlite.bytes) / Double(objects)))

    say("Asking")
    let questions = Questions(
      store: store, sqlite: sqlite, quakes: quakes, repetitions: repetitions)
    rows += try questions.withoutIndexes()
    for script in Script.all {
      rows += try TextQuestions(
        script, objects: max(1, objects / 5), folder: folder, sqlite: sqlite
      )
      .rows(repetitions: repetitions)
    }
    say("Following links")
    rows += try LinkQuestions(projects: max(1, objects / 10), folder: folder, sqlite: sqlite)
      .rows(repetitions: repetitions)
    say("Seeking trigrams")
    rows += try TrigramQuestions(quakes, folder: folder).rows(repetitions: repetitions)
    say("Indexing")
    rows += try questions.withIndexes()

    print(table(rows))
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(rows).write(to: URL(fileURLWithPath: json))
    }
  }
}

/// Progress, on stderr.
func say(_ text: String) { FileHandle.standardError.write(Data((text + " …\n").utf8)) }
