import Foundation
import ObjectStoreCore

/// A question both stores are asked, with the same answer in SQL and, for scans, as a loop over arrays in memory.
struct Question {
  var name: String
  var filter: String
  var sql: String
  var goal: Double?
  var loop: (() -> Int)?
}

/// The answers of the two sides differ: then no time means anything.
struct DifferentAnswers: Error, CustomStringConvertible {
  var description: String
}

/// The questions, and how each is measured.
struct Questions {
  var store: Store
  var sqlite: SQLiteSide
  var quakes: [QuakeRow]
  var repetitions: Int

  func withoutIndexes() throws -> [Row] {
    let magnitudes = quakes.map { $0.magnitude ?? .nan }
    let significances = quakes.map { Int64($0.significance) }
    let texts = quakes.map { Array(($0.place ?? "").utf8) }
    let joined = texts.reduce(into: [UInt8]()) {
      $0 += $1
      $0.append(0xFF)
    }
    let day = "time BETWEEN {2017-03-01@00:00:00, 2017-03-02@00:00:00}"
    let dayInSQL = "time BETWEEN 510019200.0 AND 510105600.0"
    let questions = [
      Question(name: "magnitude > 5", filter: "magnitude > 5", sql: "magnitude > 5", goal: 1) {
        magnitudes.reduce(0) { $0 + ($1 > 5 ? 1 : 0) }
      },
      Question(
        name: "significance == 500", filter: "significance == 500", sql: "significance = 500",
        goal: 1
      ) {
        significances.reduce(0) { $0 + ($1 == 500 ? 1 : 0) }
      },
      Question(
        name: "type == \"quarry blast\"", filter: "type == 'quarry blast'",
        sql: "type = 'quarry blast'"),
      Question(
        name: "place CONTAINS \"Alaska\"", filter: "place CONTAINS 'Alaska'",
        sql: "instr(place, 'Alaska') > 0",
        goal: 10
      ) { occurrences(of: "Alaska", in: joined) },
      Question(
        name: "place CONTAINS[c] \"alaska\"", filter: "place CONTAINS[c] 'alaska'",
        sql: "place LIKE '%alaska%'"),
      Question(
        name: "place LIKE \"*Alaska\"", filter: "place LIKE '*Alaska'", sql: "place GLOB '*Alaska'"),
      Question(
        name: "magnitude > 4.5 AND depth < 70 AND place CONTAINS \"Japan\"",
        filter: "magnitude > 4.5 AND depth < 70 AND place CONTAINS 'Japan'",
        sql: "magnitude > 4.5 AND depth < 70 AND instr(place, 'Japan') > 0"),
      Question(
        name: "magnitude * 2 + 1 > 11", filter: "magnitude * 2 + 1 > 11",
        sql: "magnitude * 2 + 1 > 11"),
      Question(name: "time BETWEEN one day", filter: day, sql: dayInSQL),
    ]
    var rows = try questions.map { try count($0, note: "no index") }
    rows.append(
      try compare(
        "average of magnitude", ours: { try store.average(of: "magnitude") },
        sql: "SELECT avg(magnitude) FROM quake"))
    rows.append(
      try compare(
        "maximum of magnitude", ours: { try store.maximum(of: "magnitude") },
        sql: "SELECT max(magnitude) FROM quake"))
    rows.append(
      try list(
        "SORT(magnitude DESC) LIMIT(10), no index",
        "TRUEPREDICATE SORT(magnitude DESC, code ASC) LIMIT(10)",
        sql: "SELECT id FROM quake ORDER BY magnitude DESC, code LIMIT 10"))
    rows.append(
      try list(
        "full sort by magnitude", "TRUEPREDICATE SORT(magnitude ASC)",
        sql: "SELECT id FROM quake ORDER BY magnitude, id"))
    rows.append(
      try list(
        "DISTINCT(type)", "TRUEPREDICATE DISTINCT(type)",
        sql: "SELECT min(id) FROM quake GROUP BY type ORDER BY 1"))
    rows.append(try groups())
    rows.append(
      try pattern("with a required literal", ".*Region 4[0-9]", goal: 60) { place in
        place.dropLast().hasSuffix("Region 4") && place.last?.isNumber == true
      })
    rows.append(
      try pattern("with none", "[0-9]+km [NS][EW]? .*", goal: 250) { place in
        place.split(separator: " ").dropFirst().first.map {
          ["N", "S", "NE", "NW", "SE", "SW"].contains($0)
        } ?? false
      })
    return rows
  }

  func withIndexes() throws -> [Row] {
    let columns = ["code", "magnitude", "time", "significance"]
    var schema = try store.schema
    schema.entities[0].indexes = columns.map {
      Index(kind: $0 == "code" ? .unique : .ordered, paths: [$0])
    }
    let ours = try seconds(ContinuousClock().measure { try store.declare(schema) })
    let theirs = try seconds(ContinuousClock().measure { try sqlite.makeIndexes(columns) })
    let code = quakes[quakes.count / 2].code
    var rows = [
      Row(
        row: "four indexes on existing objects", unit: "ms", ours: ours * 1000,
        sqlite: theirs * 1000)
    ]
    rows += try [
      Question(name: "code == …", filter: "code == '\(code)'", sql: "code = '\(code)'"),
      Question(
        name: "significance == 500", filter: "significance == 500", sql: "significance = 500"),
      Question(
        name: "time BETWEEN one day",
        filter: "time BETWEEN {2017-03-01@00:00:00, 2017-03-02@00:00:00}",
        sql: "time BETWEEN 510019200.0 AND 510105600.0"),
      Question(
        name: "magnitude > 8 AND depth < 70", filter: "magnitude > 8 AND depth < 70",
        sql: "magnitude > 8 AND depth < 70"),
    ].map { try count($0, note: "index") }
    rows.append(
      try list(
        "SORT(magnitude DESC) LIMIT(10), index", "TRUEPREDICATE SORT(magnitude DESC) LIMIT(10)",
        sql: "SELECT id FROM quake ORDER BY magnitude DESC, id LIMIT 10"))
    return rows
  }

