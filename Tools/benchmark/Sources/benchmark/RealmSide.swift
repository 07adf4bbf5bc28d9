import Foundation

/// What realm-core is asked.
enum RealmQuestion {
  /// How many objects a filter finds.
  case count(String)
  /// Which objects a query finds, in order: told by a property that has the same value in all that may come in any order.
  case list(String, by: String)
  case average(String)
  case maximum(String)
  /// One property of all objects, and all nine.
  case readOne, readNine
  /// One property of the objects with some codes, and all nine.
  case lookUpOne([String]), lookUpNine([String])

  /// As a line for the program that asks.
  fileprivate var line: String {
    switch self {
    case .count(let filter): "count\t\(filter)"
    case .list(let query, let name): "list\t\(query)\t\(name)"
    case .average(let name): "average\t\(name)"
    case .maximum(let name): "maximum\t\(name)"
    case .readOne: "readOne"
    case .readNine: "readNine"
    case .lookUpOne(let codes): "lookUpOne\t\(codes.joined(separator: " "))"
    case .lookUpNine(let codes): "lookUpNine\t\(codes.joined(separator: " "))"
    }
  }
}

/// Another opponent: the same rows in realm-core, the library in C++ that Realm for Swift is made of, which itself does not
/// run on Linux. A program of its own asks it, since its queries are made by templates of C++; see `realm-core/peer.cpp`.
final class RealmSide {
  private static let fileName = "quakes.realm"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let folder: URL
  private var unread = Data()
  /// realm-core's own version.
  private(set) var version = ""
  /// The size of the file after loading, without the indexes made later.
  private(set) var bytes = 0

  /// - Parameters:
  ///   - program: The path of `realm-peer`.
  ///   - repetitions: Measurements of a question, of which the median counts.
  init(_ program: String, folder: URL, repetitions: Int) throws {
    self.folder = folder
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [folder.appendingPathComponent(Self.fileName).path, "\(repetitions)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    version = try nextLine()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Inserts the rows in one transaction.
  func load(_ quakes: [QuakeRow]) throws {
    let file = folder.appendingPathComponent("quakes.tsv")
    var text = ""
    for quake in quakes {
      let values: [String] = [
        quake.code, quake.magnitude.map { "\($0)" } ?? "",
        "\(Int64((quake.time.timeIntervalSince1970 * 1000).rounded()))", quake.place ?? "", "\(quake.depth)",
        quake.felt.map { "\($0)" } ?? "", "\(quake.significance)", quake.tsunami ? "1" : "0", quake.type,
      ]
      text += values.joined(separator: "\t") + "\n"
    }
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let count = try answer("load\t\(file.path)").answer
    guard Int(count) == quakes.count else {
      throw DifferentAnswers(description: "realm-core took \(count) of \(quakes.count) objects")
    }
    let path = folder.appendingPathComponent(Self.fileName).path
    bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// Makes indexes over properties.
  func makeIndexes(_ names: [String]) throws { _ = try answer("index\t\(names.joined(separator: " "))") }

  /// The median of many updates of one object, each in a transaction of its own, in nanoseconds.
  func update(times: Int) throws -> Double { try answer("update\t\(times)").time }

  /// The nanoseconds that a question takes, and its answer as a number.
  ///
  /// - Throws: `FailedQuestion` if realm-core has no such thing.
  func ask(_ question: RealmQuestion) throws -> (time: Double, answer: Double) { try answer(question.line) }

  private func answer(_ line: String) throws -> (time: Double, answer: Double) {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    let said = try nextLine()
    let words = said.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let time = Double(words[0]), let answer = Double(words[1]) else {
      throw FailedQuestion(description: "\(line.prefix(200)): \(said)")
    }
    return (time, answer)
  }

  private func nextLine() throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
        unread = Data(unread[unread.index(after: end)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw FailedQuestion(description: "realm-peer ended without an answer") }
      unread += more
    }
  }

  /// realm-core has no answer.
  struct FailedQuestion: Error, CustomStringConvertible {
    var description: String
  }
}
