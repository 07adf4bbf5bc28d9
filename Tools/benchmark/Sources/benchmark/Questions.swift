import ObjectStoreCore

/// The questions about earthquakes, which are asked of both sides and, where they are scans, of arrays in memory.
struct Questions {
  let store: Store
  let sqlite: SQLiteSide
  let quakes: [QuakeRow]
  let report: Report

  /// A day of the year that the earthquakes happened in.
  static let day = (
    filter: "time BETWEEN {2017-03-01@00:00:00, 2017-03-02@00:00:00}",
    sql: "time BETWEEN 510019200.0 AND 510105600.0", range: 510_019_200.0...510_105_600.0
  )

  /// What is asked before there are indexes.
  func withoutIndexes() throws {
    let columns = Columns(quakes)
    try numbers(columns)
    try texts(columns)
    try wholeTexts()
    try reductions(columns)
    try orders(columns)
    try patterns()
  }

  // MARK: Scans

  private func numbers(_ columns: Columns) throws {
    let day = Self.day
    try count("magnitude > 5", "no index", goal: 0.6) {
      columns.magnitudes.reduce(0) { $0 + ($1 > 5 ? 1 : 0) }
    }
    try count("significance == 500", sql: "significance = 500", "no index", goal: 0.3) {
      columns.significances.reduce(0) { $0 + ($1 == 500 ? 1 : 0) }
    }
    try count(
      "type == \"quarry blast\"", sql: "type = 'quarry blast'", "no index", goal: 0.3
    ) { columns.types.reduce(0) { $0 + ($1 == "quarry blast" ? 1 : 0) } }
    try count("magnitude * 2 + 1 > 11", "no index", goal: 1.5) {
      columns.magnitudes.reduce(0) { $0 + ($1 * 2 + 1 > 11 ? 1 : 0) }
    }
    try count(day.filter, sql: day.sql, name: "time BETWEEN one day", "no index", goal: 0.4) {
      columns.times.reduce(0) { $0 + (day.range.contains($1) ? 1 : 0) }
    }
    try count("hour(time) == 12", sql: "CAST(time AS INTEGER) / 3600 % 24 = 12", "no index") {
      columns.times.reduce(0) { $0 + (Int($1) / 3600 % 24 == 12 ? 1 : 0) }
    }
  }

  private func texts(_ columns: Columns) throws {
    try count("place CONTAINS \"Alaska\"", sql: "instr(place, 'Alaska') > 0", "no index") {
      columns.places.count(containing: "Alaska")
    }
    try count("place CONTAINS[c] \"alaska\"", sql: "place LIKE '%alaska%'", "no index", goal: 5) {
      columns.lowerPlaces.count(containing: "alaska")
    }
    try count("place LIKE \"*Alaska\"", sql: "place GLOB '*Alaska'", "no index", goal: 6) {
      columns.places.count(endingWith: "Alaska")
    }
    try count(
      "magnitude > 4.5 AND depth < 70 AND place CONTAINS \"Japan\"",
      sql: "magnitude > 4.5 AND depth < 70 AND instr(place, 'Japan') > 0", "no index", goal: 1
    ) {
      columns.magnitudes.indices.count {
        columns.magnitudes[$0] > 4.5 && columns.depths[$0] < 70 && columns.places.contains("Japan", at: $0)
      }
    }
  }

  /// Texts that are measured, changed, or compared whole with a few others.
  private func wholeTexts() throws {
    try count("length(place) > 25", "no index")
    try count("lowercase(place) CONTAINS \"alaska\"", sql: "instr(lower(place), 'alaska') > 0", "no index")
    try count("firstLetter(place) == \"9\"", sql: "substr(place, 1, 1) = '9'", "no index")
    try count("place BETWEEN {\"12\", \"34\"}", sql: "place BETWEEN '12' AND '34'", "no index")
    try count(
      "TERNARY(felt == nil, 0, felt) > 5", sql: "CASE WHEN felt IS NULL THEN 0 ELSE felt END > 5", "no index")
    let some = quakes.compactMap(\.place).prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    try count("place IN {\(some)}", sql: "place IN (\(some))", name: "place IN three texts", "no index")
  }

