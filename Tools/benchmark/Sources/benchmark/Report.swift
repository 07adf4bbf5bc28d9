import Foundation

/// The two sides gave different answers: then no time means anything.
struct DifferentAnswers: Error, CustomStringConvertible {
  var description: String
}

/// Gathers the rows: compares the answers of all sides, and measures what is wanted.
final class Report {
  /// Measurements a row, of which the median counts.
  let repetitions: Int
  /// How many objects there are, which the goals of what grows with them go by.
  let objects: Int
  private let only: String?
  private(set) var rows: [Row] = []
  /// Asked the same, where it is to be had.
  var realm: RealmSide?

  /// - Parameter only: a text that rows to be measured have in their names; nil for all.
  init(objects: Int, repetitions: Int, only: String?) {
    self.objects = objects
    self.repetitions = repetitions
    self.only = only
  }

  /// Whether a row is wanted. What has to be made for it alone need not be made otherwise.
  func wants(_ name: String) -> Bool { only.map { name.range(of: $0, options: .caseInsensitive) != nil } ?? true }

  /// Adds what was measured elsewhere, as far as it is wanted.
  func add(_ measured: [Row]) { for row in measured where wants(row.row) { add(row) } }

  /// Adds a row measured elsewhere.
  func add(_ row: Row) {
    rows.append(row)
    say(
      "  \(row.row): \(Figure(row.ours)) \(row.unit)" + (row.sqlite.map { ", SQLite \(Figure($0))" } ?? "")
        + (row.realm.map { ", realm-core \(Figure($0))" } ?? ""))
  }

  /// The goal of work in proportion to the objects, stated for a million.
  func goal(_ forAMillion: Double) -> Double { forAMillion * Double(objects) / 1e6 }

  /// A question: asks each side, compares what they say, and measures them.
  ///
  /// - Parameters:
  ///   - name: what is asked.
  ///   - unit: `ms`, `us` or `ns`.
  ///   - goal: in that unit.
  ///   - limit: the same answer from arrays in memory.
  ///   - neighbour: what a similar question takes, in that unit.
  ///   - times: how often it is done in what is measured; the row is of one.
  ///   - realm: what realm-core is asked.
  ///   - number: turns an answer into the number that is compared with realm-core's; nil if the answer is that number.
  func question<Value: Answer>(
    _ name: String, unit: String = "ms", goal: Double? = nil, neighbour: Double? = nil, times: Int = 1,
    isQuery: Bool = true, ours: () throws -> Value,
    sqlite: (() throws -> Value)? = nil, limit: (() -> Value)? = nil, realm: RealmQuestion? = nil,
    number: ((Value) -> Double)? = nil
  ) throws {
    guard wants(name) else { return }
    let answer = try ours()
    if let other = try sqlite?(), !answer.agrees(with: other) {
      throw DifferentAnswers(description: "\(name): \(answer.summary), SQLite \(other.summary)")
    }
    if let other = limit?(), !answer.agrees(with: other) {
      throw DifferentAnswers(description: "\(name): \(answer.summary), from arrays in memory \(other.summary)")
    }
    func time(_ body: () throws -> Value) rethrows -> Double {
      try median(repetitions) { blackHole(try body()) } / Self.nanoseconds(in: unit) / Double(times)
    }
    add(
      Row(
        row: name, unit: unit, ours: try time(ours), sqlite: try sqlite.map { try time($0) },
        realm: try realm.flatMap { try ask($0, name, number?(answer) ?? answer.number) }.map {
          $0 / Self.nanoseconds(in: unit) / Double(times)
        },
        limit: limit.map { time($0) }, goal: goal, neighbour: neighbour, isQuery: isQuery))
  }

  /// What realm-core takes for the same answer, in nanoseconds; nil if it has no such thing, which is said.
  private func ask(_ question: RealmQuestion, _ name: String, _ expected: Double?) throws -> Double? {
    guard let realm, let expected else { return nil }
    do {
      let (time, answer) = try realm.ask(question)
      guard expected.agrees(with: answer) else {
        throw DifferentAnswers(description: "\(name): \(expected), realm-core \(answer)")
      }
      return time
    } catch let error as RealmSide.FailedQuestion {
      say("  realm-core: \(error)")
      return nil
    }
  }

  /// A rate: how many objects a second each side takes in, by what it takes for `count` of them.
  func rate(
    _ name: String, of count: Int, goal: Double? = nil, ours: () throws -> Double, sqlite: (() throws -> Double)? = nil
  ) throws {
    guard wants(name) else { return }
    func rate(_ measure: () throws -> Double) throws -> Double {
      let times = try (0...repetitions).map { _ in try measure() }
      return Double(count) / median(of: Array(times.dropFirst())) * 1e9
    }
    add(
      Row(
        row: name, unit: "objects/s", ours: try rate(ours), sqlite: try sqlite.map(rate), goal: goal, isQuery: false))
  }

  private static func nanoseconds(in unit: String) -> Double {
    switch unit {
    case "ms": 1e6
    case "us": 1e3
    default: 1
    }
  }
}

/// What a question is answered with.
protocol Answer {
  /// Whether the other side says the same, but for the last digits of a mean.
  func agrees(with other: Self) -> Bool
  /// In a few words.
  var summary: String { get }
  /// As one number; nil where it is none.
  var number: Double? { get }
}

extension Int: Answer {
  func agrees(with other: Int) -> Bool { self == other }
  var summary: String { "\(self)" }
  var number: Double? { Double(self) }
}

extension Double: Answer {
  func agrees(with other: Double) -> Bool { self == other || abs(self - other) <= 1e-9 * abs(other) }
  var summary: String { "\(self)" }
  var number: Double? { self }
}

extension Array: Answer where Element == Int64 {
  func agrees(with other: [Int64]) -> Bool { self == other }
  var summary: String { "\(count) objects, first \(prefix(5))" }
  var number: Double? { nil }
}

/// A count and a mean of each group, by its name.
struct Groups: Answer {
  var groups: [String: (count: Int, mean: Double)]

  func agrees(with other: Groups) -> Bool {
    groups.count == other.groups.count
      && groups.allSatisfy { name, group in
        other.groups[name].map { $0.count == group.count && $0.mean.agrees(with: group.mean) } ?? false
      }
  }

  var summary: String { "\(groups)" }
  var number: Double? { nil }
}

/// Progress, on stderr.
func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
