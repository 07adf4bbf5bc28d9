import Foundation

/// The page of a run for the documentation: the table, what it comes to, the machine and the versions.
struct ResultsPage {
  var table: Table
  var steps: QuerySteps?
  /// How times grow; its picture is `growth.svg`.
  var plot: Plot?
  /// What new processes pay, by the number of objects.
  var coldStarts: [ColdStarts.Outcome]
  var rewritten: [Rewriting.Outcome]
  /// The version of realm-core; nil if it was not asked.
  var realmVersion: String?
  var objects: Int
  var repetitions: Int

  var text: String {
    """
    # Measured

    Every row of one run, beside SQLite and beside a plain loop over arrays in memory.

    ## Overview

    `Tools/benchmark/run --markdown FILE --growth FILE.svg --growth-max 10000000` writes this page. Both stores hold the same \(objects.formatted()) generated
    earthquakes and \((objects / 10).formatted()) projects with their tasks, in one process; both give the same answers,
    or nothing is written. SQLite is asked through GRDB, in WAL mode with `synchronous=FULL`, and has the same indexes.\(realm)
    Every figure is the median of \(repetitions) after a warm-up, but for four: indexes are built once, on SQLite's side
    with the ANALYZE that tells its planner of them; a durable update is the median of 100; what 64 tasks write is
    written once; and a change that watchers are told of is the median of \(100 * repetitions). Texts of other scripts are a
    fifth as many. Times are of one machine and one hour: quote ratios.

    \(table.summary.split(separator: "\n").map { "- \($0)" }.joined(separator: "\n"))

    ## The table

    *SQLite ÷ ours* is how many times as fast this store is. *Limit* is a plain loop over arrays in memory that gives the
    same answer: numbers of the types that the model declares, texts one after another, on one core. Narrow
    values, dictionaries and a second core can beat it; that of LIKE compares letter by letter and says little.
    A *neighbour* is the query in the row above, which differs by one function or operator. Goals are
    for 1,000,000 objects; those of scans go with the objects. What is said of growth and of one query's steps is
    measured apart from the table.

    \(table.text)

    \(sections.joined(separator: "\n\n"))

    """
  }

  /// What is said of realm-core.
  private var realm: String {
    realmVersion.map { version in
      """
       realm-core \(version) is the C++ library that
      Realm for Swift is made of, which itself does not run on Linux: `realm-peer`, a program of
      `Tools/benchmark/realm-core`, asks it the same text in a process of its own, without what the Swift layer would
      add; it has no index over magnitude, and its objects by code are found through an index.
      """
    } ?? ""
  }

  private var sections: [String] {
    [
      steps?.markdown,
      plot.map { plot in
        """
        ## How it grows

        Scans grow with the objects, look-ups in indexes hardly at all. The last column is the power of the number of
        objects by which the time grows: 1 is in proportion.

        ![Time by number of objects, both by powers of ten](growth)

        \(plot.table)
        """
      },
      coldStarts.isEmpty
        ? nil
        : """
        ## In a new process

        What a process takes from before it opens the store to its first answer, and to the end of its first change, with
        the file in the system's memory; each figure is the median of \(3 * repetitions) processes.

        \(ColdStarts.table(coldStarts))
        """,
      """
      ## How the file grows

      A million changes of one property of random objects, in a file of \(objects.formatted()) in memory, where nothing is
      synced (what a sync adds, the durable update above tells): a page that is changed is
      written to a free place, and its old place is free once the next transaction has begun. So the file grows by a
      few times what the largest transaction changes, once, and then no further.

      \(Rewriting.table(rewritten))
      """,
      """
      ## The machine

      \(Machine.description.map { "- \($0)" }.joined(separator: "\n"))
      """,
    ].compactMap(\.self)
  }
}

/// What the run was made with.
enum Machine {
  static var description: [String] {
    let information = ProcessInfo.processInfo
    let memory = Double(information.physicalMemory) / 1_073_741_824
    return [
      "\(processor), \(information.activeProcessorCount) cores, \(Int(memory.rounded())) GiB of memory",
      information.operatingSystemVersionString + kernel,
      said("swift", "--version"),
      said("pkg-config", "--modversion", "lmdb").map { "LMDB \($0)" },
      SQLiteSide.version.map { "SQLite \($0), through GRDB 7.10" },
      Date.now.formatted(.iso8601.year().month().day()),
    ].compactMap(\.self)
  }

  private static var processor: String {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "processor without a name"
  }

  private static var kernel: String {
    guard let release = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8) else { return "" }
    // What comes after the number is the builder's own name for it.
    return ", Linux \(release.prefix { $0.isNumber || $0 == "." })"
  }

  /// The first line of what a command says; nil when it says nothing.
  private static func said(_ command: String...) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