  private func count(_ question: Question, note: String) throws -> Row {
    let results = try store.objects("Quake").filter(question.filter)
    let sql = "SELECT count(*) FROM quake WHERE \(question.sql)"
    let (ours, theirs) = (try results.count, try sqlite.integer(sql))
    guard ours == theirs else {
      throw DifferentAnswers(description: "\(question.filter): \(ours), SQLite \(theirs)")
    }
    return Row(
      row: "count \(question.name), \(note)", unit: "ms",
      ours: try median(repetitions) { _ = try store.objects("Quake").filter(question.filter).count }
        / 1e6,
      sqlite: try median(repetitions) { _ = try sqlite.integer(sql) } / 1e6,
      limit: try question.loop.map { loop in
        guard loop() == ours else {
          throw DifferentAnswers(description: "\(question.filter): the loop differs")
        }
        return median(repetitions) { blackHole(loop()) } / 1e6
      }, goal: question.goal)
  }

  private func compare(_ name: String, ours: () throws -> Double, sql: String) throws -> Row {
    let (left, right) = (try ours(), try sqlite.number(sql))
    guard abs(left - right) <= 1e-9 * abs(right) else {
      throw DifferentAnswers(description: "\(name): \(left), SQLite \(right)")
    }
    return Row(
      row: name, unit: "ms", ours: try median(repetitions) { _ = try ours() } / 1e6,
      sqlite: try median(repetitions) { _ = try sqlite.number(sql) } / 1e6)
  }

  /// Groups with a count and an average, which both sides must give alike.
  private func groups() throws -> Row {
    let statement = "Quake GROUP BY type SELECT type, @count AS count, @avg.magnitude AS mean"
    let sql = "SELECT type, count(*), avg(magnitude) FROM quake GROUP BY type"
    func ours() throws -> [String: (Double, Double)] {
      guard case .rows(let rows) = try store.run(statement) else { return [:] }
      return try rows.rows().reduce(into: [:]) { groups, row in
        guard row.count == 3, case .string(let type) = row[0], case .int(let count) = row[1],
          case .double(let mean) = row[2]
        else { return }
        groups[type] = (Double(count), mean)
      }
    }
    let (left, right) = (try ours(), try sqlite.groups(sql))
    guard left.count == right.count,
      right.allSatisfy({ type, group in
        left[type].map { $0.0 == group.0 && abs($0.1 - group.1) <= 1e-9 * abs(group.1) } ?? false
      })
    else { throw DifferentAnswers(description: "\(statement): \(left), SQLite \(right)") }
    return Row(
      row: "GROUP BY type with count and average", unit: "ms",
      ours: try median(repetitions) { _ = try ours() } / 1e6,
      sqlite: try median(repetitions) { _ = try sqlite.groups(sql) } / 1e6, goal: 5)
  }

  /// A regular expression, which SQLite has none of: the answer is compared with that of a function.
  private func pattern(
    _ note: String, _ pattern: String, goal: Double, _ matches: (String) -> Bool
  ) throws -> Row {
    let filter = "place MATCHES '\(pattern)'"
    let expected = quakes.count { $0.place.map(matches) ?? false }
    let found = try store.objects("Quake").filter(filter).count
    guard found == expected else {
      throw DifferentAnswers(description: "\(filter): \(found), a loop \(expected)")
    }
    return Row(
      row: "count \(filter), \(note)", unit: "ms",
      ours: try median(repetitions) { _ = try store.objects("Quake").filter(filter).count } / 1e6,
      goal: goal)
  }

  private func list(_ name: String, _ filter: String, sql: String) throws -> Row {
    let left = try store.objects("Quake").filter(filter).ids.map { Int64($0.rawValue) }
    let right = try sqlite.numbers(sql)
    guard left == right else {
      throw DifferentAnswers(
        description: "\(name): \(left.prefix(5)) …, SQLite \(right.prefix(5)) …")
    }
    return Row(
      row: name, unit: "ms",
      ours: try median(repetitions) { _ = try store.objects("Quake").filter(filter).ids } / 1e6,
      sqlite: try median(repetitions) { _ = try sqlite.numbers(sql) } / 1e6)
  }
}

extension Store {
  fileprivate func average(of path: String) throws -> Double {
    try objects("Quake").average(of: path) ?? .nan
  }

  fileprivate func maximum(of path: String) throws -> Double {
    guard case .double(let value) = try objects("Quake").max(of: path) else { return .nan }
    return value
  }
}

/// Keeps a result from being optimised away.
@inline(never) func blackHole(_ value: Int) {}

/// How many texts, each ended by 0xFF, contain the needle: as fast as the C library searches.
func occurrences(of needle: String, in joined: [UInt8]) -> Int {
  (joined + [0]).withUnsafeBufferPointer { bytes in
    bytes.withMemoryRebound(to: CChar.self) { text in
      guard var place = text.baseAddress else { return 0 }
      var count = 0
      while let hit = strstr(place, needle) {
        count += 1
        guard let next = strchr(hit, 0xFF) else { break }
        place = UnsafePointer(next) + 1
      }
      return count
    }
  }
}
