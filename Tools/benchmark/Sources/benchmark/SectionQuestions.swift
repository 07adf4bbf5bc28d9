import Foundation
import GRDB
import ObjectStoreCore

/// Sections of all objects, one object of a section, and projections of some properties into tuples and structs; against
/// rows that are fetched and divided in the same way.
struct SectionQuestions {
  let store: Store
  let sqlite: SQLiteSide
  let report: Report

  /// Some properties of an earthquake.
  private struct Summary {
    var code: String
    var magnitude: Double?
    var significance: Int

    /// A number that all of it goes into.
    var sum: Int { significance &+ code.utf8.count &+ Int(magnitude ?? 0) }
  }

  func ask() throws {
    try build()
    try access()
    try project()
  }

  private var quakes: Results<StoredQuake> { store.objects(StoredQuake.self) }

  private func build() throws {
    try report.question(
      "sections by type, with the identities of their objects",
      ours: { Self.outline(try quakes.sectioned(by: \.type).sections()) },
      sqlite: { try outline("SELECT type, id FROM quake ORDER BY id") })
    try report.question(
      "the same, sorted by significance",
      ours: { Self.outline(try quakes.sorted(by: \.significance).sectioned(by: \.type).sections()) },
      sqlite: { try outline("SELECT type, id FROM quake ORDER BY significance, id") })
  }

  /// One object of the largest section, of which each side has kept the identities.
  private func access() throws {
    let name = "one object of a section, by its place, nine properties"
    guard report.wants(name) else { return }
    let sections = try quakes.sectioned(by: \.type).sections()
    guard let section = sections.max(by: { $0.count < $1.count }) else { return }
    let objects = section.results
    let numbers = section.ids.map { Int64(clamping: $0.number.rawValue) }
    var random = Generator(seed: 47)
    let places = (0..<1_000).map { _ in random.below(section.count) }
    try report.question(
      name, unit: "us", times: places.count,
      ours: { try places.reduce(0) { try $0 &+ objects[$1].significance } },
      sqlite: {
        try sqlite.database.read { db in
          let statement = try db.cachedStatement(sql: "SELECT \(ReadingQuestions.columns) FROM quake WHERE id = ?")
          return try places.reduce(0) { sum, place in
            let row = try GRDB.Row.fetchOne(statement, arguments: [numbers[place]])
            return sum &+ (row.map { ReadingQuestions.quake($0).significance } ?? 0)
          }
        }
      })
  }

  private func project() throws {
    try report.question(
      "read two properties of every object as tuples",
      ours: { try quakes.values(of: \.magnitude, \.significance).reduce(0) { $0 &+ $1.1 &+ Int($1.0 ?? 0) } },
      sqlite: {
        try rows("SELECT magnitude, significance FROM quake ORDER BY id") { ($0[0] as Double?, $0[1] as Int) }
          .reduce(0) { $0 &+ $1.1 &+ Int($1.0 ?? 0) }
      })
    try report.question(
      "read three properties of every object as structs",
      ours: {
        try quakes.select(\.code, \.magnitude, \.significance, as: Summary.init).reduce(0) { $0 &+ $1.sum }
      },
      sqlite: {
        try rows("SELECT code, magnitude, significance FROM quake ORDER BY id") {
          Summary(code: $0[0], magnitude: $0[1], significance: $0[2])
        }.reduce(0) { $0 &+ $1.sum }
      })
  }

  /// Of each section the number of its objects, the first and the last of them.
  private static func outline(_ sections: [ResultsSection<StoredQuake, String>]) -> [Int64] {
    sections.flatMap { section in
      let ids = section.ids
      return [ids.count] + [ids.first, ids.last].map { Int(clamping: $0?.number.rawValue ?? 0) }
    }.map(Int64.init)
  }

  /// The same of rows of a type and an identity, which are divided in the order of the first of each type.
  private func outline(_ sql: String) throws -> [Int64] {
    try sqlite.database.read { db in
      let rows = try GRDB.Row.fetchCursor(db.cachedStatement(sql: sql))
      var places: [String: Int] = [:]
      var sections: [[Int64]] = []
      while let row = try rows.next() {
        let type: String = row[0]
        if let place = places[type] {
          sections[place].append(row[1])
        } else {
          places[type] = sections.count
          sections.append([row[1]])
        }
      }
      return sections.flatMap { [Int64($0.count), $0.first ?? 0, $0.last ?? 0] }
    }
  }

  private func rows<Value>(_ sql: String, _ make: (GRDB.Row) -> Value) throws -> [Value] {
    try sqlite.database.read { db in
      let rows = try GRDB.Row.fetchCursor(db.cachedStatement(sql: sql))
      var values: [Value] = []
      while let row = try rows.next() { values.append(make(row)) }
      return values
    }
  }
}
