import ArgumentParser
import Foundation
import ObjectStoreCore

/// Loads the same earthquakes into this store and into SQLite, asks both the same questions, and prints the times.
@main struct Benchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Tools/benchmark/run",
    abstract: "Measures this store against SQLite (through GRDB) on the same generated rows, in one process.",
    discussion: """
      Both give the same answers, or no time is printed. Rows are of 1,000,000 earthquakes and a tenth as many projects \
      with their tasks. Quote ratios: times differ from machine to machine, and from hour to hour.
      """, subcommands: [ColdStart.self])

  @Option(help: "How many earthquakes.") var objects: Int?
  @Option(help: "Measurements a row, of which the median counts.") var repetitions = 7
  @Flag(help: "100,000 earthquakes, which takes less than a minute.") var quick = false
  @Option(help: "Only rows with this text in their names.") var only: String?
  @Option(help: "Also write the rows as JSON to this file.") var json: String?
  @Option(help: "Also write a page with all there is to measure, the machine and the versions to this file.")
  var markdown: String?
  @Option(help: "Measure how times grow with the objects, and draw it as SVG to this file.") var growth: String?
  @Option(help: "The most objects of the growth, from 10000 on by tens.") var growthMax = 1_000_000
  @Option(help: "Ask realm-core, too: the program made by Tools/benchmark/realm-core/CMakeLists.txt.")
  var realmCore: String?
  @Flag(help: "Measure how the file grows under a million random changes.") var rewriting = false

  func validate() throws {
    guard (1...100_000_000).contains(objects ?? 1) else { throw ValidationError("--objects takes 1 to 100000000") }
    guard !(quick && objects != nil) else {
      throw ValidationError("--quick says how many objects: leave out --objects")
    }
    guard (1...1000).contains(repetitions) else { throw ValidationError("--repetitions takes 1 to 1000") }
    guard (10_000...100_000_000).contains(growthMax) else {
      throw ValidationError("--growth-max takes 10000 to 100000000")
    }
  }

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objectstore-benchmark-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = objects ?? (quick ? 100_000 : 1_000_000)
    let report = Report(objects: count, repetitions: repetitions, only: only)
    // Growth and rewriting alone, where nothing else is asked for.
    let isWhole = markdown != nil || json != nil || growth == nil && !rewriting
    let steps = isWhole ? try await measure(report, in: folder) : nil
    let table = Table(rows: report.rows)
    if isWhole { print(table.text + "\n\n" + table.summary) }
    if let json { try write(report.rows, to: json) }

    // After the table: what ten million objects leave behind of freed memory slows whoever comes next.
    let rewritten = try rewriting || markdown != nil ? Rewriting(objects: count).measure() : nil
    if let rewritten { print("\n" + Rewriting.table(rewritten)) }
    let grown = try growth.map { file in
      let (plot, coldStarts) = try Growth(folder: folder, most: growthMax, repetitions: repetitions).measure()
      try Data(plot.svg.utf8).write(to: URL(fileURLWithPath: file))
      print("\n" + plot.table + "\n\n" + ColdStarts.table(coldStarts))
      return (plot: plot, coldStarts: coldStarts)
    }
    if let markdown {
      let page = ResultsPage(
        table: table, steps: steps, plot: grown?.plot, coldStarts: grown?.coldStarts ?? [], rewritten: rewritten ?? [],
        realmVersion: report.realm?.version, objects: count, repetitions: repetitions)
      try Data(page.text.utf8).write(to: URL(fileURLWithPath: markdown))
    }
  }

  /// Every row, in the order of the table.
  private func measure(_ report: Report, in folder: URL) async throws -> QuerySteps? {
    say("Generating \(report.objects) earthquakes …")
    let quakes = QuakeRow.generate(report.objects)
    let store = try load(quakes, into: folder.appendingPathComponent("quakes.store"))
    let sqlite = try SQLiteSide(folder: folder)
    try sqlite.load(quakes)
    let realm = try realmCore.map { try RealmSide($0, folder: folder, repetitions: repetitions) }
    report.realm = realm
    try realm?.load(quakes)
    let size = Double(try store.statistics().fileBytes) / Double(report.objects)
    let questions = Questions(store: store, sqlite: sqlite, quakes: quakes, report: report)

    say("Asking without indexes …")
    try questions.withoutIndexes()
    try ReadingQuestions(store: store, sqlite: sqlite, quakes: quakes, report: report).ask()
    try SectionQuestions(store: store, sqlite: sqlite, report: report).ask()
    for script in Script.all {
      try TextQuestions(script, objects: max(1, report.objects / 5), folder: folder, sqlite: sqlite).ask(report)
    }
    try NeighbourQuestions(objects: max(1, report.objects / 2), folder: folder).ask(report)
    let steps = markdown == nil ? nil : try QuerySteps(store, repetitions: repetitions)
    say("Following links …")
    try LinkQuestions(projects: max(1, report.objects / 10), folder: folder, sqlite: sqlite).ask(report)
    say("Asking with indexes …")
    try questions.withIndexes()
    report.add(try TrigramQuestions(quakes, folder: folder).rows(repetitions: report.repetitions))
    try PointQuestions(store: store, sqlite: sqlite, quakes: quakes, report: report).ask()
    say("Writing …")
    report.add([
      Row(
        row: "size of an object, nine properties, no index", unit: "bytes", ours: size,
        sqlite: Double(sqlite.bytes) / Double(report.objects),
        realm: realm.map { Double($0.bytes) / Double(report.objects) }, goal: 75, isQuery: false)
    ])
    try Insertion(folder: folder, quakes: quakes, report: report).measure()
    try await Updates(folder: folder, store: store, sqlite: sqlite, quakes: quakes, report: report).measure()
    say("Watching …")
    try await LiveQuestions(quakes: quakes, report: report).ask()
    say("Starting …")
    try PointQuestions.opening(folder, report)
    try sqlite.checkpoint()
    try ColdStarts(
      store: folder.appendingPathComponent("quakes.store"), sqlite: folder.appendingPathComponent(SQLiteSide.fileName),
      objects: report.objects, processes: 3 * report.repetitions
    ).ask(report)
    let commands = CommandQuestions(folder: folder, quakes: quakes, report: report)
    try commands.measure()
    try await commands.watch()
    return steps
  }

  private func load(_ quakes: [QuakeRow], into place: URL) throws -> Store {
    let store = try Store(place, models: StoredQuake.self)
    try store.write { tx in for quake in quakes { try tx.add(StoredQuake(quake)) } }
    return store
  }

  private func write(_ rows: [Row], to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(rows).write(to: URL(fileURLWithPath: file))
  }
}
