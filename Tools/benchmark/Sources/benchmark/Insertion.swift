import Foundation
import GRDB
import ObjectStoreCore

/// How fast rows of five properties go in, in one transaction, and what they take on disk.
struct Insertion {
  let folder: URL
  let quakes: [QuakeRow]
  let report: Report

  func measure() throws {
    let models = report.wants("insert, five properties, two indexes") ? quakes.map(SmallQuake.init) : []
    try report.rate(
      "insert, five properties", of: quakes.count, goal: 1_500_000,
      ours: { try insert(models, indexes: []) }, sqlite: { try insertIntoSQLite(indexes: []) })
    try report.rate(
      "insert, five properties, two indexes", of: quakes.count, goal: 700_000,
      ours: { try insert(models, indexes: ["magnitude", "time"]) },
      sqlite: { try insertIntoSQLite(indexes: ["magnitude", "time"]) })
  }

  private func insert(_ models: [SmallQuake], indexes: [String]) throws -> Double {
    let place = folder.appendingPathComponent("insert.store")
    defer { try? FileManager.default.removeItem(at: place) }
    let store = try Store(place, models: SmallQuake.self)
    var schema = try store.schema
    schema.entities[0].indexes = indexes.map { Index(paths: [$0]) }
    try store.declare(schema)
    return try nanoseconds {
      try store.write { tx in for quake in models { try tx.add(quake) } }
    }
  }

  private func insertIntoSQLite(indexes: [String]) throws -> Double {
    let place = folder.appendingPathComponent("insert")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let side = try SQLiteSide(folder: place)
    try side.database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE small (id INTEGER PRIMARY KEY, magnitude REAL, time REAL NOT NULL, place TEXT, depth REAL NOT NULL,
            significance INTEGER NOT NULL)
          """)
      for column in indexes { try db.execute(sql: "CREATE INDEX small_\(column) ON small(\(column))") }
    }
    return try nanoseconds {
      try side.database.write { db in
        let statement = try db.makeStatement(
          sql: "INSERT INTO small (magnitude, time, place, depth, significance) VALUES (?, ?, ?, ?, ?)")
        for row in quakes {
          try statement.execute(arguments: [
            row.magnitude, row.time.timeIntervalSinceReferenceDate, row.place, row.depth, row.significance,
          ])
        }
      }
    }
  }
}
