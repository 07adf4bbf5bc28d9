import Foundation

/// What a process pays before its first answer: it opens the store and does one thing. Each time is that of a new process,
/// this store's and SQLite's in turn; the file is in the system's memory, and somebody has it open.
struct ColdStarts {
  /// What each side took, in milliseconds: medians.
  struct Times {
    var ours: Double
    var sqlite: Double
  }

  /// All there is to measure, for one number of objects.
  struct Outcome {
    var objects: Int
    var lookUp: Times
    var scan: Times
    var change: Times
    /// Two syncs of one page each on the same disk, in milliseconds.
    var syncs: Double
  }

  /// The store, with a unique index over `code`, and SQLite's file with the same.
  let store: URL
  let sqlite: URL
  let objects: Int
  /// How many processes of each side.
  let processes: Int

  /// Adds the rows of the table.
  func ask(_ report: Report) throws {
    func add(_ name: String, goal: Double, _ measure: () throws -> (Times, limit: Double?)) throws {
      guard report.wants(name) else { return }
      let (times, limit) = try measure()
      report.add(
        Row(
          row: name, unit: "ms", ours: times.ours, sqlite: times.sqlite, limit: limit, goal: goal + (limit ?? 0),
          isQuery: false))
    }
    try add("new process: open, look one object up", goal: 1) { (try measure(.lookUp), nil) }
    try add("new process: open, count depth > 300, no index", goal: report.goal(6)) { (try measure(.scan), nil) }
    try add("new process: open, durable one-object update (limit: two syncs)", goal: 2) {
      let (times, syncs) = try measureChange()
      return (times, syncs)
    }
  }

  /// Measures everything.
  func outcome() throws -> Outcome {
    let (change, syncs) = try measureChange()
    return Outcome(
      objects: objects, lookUp: try measure(.lookUp), scan: try measure(.scan), change: change, syncs: syncs)
  }

  private func measure(_ work: ColdStart.Work) throws -> Times {
    var (ours, theirs): ([Double], [Double]) = ([], [])
    // The first of each brings the file into memory.
    for turn in 0...processes {
      let index = index(turn)
      let (mine, other) = (try start(.ours, work, index), try start(.sqlite, work, index))
      guard mine.answer == other.answer else {
        throw DifferentAnswers(description: "new process, \(work) of \(index): \(mine.answer), SQLite \(other.answer)")
      }
      ours.append(mine.time)
      theirs.append(other.time)
    }
    return Times(ours: median(of: Array(ours.dropFirst())), sqlite: median(of: Array(theirs.dropFirst())))
  }

  /// With the time of two syncs, taken in turn with the others, since a disk's mood changes.
  private func measureChange() throws -> (Times, syncs: Double) {
    let file = try SyncedFile(store.deletingLastPathComponent().appendingPathComponent("synced").path)
    var (ours, theirs, syncs): ([Double], [Double], [Double]) = ([], [], [])
    // Until commits have freed pages for those after them, the file grows, which a disk syncs otherwise.
    for turn in 0..<processes + 5 {
      if turn == 5 { (ours, theirs, syncs) = ([], [], []) }
      ours.append(try start(.ours, .change, index(turn)).time)
      syncs.append(try nanoseconds { for page in 0..<2 { try file.writePage((17 * turn + page) % 1000) } } / 1e6)
      theirs.append(try start(.sqlite, .change, index(turn)).time)
    }
    return (Times(ours: median(of: ours), sqlite: median(of: theirs)), median(of: syncs))
  }

  /// Objects far from each other.
  private func index(_ turn: Int) -> Int { (turn * 104_729 + objects / 3) % objects }

  /// What a new process says: milliseconds, and the answer.
  private func start(
    _ side: ColdStart.Side, _ work: ColdStart.Work, _ index: Int
  ) throws -> (time: Double, answer: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = side == .ours ? store.path : sqlite.path
    process.arguments = [ColdStart._commandName, side.rawValue, work.rawValue, path, "\(index)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: " ")
    process.waitUntilExit()
    guard process.terminationStatus == 0, said.count == 4, let time = Double(said[0]) else {
      throw FailedCommand(command: "\(side) \(work) in a process of its own", status: process.terminationStatus)
    }
    return (time / 1e6, said[3].trimmingCharacters(in: .newlines))
  }
}

extension ColdStarts {
  /// The outcomes as a Markdown table.
  static func table(_ outcomes: [Outcome]) -> String {
    var lines = [
      "| ms in a new process at | " + outcomes.map { "\($0.objects)" }.joined(separator: " | ") + " |",
      "| --- |" + String(repeating: " ---: |", count: outcomes.count),
    ]
    let rows: [(String, (Outcome) -> Double)] = [
      ("open, look one object up", { $0.lookUp.ours }),
      ("the same in SQLite", { $0.lookUp.sqlite }),
      ("open, count depth > 300, no index", { $0.scan.ours }),
      ("the same in SQLite", { $0.scan.sqlite }),
      ("open, durable one-object update", { $0.change.ours }),
      ("the same in SQLite", { $0.change.sqlite }),
      ("two syncs, as the update has", { $0.syncs }),
    ]
    for (name, figure) in rows {
      lines.append("| \(name) | " + outcomes.map { "\(Figure(figure($0)))" }.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
