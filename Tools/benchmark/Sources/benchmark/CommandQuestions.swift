import Foundation

/// What the command takes, from its start to its end: importing files, and answering one question.
struct CommandQuestions {
  let folder: URL
  let quakes: [QuakeRow]
  let report: Report
  /// The command; nil where it was not built beside the benchmark.
  let objquery: URL?
  /// SQLite's own, where the machine has it.
  private let sqlite3: URL?

  init(folder: URL, quakes: [QuakeRow], report: Report) {
    self.folder = folder
    self.quakes = quakes
    self.report = report
    objquery = Self.executable("objquery", in: [Bundle.main.bundlePath])
    sqlite3 = Self.executable(
      "sqlite3", in: (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":"))
  }

  func measure() throws {
    guard let objquery else { throw MissingCommand() }
    let (lines, table) = (folder.appendingPathComponent("quakes.ndjson"), folder.appendingPathComponent("quakes.csv"))
    if report.wants("import of NDJSON by objquery") || report.wants("start objquery -c") {
      try write(to: lines) { $0.json }
    }
    try report.rate(
      "import of NDJSON by objquery", of: quakes.count, goal: 300_000, ours: { try load(lines, objquery) })
    if report.wants("import of CSV by objquery") { try write(to: table, header: QuakeRow.header) { $0.csv } }
    try report.rate(
      "import of CSV by objquery", of: quakes.count, goal: 300_000, ours: { try load(table, objquery) },
      sqlite: sqlite3.map { sqlite3 in { try loadIntoSQLite(table, sqlite3) } })
    try start(lines, objquery)
  }

  /// A question to a store of a thousand objects, which takes no time itself.
  private func start(_ lines: URL, _ objquery: URL) throws {
    let name = "start objquery -c"
    guard report.wants(name) else { return }
    let (few, store) = (folder.appendingPathComponent("few.ndjson"), folder.appendingPathComponent("few.store"))
    try CommandQuestions(folder: folder, quakes: Array(quakes.prefix(1000)), report: report).write(to: few) { $0.json }
    _ = try run(objquery, ["import", store.path, few.path, "Quake"])
    let database = folder.appendingPathComponent("few.sqlite").path
    if let sqlite3 { _ = try run(sqlite3, [database, "CREATE TABLE quake (magnitude REAL)"]) }
    try report.question(
      name, goal: 30, isQuery: false,
      ours: { try Int(run(objquery, [store.path, "-c", "COUNT Quake WHERE magnitude > 100"]).trimmed) ?? -1 },
      sqlite: sqlite3.map { sqlite3 in
        { try Int(run(sqlite3, [database, "SELECT count(*) FROM quake WHERE magnitude > 100"]).trimmed) ?? -1 }
      })
  }

  // MARK: Importing

  private func load(_ file: URL, _ objquery: URL) throws -> Double {
    let store = folder.appendingPathComponent("imported.store")
    defer { try? FileManager.default.removeItem(at: store) }
    return try nanoseconds { _ = try run(objquery, ["import", store.path, file.path, "Quake"]) }
  }

  private func loadIntoSQLite(_ file: URL, _ sqlite3: URL) throws -> Double {
    let database = folder.appendingPathComponent("imported.sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + end) } }
    let columns = """
      code TEXT, magnitude REAL, time TEXT, place TEXT, depth REAL, felt INTEGER, significance INTEGER, tsunami TEXT, \
      type TEXT
      """
    return try nanoseconds {
      _ = try run(
        sqlite3,
        [
          database.path, "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE quake (\(columns))",
          ".import --csv --skip 1 \(file.path) quake",
        ])
    }
  }

  private func write(to file: URL, header: String? = nil, _ line: (QuakeRow) -> String) throws {
    var text = header.map { $0 + "\n" } ?? ""
    for quake in quakes { text += line(quake) + "\n" }
    try Data(text.utf8).write(to: file)
  }

  // MARK: Running

  private static func executable(_ name: String, in folders: [String]) -> URL? {
    folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// What a command prints; throws when it fails.
  func run(_ command: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = command
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FailedCommand(
        command: ([command.path] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// A command ended badly.
struct FailedCommand: Error, CustomStringConvertible {
  var command: String
  var status: Int32
  var description: String { "'\(command)' ended with status \(status)" }
}

/// The command is not beside the benchmark.
struct MissingCommand: Error, CustomStringConvertible {
  var description: String { "objquery is not beside this program: start it by Tools/benchmark/run, which builds both" }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension QuakeRow {
  private var moment: String { time.formatted(.iso8601.time(includingFractionalSeconds: true)) }

  fileprivate var json: String {
    let values = [
      "\"code\":\"\(code)\"", "\"magnitude\":" + (magnitude.map { "\($0)" } ?? "null"), "\"time\":\"\(moment)\"",
      "\"place\":" + (place.map { "\"\($0)\"" } ?? "null"), "\"depth\":\(depth)",
      "\"felt\":" + (felt.map { "\($0)" } ?? "null"), "\"significance\":\(significance)", "\"tsunami\":\(tsunami)",
      "\"type\":\"\(type)\"",
    ]
    return "{" + values.joined(separator: ",") + "}"
  }

  fileprivate static let header = "code,magnitude,time,place,depth,felt,significance,tsunami,type"

  fileprivate var csv: String {
    [
      code, magnitude.map { "\($0)" } ?? "", moment, place.map { "\"\($0)\"" } ?? "", "\(depth)",
      felt.map { "\($0)" } ?? "", "\(significance)", "\(tsunami)", type,
    ].joined(separator: ",")
  }
}
