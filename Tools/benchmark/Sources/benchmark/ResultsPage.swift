import Foundation

/// The page of a run for the documentation: the table, what it comes to, the machine and the versions.
struct ResultsPage {
  var table: Table
  var objects: Int
  var repetitions: Int

  var text: String {
    """
    # Measured

    Every row of one run, beside SQLite and beside a plain loop over arrays in memory.

    ## Overview

    `Tools/benchmark/run --markdown FILE` writes this page. Both stores hold the same \(objects.formatted()) generated
    earthquakes and \((objects / 10).formatted()) projects with their tasks, in one process; both give the same answers,
    or nothing is written. SQLite is asked through GRDB, in WAL mode with `synchronous=FULL`, and has the same indexes.
    Every figure is the median of \(repetitions) after a warm-up. Times are of one machine and one hour: quote ratios.

    \(table.summary.split(separator: "\n").map { "- \($0)" }.joined(separator: "\n"))

    ## The table

    *SQLite ÷ ours* is how many times as fast this store is. *Limit* is a plain loop over arrays in memory that gives the
    same answer: numbers of the types that the model declares, texts one after another. Goals are for 1,000,000 objects;
    those of scans go with the objects.

    \(table.text)

    ## The machine

    \(Machine.description.map { "- \($0)" }.joined(separator: "\n"))

    """
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
      said("swift", "--version").map { "Swift: \($0)" },
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
    (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8))
      .map { ", Linux \($0.trimmingCharacters(in: .whitespacesAndNewlines))" } ?? ""
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