  // MARK: Whole columns

  private func reductions(_ columns: Columns) throws {
    try report.question(
      "average of magnitude", goal: report.goal(0.4),
      ours: { try store.objects("Quake").average(of: "magnitude") ?? .nan },
      sqlite: { try sqlite.number("SELECT avg(magnitude) FROM quake") },
      limit: {
        let (sum, count) = columns.magnitudes.reduce((0.0, 0)) { $1.isNaN ? $0 : ($0.0 + $1, $0.1 + 1) }
        return sum / Double(count)
      }, realm: .average("magnitude"))
    try report.question(
      "maximum of magnitude", goal: report.goal(0.4),
      ours: {
        guard case .double(let value) = try store.objects("Quake").max(of: "magnitude") else { return .nan }
        return value
      }, sqlite: { try sqlite.number("SELECT max(magnitude) FROM quake") },
      limit: { columns.magnitudes.reduce(-.infinity) { $1 > $0 ? $1 : $0 } }, realm: .maximum("magnitude"))
    try report.question(
      "GROUP BY type with count and average", goal: report.goal(5), ours: groups,
      sqlite: { Groups(groups: try sqlite.groups("SELECT type, count(*), avg(magnitude) FROM quake GROUP BY type")) })
    try list(
      "DISTINCT(type)", "TRUEPREDICATE DISTINCT(type)", sql: "SELECT min(id) FROM quake GROUP BY type ORDER BY 1",
      goal: report.goal(2))
    try manyGroups()
  }

  /// Groups that are nearly as many as the objects.
  private func manyGroups() throws {
    try report.question(
      "GROUP BY place with count, the five largest counts",
      ours: {
        let statement = "Quake GROUP BY place SELECT @count AS count SORT BY count DESC LIMIT 5"
        guard case .rows(let rows) = try store.run(statement) else { return 0 }
        return try rows.rows().reduce(0.0) { sum, row in
          if case .int(let count)? = row.first { sum + Double(count) } else { sum }
        }
      },
      sqlite: {
        try sqlite.number(
          "SELECT sum(count) FROM (SELECT count(*) AS count FROM quake GROUP BY place ORDER BY count DESC LIMIT 5)")
      })
  }

  private func groups() throws -> Groups {
    let statement = "Quake GROUP BY type SELECT type, @count AS count, @avg.magnitude AS mean"
    guard case .rows(let rows) = try store.run(statement) else { return Groups(groups: [:]) }
    return Groups(
      groups: try rows.rows().reduce(into: [:]) { groups, row in
        guard row.count == 3, case .string(let type) = row[0], case .int(let count) = row[1],
          case .double(let mean) = row[2]
        else { return }
        groups[type] = (Int(count), mean)
      })
  }

  private func orders(_ columns: Columns) throws {
    try list(
      "SORT(magnitude DESC) LIMIT(10), no index", "TRUEPREDICATE SORT(magnitude DESC) LIMIT(10)",
      sql: "SELECT id FROM quake ORDER BY magnitude DESC, id LIMIT 10", goal: report.goal(1.5)
    ) { columns.strongest(10) }
    try list(
      "full sort by magnitude", "TRUEPREDICATE SORT(magnitude ASC)",
      sql: "SELECT id FROM quake ORDER BY magnitude, id", goal: report.goal(80))
    try list(
      "the deepest of each type: SORT(depth DESC) DISTINCT(type)", "TRUEPREDICATE SORT(depth DESC) DISTINCT(type)",
      sql: """
        SELECT id FROM (
          SELECT id, depth, row_number() OVER (PARTITION BY type ORDER BY depth DESC, id) AS place FROM quake
        ) WHERE place = 1 ORDER BY depth DESC, id
        """, by: .depth)
  }

  /// Regular expressions, which SQLite has none of: the answers are compared with those of a function.
  private func patterns() throws {
    try pattern("with a required literal", ".*Region 4[0-9]", goal: 60) { place in
      place.dropLast().hasSuffix("Region 4") && place.last?.isNumber == true
    }
    try pattern("with none", "[0-9]+km [NS][EW]? .*", goal: 250) { place in
      place.split(separator: " ").dropFirst().first.map { ["N", "S", "NE", "NW", "SE", "SW"].contains($0) } ?? false
    }
  }

