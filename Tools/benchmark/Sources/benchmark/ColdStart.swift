import ArgumentParser
import Foundation
import GRDB
import Glibc
import ObjectStoreCore

/// One piece of work in a process of its own, from before the store is opened to the answer: what `ColdStarts` starts
/// again and again. It prints nanoseconds, nanoseconds of processor time, kibibytes of memory, and the answer.
struct ColdStart: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "cold-start", shouldDisplay: false)

  /// What is done after opening.
  enum Work: String, ExpressibleByArgument, CaseIterable {
    /// One property of the object with a code.
    case lookUp
    /// How many objects a condition without an index finds.
    case scan
    /// One property of one object changed, and safe on disk.
    case change
  }

  enum Side: String, ExpressibleByArgument {
    case ours, sqlite
  }

  @Argument var side: Side
  @Argument var work: Work
  @Argument var path: String
  /// Which object, counted from 0.
  @Argument var index: Int

  func run() throws {
    let before = Self.processorTime
    let clock = ContinuousClock()
    let start = clock.now
    // What it holds is closed when the time has been taken.
    let (answer, opened) = side == .ours ? try ours() : try sqlite()
    let (wall, processor) = (seconds(clock.now - start) * 1e9, Self.processorTime - before)
    withExtendedLifetime(opened) { print(Int(wall), Int(processor), Self.memory, answer) }
  }

  private func ours() throws -> (answer: Double, opened: AnyObject) {
    let store = try Store.openDynamic(path, mode: .readWrite)
    switch work {
    case .lookUp:
      return (try store.snapshot { try $0.value(of: \StoredQuake.depth, where: \.code, is: code) ?? .nan }, store)
    case .scan: return (Double(try store.objects("Quake").filter("depth > 300").count), store)
    case .change:
      let number = ObjectNumber(UInt64(index + 1))
      try store.write { try $0.update(number, of: "Quake", ["felt": .int(Int64(getpid()))]) }
      return (1, store)
    }
  }

  private func sqlite() throws -> (answer: Double, opened: AnyObject) {
    let database = try DatabaseQueue(path: path)
    let answer =
      switch work {
      case .lookUp:
        try database.read {
          try Double.fetchOne($0, sql: "SELECT depth FROM quake WHERE code = ?", arguments: [code]) ?? .nan
        }
      case .scan:
        try database.read { try Double.fetchOne($0, sql: "SELECT count(*) FROM quake WHERE depth > 300") ?? .nan }
      case .change:
        try database.write { db in
          try db.execute(sql: SQLiteSide.setFelt, arguments: [Int(getpid()), index + 1])
          return Double(db.changesCount)
        }
      }
    return (answer, database)
  }

  private var code: String { QuakeRow.code(of: index) }

  /// What this process has used of the processors, in nanoseconds.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Memory of its own, in kibibytes: not the pages of the file that it has mapped.
  private static var memory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
