import Foundation
import GRDB

/// The opponent: the same rows in SQLite through GRDB, in WAL mode with `synchronous=FULL`.
final class SQLiteSide {
  let database: DatabasePool
  /// The size of the file after loading, without the indexes made later.
  private(set) var bytes = 0

  /// How its file is called in the folder.
  static let fileName = "quakes.sqlite"

  init(folder: URL) throws {
    database = try DatabasePool(path: folder.appendingPathComponent(Self.fileName).path)
    // GRDB itself chooses NORMAL for a pool, which loses the last commits when the power fails.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let synchronous = try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    guard synchronous == 2 else { throw DifferentAnswers(description: "SQLite does not sync as it was told") }
  }

  /// SQLite's own version.
  static var version: String? {
    try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }

  /// Makes the table and inserts the rows in one transaction.
  func load(_ rows: some Sequence<QuakeRow>) throws {
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE quake (id INTEGER PRIMARY KEY, code TEXT NOT NULL, magnitude REAL, time REAL NOT NULL, place TEXT,
            depth REAL NOT NULL, felt INTEGER, significance INTEGER NOT NULL, tsunami INTEGER NOT NULL, type TEXT NOT NULL)
          """)
      let statement = try db.makeStatement(sql: Self.insert)
      for row in rows { try statement.execute(arguments: row.arguments) }
    }
    try checkpoint()
    bytes = try database.read { db in
      try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Moves what was written lately from the log into the file.
  func checkpoint() throws {
    try database.barrierWriteWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  private static let insert = """
    INSERT INTO quake (code, magnitude, time, place, depth, felt, significance, tsunami, type)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Inserts an earthquake or changes the one with its code. Needs the unique index over `code`.
  static let upsert = """
    \(insert) ON CONFLICT(code) DO UPDATE SET magnitude = excluded.magnitude, time = excluded.time,
    place = excluded.place, depth = excluded.depth, felt = excluded.felt, significance = excluded.significance,
    tsunami = excluded.tsunami, type = excluded.type
    """

  static let setFelt = "UPDATE quake SET felt = ? WHERE id = ?"

  /// Changes one earthquake, in a transaction of its own.
  func setFelt(_ felt: Int, of id: Int) throws {
    try database.write { try $0.cachedStatement(sql: Self.setFelt).execute(arguments: [felt, id]) }
  }

  /// Makes an index over each column; the one over `code` is unique.
  func makeIndexes(_ columns: [String]) throws {
    try database.write { db in
      for column in columns {
        let kind = column == "code" ? "UNIQUE INDEX" : "INDEX"
        try db.execute(sql: "CREATE \(kind) quake_\(column) ON quake(\(column))")
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

  /// A text, a count and a mean a row, by the text.
  func groups(_ sql: String) throws -> [String: (count: Int, mean: Double)] {
    try database.read { db in
      try Dictionary(
        uniqueKeysWithValues: GRDB.Row.fetchAll(db.cachedStatement(sql: sql)).map { row in
          (row[0] as String, (row[1] as Int, row[2] as Double))
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

extension QuakeRow {
  /// The values of the columns of `quake`, in order.
  var arguments: StatementArguments {
    [code, magnitude, time.timeIntervalSinceReferenceDate, place, depth, felt, significance, tsunami, type]
  }
}
