import Foundation
import GRDB

/// The opponent: the same rows in SQLite through GRDB, WAL with `synchronous=FULL`.
final class SQLiteSide {
  let database: DatabasePool
  /// The size of the file after loading, without the indexes made later.
  private(set) var bytes = 0

  init(folder: URL) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    database = try DatabasePool(
      path: folder.appendingPathComponent("quakes.sqlite").path, configuration: configuration)
  }

  /// Inserts the rows in one transaction; returns objects per second.
  func load(_ rows: [QuakeRow]) throws -> Double {
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE quake (id INTEGER PRIMARY KEY, code TEXT NOT NULL, magnitude REAL, time REAL NOT NULL, place TEXT,
            depth REAL NOT NULL, felt INTEGER, significance INTEGER NOT NULL, tsunami INTEGER NOT NULL, type TEXT NOT NULL)
          """)
    }
    let clock = ContinuousClock()
    let duration = try clock.measure {
      try database.write { db in
        let statement = try db.makeStatement(
          sql: """
            INSERT INTO quake (code, magnitude, time, place, depth, felt, significance, tsunami, type)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for row in rows {
          try statement.execute(arguments: [
            row.code, row.magnitude, row.time.timeIntervalSinceReferenceDate, row.place, row.depth,
            row.felt,
            row.significance, row.tsunami, row.type,
          ])
        }
      }
    }
    try database.barrierWriteWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    bytes = try database.read { db in
      try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
    return Double(rows.count) / seconds(duration)
  }

  func makeIndexes(_ columns: [String]) throws {
    try database.write { db in
      for column in columns {
        try db.execute(sql: "CREATE INDEX quake_\(column) ON quake(\(column))")
      }
      try db.execute(sql: "ANALYZE")
    }
  }

  func integer(_ sql: String) throws -> Int {
    try database.read { try Int.fetchOne($0.cachedStatement(sql: sql)) ?? 0 }
  }

  func number(_ sql: String) throws -> Double {
    try database.read { try Double.fetchOne($0.cachedStatement(sql: sql)) ?? .nan }
  }

  /// A text and two numbers a row, by the text.
  func groups(_ sql: String) throws -> [String: (Double, Double)] {
    try database.read { db in
      try Dictionary(
        uniqueKeysWithValues: GRDB.Row.fetchAll(db.cachedStatement(sql: sql)).map { row in
          (row[0] as String, (row[1] as Double, row[2] as Double))
        })
    }
  }

  /// Makes a table of texts, `name(x)`.
  func load(texts: [String], into table: String) throws {
    try database.write { db in
      try db.execute(sql: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, x TEXT NOT NULL)")
      let statement = try db.makeStatement(sql: "INSERT INTO \(table) (x) VALUES (?)")
      for text in texts { try statement.execute(arguments: [text]) }
    }
  }

  func numbers(_ sql: String) throws -> [Int64] {
    try database.read { try Int64.fetchAll($0.cachedStatement(sql: sql)) }
  }
}

/// A duration in seconds.
func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
