import Foundation
import GRDB
import ObjectStoreCore
import PredicateLanguage

/// What is about one object, or about none: a look-up by a unique property, reading a query, opening a store.
struct PointQuestions {
  let store: Store
  let sqlite: SQLiteSide
  let quakes: [QuakeRow]
  let report: Report

  /// Needs the index over `code`.
  func ask() throws {
    try object()
    try arguments()
    try query()
  }

  private func object() throws {
    var random = Generator(seed: 11)
    let codes = (0..<100).map { _ in quakes[random.below(quakes.count)].code }
    func sqliteDepths() throws -> Double {
      try sqlite.database.read { db in
        let statement = try db.cachedStatement(sql: "SELECT depth FROM quake WHERE code = ?")
        return try codes.reduce(0.0) { try $0 + (Double.fetchOne(statement, arguments: [$1]) ?? .nan) }
      }
    }
    func sqliteObjects() throws -> Double {
      try sqlite.database.read { db in
        let statement = try db.cachedStatement(sql: "SELECT \(ReadingQuestions.columns) FROM quake WHERE code = ?")
        return try codes.reduce(0.0) { sum, code in
          let row = try GRDB.Row.fetchOne(statement, arguments: [code])
          return sum + (row.map { ReadingQuestions.quake($0).depth } ?? .nan)
        }
      }
    }
    try report.question(
      "one object by unique property, one property read", unit: "us", goal: 1, times: codes.count,
      ours: {
        try store.snapshot { snapshot in
          try codes.reduce(0.0) { sum, code in
            sum + (try snapshot.value(of: \StoredQuake.depth, where: \.code, is: code) ?? .nan)
          }
        }
      }, sqlite: sqliteDepths, realm: .lookUpOne(codes))
    try report.question(
      "one object by unique property, nine properties read", unit: "us", times: codes.count,
      ours: {
        try store.snapshot { snapshot in
          try codes.reduce(0.0) { sum, code in
            sum + (try snapshot.object(StoredQuake.self, where: \.code, is: code)?.depth ?? .nan)
          }
        }
      }, sqlite: sqliteObjects, realm: .lookUpNine(codes))
    try report.question(
      "one object by a query of its unique property, nine properties read", unit: "us", times: codes.count,
      ours: {
        try store.snapshot { snapshot in
          try codes.reduce(0.0) { sum, code in
            let found = try snapshot.objects(StoredQuake.self).filter("code == %@", code).first
            return sum + (found?.depth ?? .nan)
          }
        }
      }, sqlite: sqliteObjects)
    try report.question(
      "one object by unique property, each in a snapshot of its own, nine properties read", unit: "us",
      times: codes.count,
      ours: {
        try codes.reduce(0.0) { sum, code in
          sum + (try store.object(StoredQuake.self, where: \.code, is: code)?.depth ?? .nan)
        }
      },
      sqlite: {
        try codes.reduce(0.0) { sum, code in
          try sqlite.database.read { db in
            let statement = try db.cachedStatement(
              sql: "SELECT \(ReadingQuestions.columns) FROM quake WHERE code = ?")
            let row = try GRDB.Row.fetchOne(statement, arguments: [code])
            return sum + (row.map { ReadingQuestions.quake($0).depth } ?? .nan)
          }
        }
      })
  }

  /// Queries that indexes answer, with other arguments each time, so many that neither side remembers what it found:
  /// SQLite's statements are prepared once.
  private func arguments() throws {
    var random = Generator(seed: 12)
    let asked = (0..<20_000).map { _ in quakes[random.below(quakes.count)] }
    try count("code == %@ AND magnitude > %@", "code = ? AND magnitude > ?", asked) {
      ([$0.code, $0.depth / 100], [$0.code, $0.depth / 100])
    }
    try count("significance == %@", "significance = ?", asked) { ([$0.significance], [$0.significance]) }
    try count("time >= %@ AND time < %@", "time >= ? AND time < ?", asked) {
      let (from, to) = ($0.time, $0.time.addingTimeInterval(600))
      return ([from, to], [from.timeIntervalSinceReferenceDate, to.timeIntervalSinceReferenceDate])
    }
  }