  private func pattern(_ note: String, _ pattern: String, goal: Double, _ matches: (String) -> Bool) throws {
    let filter = "place MATCHES '\(pattern)'"
    let name = "count place MATCHES \"\(pattern)\", \(note)"
    guard report.wants(name) else { return }
    let expected = quakes.count { $0.place.map(matches) ?? false }
    let found = try count(filter)
    guard found == expected else { throw DifferentAnswers(description: "\(filter): \(found), a loop \(expected)") }
    try report.question(name, goal: report.goal(goal), ours: { try count(filter) }, realm: .count(filter))
  }
}

// MARK: - With indexes

extension Questions {
  /// What is asked once there are indexes: makes them first, on both sides.
  func withIndexes() throws {
    let columns = ["code", "magnitude", "time", "significance"]
    var schema = try store.schema
    guard let entity = schema.entities.firstIndex(where: { $0.name == "Quake" }) else { return }
    schema.entities[entity].indexes = columns.map { Index(kind: $0 == "code" ? .unique : .ordered, paths: [$0]) }
    let ours = try nanoseconds { try store.declare(schema) }
    let theirs = try nanoseconds { try sqlite.makeIndexes(columns) }
    // realm-core has indexes over whole numbers, texts and times only.
    try report.realm?.makeIndexes(columns.filter { $0 != "magnitude" })
    report.add([
      Row(row: "four indexes on existing objects", unit: "ms", ours: ours / 1e6, sqlite: theirs / 1e6, isQuery: false)
    ])

    let code = quakes[quakes.count / 2].code
    let day = Self.day
    try count("code == '\(code)'", sql: "code = '\(code)'", name: "code == \"…\"", "index")
    try count("significance == 500", sql: "significance = 500", "index", goal: 0.003)
    try count(day.filter, sql: day.sql, name: "time BETWEEN one day", "index", goal: 0.05)
    try count("magnitude > 8 AND depth < 70", "index")
    try list(
      "SORT(magnitude DESC) LIMIT(10), index", "TRUEPREDICATE SORT(magnitude DESC) LIMIT(10)",
      sql: "SELECT id FROM quake ORDER BY magnitude DESC, id LIMIT 10", goal: 0.05)
  }
}

// MARK: - Asking

extension Questions {
  private func count(_ filter: String) throws -> Int { try store.objects("Quake").filter(filter).count }

  /// How many objects a filter finds; in SQL it is the same text unless another is given.
  private func count(
    _ filter: String, sql: String? = nil, name: String? = nil, _ note: String, goal: Double? = nil,
    limit: (() -> Int)? = nil
  ) throws {
    let sql = "SELECT count(*) FROM quake WHERE \(sql ?? filter)"
    try report.question(
      "count \(name ?? filter), \(note)", goal: goal.map { limit == nil ? $0 : report.goal($0) },
      ours: { try count(filter) }, sqlite: { try sqlite.integer(sql) }, limit: limit, realm: .count(filter))
  }

  /// What the objects of a list are compared by with realm-core, which has its own order of those that are sorted alike.
  private enum Comparison: String {
    case magnitude, depth

    func value(_ quake: QuakeRow) -> Double {
      switch self {
      case .magnitude: quake.magnitude ?? -1
      case .depth: quake.depth
      }
    }
  }

  /// Which objects, in order.
  private func list(
    _ name: String, _ filter: String, sql: String, by property: Comparison = .magnitude, goal: Double? = nil,
    limit: (() -> [Int64])? = nil
  ) throws {
    try report.question(
      name, goal: goal, ours: { try store.objects("Quake").filter(filter).ids.map { Int64($0.rawValue) } },
      sqlite: { try sqlite.numbers(sql) }, limit: limit, realm: .list(filter, by: property.rawValue),
      number: { found in
        found.enumerated().reduce(0.0) { sum, object in
          sum + property.value(quakes[Int(object.element) - 1]) * Double(object.offset % 10 + 1)
        }
      })
  }
}
