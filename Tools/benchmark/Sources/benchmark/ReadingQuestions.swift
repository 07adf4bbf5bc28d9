import Foundation
import GRDB
import ObjectStoreCore

/// Reading objects: all in order with one property and with all of them, and some by number; against a cursor over rows
/// fetched into the same Swift types.
struct ReadingQuestions {
  let store: Store
  let sqlite: SQLiteSide
  let quakes: [QuakeRow]
  let report: Report

  /// An earthquake of which one property is wanted.
  private struct Significance: Model {
    var significance: Int
    var objectIdentity = ObjectIdentity<Significance>()

    var objectID: ObjectID<Significance>? {
      get { objectIdentity.id }
      set { objectIdentity.id = newValue }
    }

    static let modelDefinition = ModelDefinition(of: Significance.self, name: "Quake") { model in
      model.property("significance", \Significance.significance, \Significance?.?.significance)
    }

    init(from row: inout RowDecoder) throws { significance = try row.next() }

    func encode(into row: inout RowEncoder) { significance.encode(into: &row) }
  }

  func ask() throws {
    try inOrder()
    try byNumber()
  }

  private func inOrder() throws {
    try report.question(
      "read one property of every object, as a model of that property",
      ours: {
        var sum = 0
        try store.objects(Significance.self).forEach { sum &+= $0.significance }
        return sum
      },
      sqlite: { try sum("SELECT significance FROM quake ORDER BY id") { $0[0] } }, realm: .readOne)
    try report.question(
      "read the values of one property",
      ours: { try store.objects(StoredQuake.self).values(of: \.significance).reduce(0, &+) },
      sqlite: {
        try sqlite.database.read { db in
          try Int.fetchAll(db.cachedStatement(sql: "SELECT significance FROM quake ORDER BY id")).reduce(0, &+)
        }
      })
    try report.question(
      "read every object, nine properties",
      ours: {
        var sum = 0
        try store.objects(StoredQuake.self).forEach { sum &+= $0.significance &+ $0.code.utf8.count }
        return sum
      },
      sqlite: {
        try sum("SELECT \(Self.columns) FROM quake ORDER BY id") { row in
          let quake = Self.quake(row)
          return quake.significance &+ quake.code.utf8.count
        }
      }, realm: .readNine)
    try report.question(
      "read every object, nine properties, by name",
      ours: {
        var sum = 0
        try store.objects("Quake").forEach {
          if case .int(let significance) = $0["significance"] { sum &+= Int(significance) }
        }
        return sum
      })
  }

  private func byNumber() throws {
    var random = Generator(seed: 13)
    let places = (0..<1_000).map { _ in random.below(quakes.count) }
    try report.question(
      "one object by its place among all, nine properties", unit: "us", times: places.count,
      ours: {
        try store.snapshot { snapshot in
          let all = try snapshot.objects(StoredQuake.self)
          return try places.reduce(0) { try $0 &+ all[$1].significance }
        }
      },
      sqlite: {
        try sqlite.database.read { db in
          let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM quake WHERE id = ?")
          return try places.reduce(0) { sum, place in
            let row = try GRDB.Row.fetchOne(statement, arguments: [place + 1])
            return sum &+ (row.map { Self.quake($0).significance } ?? 0)
          }
        }
      })
  }

  /// The nine properties.
  static let columns = "code, magnitude, time, place, depth, felt, significance, tsunami, type"

  /// The earthquake that a row of them is.
  static func quake(_ row: GRDB.Row) -> QuakeRow {
    QuakeRow(
      code: row[0], magnitude: row[1], time: Date(timeIntervalSinceReferenceDate: row[2]), place: row[3], depth: row[4],
      felt: row[5], significance: row[6], tsunami: row[7], type: row[8])
  }

  private func sum(_ sql: String, _ number: (GRDB.Row) -> Int) throws -> Int {
    try sqlite.database.read { db in
      let rows = try GRDB.Row.fetchCursor(db.cachedStatement(sql: sql))
      var sum = 0
      while let row = try rows.next() { sum &+= number(row) }
      return sum
    }
  }
}