  /// A hundred at a time.
  private func count(
    _ filter: String, _ sql: String, _ quakes: [QuakeRow],
    _ arguments: (QuakeRow) -> (ours: [(any QueryArgument)?], sqlite: StatementArguments)
  ) throws {
    let arguments = quakes.map(arguments)
    var used = (ours: 0, sqlite: 0)
    func next(_ place: inout Int) -> Range<Int> {
      defer { place = (place + NewTexts.count) % arguments.count }
      return place..<place + NewTexts.count
    }
    try report.question(
      "count \(filter), index, other arguments", unit: "us", times: NewTexts.count,
      ours: {
        try store.snapshot { snapshot in
          let quakes = try snapshot.objects("Quake")
          return try next(&used.ours).reduce(0) {
            try $0 + quakes.filter(filter, arguments: Arguments(arguments[$1].ours)).count
          }
        }
      },
      sqlite: {
        try sqlite.database.read { db in
          let statement = try db.cachedStatement(sql: "SELECT COUNT(*) FROM quake WHERE \(sql)")
          return try next(&used.sqlite).reduce(0) {
            try $0 + (Int.fetchOne(statement, arguments: arguments[$1].sqlite) ?? 0)
          }
        }
      })
  }

  private func query() throws {
    // Another number each time, and more of them than are remembered, so that it is a new query to both.
    var asked = NewTexts { "magnitude > 4.\($0) AND depth < 70 AND place CONTAINS 'Japan'" }
    var sql = NewTexts { "SELECT id FROM quake WHERE magnitude > 4.\($0) AND depth < 70 AND instr(place, 'Japan')" }
    try report.question(
      "parse a three-clause query", unit: "us", goal: 5, times: NewTexts.count, isQuery: false,
      ours: { try asked.next().count { try PredicateParser.filter($0).predicate != nil } })
    // To find none of them takes a plan and nothing more. Each side makes its hundred in one version of the store.
    var number = 0
    try report.question(
      "plan a three-clause query with other arguments", unit: "us", times: NewTexts.count, isQuery: false,
      ours: {
        try store.snapshot { snapshot in
          let quakes = try snapshot.objects("Quake")
          return try (0..<NewTexts.count).reduce(0) { count, _ in
            number += 1
            let found = try quakes.filter(
              "magnitude > %@ AND depth < 70 AND place CONTAINS %@", 4 + Double(number) / 1e6, "Japan")
            return try count + found.limit(0).count
          }
        }
      })
    try report.question(
      "parse and plan a three-clause query", unit: "us", goal: 20, times: NewTexts.count, isQuery: false,
      ours: {
        try store.snapshot { snapshot in
          let quakes = try snapshot.objects("Quake")
          return try asked.next().reduce(0) { try $0 + quakes.filter($1).limit(0).count }
        }
      },
      sqlite: {
        try sqlite.database.read { db in
          try sql.next().reduce(0) { count, text in
            count + (try db.makeStatement(sql: text).columnCount == 1 ? 0 : 1)
          }
        }
      })
  }

  /// Opens a store and asks it what is in it; nobody else in the process has it open.
  static func opening(_ folder: URL, _ report: Report) throws {
    let path = folder.appendingPathComponent("opened").path
    let schema = Schema(entities: [
      Entity(name: "Name", properties: [Property(name: "x", type: .scalar(.string))])
    ])
    try Store.openDynamic(path + ".store", mode: .create, schema: schema).write { tx in
      _ = try tx.inserter(for: "Name").append([.string("one")])
    }
    try DatabaseQueue(path: path + ".sqlite").write { db in
      try db.execute(sql: "CREATE TABLE name (x TEXT); INSERT INTO name VALUES ('one')")
    }
    try report.question(
      "open a store", goal: 1, isQuery: false,
      ours: { try Store.openDynamic(path + ".store", mode: .readWrite).objects("Name").count },
      sqlite: {
        try DatabaseQueue(path: path + ".sqlite").read { try Int.fetchOne($0, sql: "SELECT count(*) FROM name") ?? 0 }
      })
  }
}
