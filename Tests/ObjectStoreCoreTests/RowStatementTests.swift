import ObjectStoreCore
import Testing

/// SELECT, GROUP BY, SECTIONS BY and UPDATE with expressions, by the library.
@Suite struct RowStatementTests {
  let store: Store

  init() throws { store = try Quake.store() }

  private func results(_ text: String, _ arguments: Arguments = Arguments()) throws -> RowResults {
    guard case .rows(let rows) = try store.run(text, arguments: arguments) else { throw NoRows() }
    return rows
  }

  private struct NoRows: Error {}

  private func rows(_ text: String) throws -> [[Value]] { try results(text).rows() }

  private func changed(_ text: String, _ arguments: Arguments = Arguments()) throws -> Int {
    guard case .changed(let changes) = try store.run(text, arguments: arguments) else { throw NoRows() }
    return changes.count
  }

  @Test func expressionsAndTheirHeadings() throws {
    let found = try results("Quake WHERE felt == 3 SELECT magnitude * 2 AS double, uppercase(place.name), code, code")
    #expect(found.columns.map(\.heading) == ["double", "uppercase(place.name)", "code", "code (2)"])
    #expect(found.columns.map(\.content) == [.number, .text, .text, .text])
    #expect(try found.rows()[0] == [.double(5), .string("CALIFORNIA"), .string("ci3"), .string("ci3")])
    #expect(try found.count == 2 && !found.isGrouped)
    #expect(try found.objects()?.count == 2)
    #expect(try rows("Quake SELECT magnitude * 2 AS d SORT BY d DESC LIMIT 1") == [[.double(12.8)]])
  }

  @Test func structsAreValues() throws {
    let found = try results("Quake SORT BY code SELECT origin, place.name LIMIT 2")
    let fields = [
      EmbeddedField(name: "name", value: .string("Anchorage")),
      EmbeddedField(name: "longitude", value: .double(-149.9)),
      EmbeddedField(name: "latitude", value: .double(61.2)),
    ]
    #expect(try found.rows() == [[.embedded(fields), .string("Alaska")], [.null, .string("California")]])
    guard case .structure(true, let columns) = found.columns[0].content else {
      Issue.record("no struct")
      return
    }
    #expect(columns.map(\.heading) == ["name", "longitude", "latitude"])
    #expect(try rows("Quake GROUP BY place SELECT place.name, @count LIMIT 1") == [[.string("Hualien"), .int(1)]])
  }

  @Test func groups() throws {
    let found = try results("Quake GROUP BY place.name SELECT place.name, @count, @sum.felt HAVING @count > 1")
    #expect(found.isGrouped)
    #expect(try found.objects() == nil)
    #expect(try found.rows() == [[.string("Alaska"), .int(2), .int(0)], [.string("California"), .int(2), .int(6)]])
    #expect(try rows("Quake GROUP BY felt") == [[.int(60), .int(1)], [.null, .int(2)], [.int(3), .int(2)]])
    guard case .count(3) = try store.run("COUNT Quake GROUP BY felt") else {
      Issue.record("not three")
      return
    }
    #expect(try found.limit(1).rows().count == 1)
  }

  @Test func argumentsInEveryClause() throws {
    let named = Arguments(["low": 2, "factor": 10, "least": 1])
    let rows = try results(
      "Quake WHERE magnitude > $low GROUP BY place.name SELECT @count * $factor HAVING @count > $least", named)
    #expect(try rows.rows() == [[.int(20)]])
    #expect(throws: QueryError.self) { try store.run("Quake SELECT felt + %@", arguments: Arguments([1, 2])) }
    #expect(throws: QueryError.self) { try store.run("Quake SELECT felt + $missing") }
  }

  @Test func sections() throws {
    let statement = "Quake SORT BY magnitude SECTIONS BY firstLetter(place.name) SELECT code"
    guard case .sections(let found) = try store.run(statement) else { throw NoRows() }
    let sections = try found.sections()
    #expect(sections.map(\.key) == [.string("A"), .string("C"), .string("H")])
    #expect(
      sections.map(\.rows) == [
        [[.string("ak2")], [.string("us4")]], [[.string("ci3")], [.string("nc5")]], [[.string("us1")]],
      ])
    #expect(sections.map(\.count) == [2, 2, 1])
    #expect(try found.rowCount == 5)
    guard case .sections(let whole) = try store.run("Quake SECTIONS BY felt LIMIT 2") else { throw NoRows() }
    #expect(whole.columns.map(\.heading) == ["code", "magnitude", "time", "place", "origin", "felt"])
    #expect(try whole.sections().map(\.ids.count) == [1, 1])
  }

  @Test func updatesSeeTheOldObject() throws {
    #expect(try changed("UPDATE Quake SET felt = felt + 1, magnitude = felt WHERE felt == 3") == 2)
    #expect(try rows("Quake WHERE felt == 4 SELECT magnitude") == [[.double(3)], [.double(3)]])
    #expect(try changed("UPDATE Quake SET place.name = uppercase(place.name), felt = nil WHERE felt == 4") == 2)
    #expect(try rows("Quake WHERE place.name == 'CALIFORNIA' SELECT felt") == [[.null], [.null]])
    #expect(try changed("UPDATE Quake SET felt = magnitude * 10 WHERE code == 'us1'") == 1)
    #expect(try rows("Quake WHERE code == 'us1' SELECT felt") == [[.int(64)]])
    #expect(try changed("UPDATE Quake SET time = time + 3600 WHERE code == 'us1'") == 1)
    #expect(try rows("Quake WHERE code == 'us1' SELECT time") == [[.date(Instant(seconds: 4000))]])
    #expect(try changed("UPDATE Quake SET felt = $f WHERE code == 'us1'", Arguments(["f": 7])) == 1)
    #expect(try changed("UPDATE Quake SET origin = nil WHERE origin != nil") == 2)
    #expect(try rows("Quake WHERE origin != nil SELECT code").isEmpty)
  }

  @Test func whatAnUpdateRefusesIsToldWithItsPlace() throws {
    let error = #expect(throws: QueryError.self) {
      try store.run("UPDATE Quake SET felt = magnitude / 2 WHERE felt == 60")
    }
    #expect(error?.range == SourceRange(24, 37))
    #expect(error?.message.contains("3.2") == true)
    let overflow = #expect(throws: QueryError.self) { try store.run("UPDATE Quake SET magnitude = felt / 0") }
    #expect(overflow?.code == "missing-value")
    #expect(try rows("Quake SELECT @sum.felt") == [[.int(66)]], "nothing was changed")
  }

  @Test func plansOfEverythingChangeNothing() throws {
    func plan(_ text: String) throws -> QueryExplanation {
      guard case .explanation(let plan) = try store.run(text) else { throw NoRows() }
      return plan
    }
    let grouped = try plan(
      "EXPLAIN ANALYZE Quake GROUP BY felt SELECT felt, @count HAVING @count > 1 SORT BY felt LIMIT 1")
    for word in ["Select", "Window", "Sort", "Having", "Group", "Scan", "actual 3"] {
      #expect(grouped.text.contains(word), "\(word)")
    }
    #expect(grouped.json.contains(#""node":"Group","detail":"by felt","estimate":3,"actual":3"#), "\(grouped.json)")
    for line in grouped.text.split(separator: "\n").dropLast(2) {
      #expect(line.contains("est ") && line.contains("actual "), "\(line)")
    }
    let deletion = try plan("EXPLAIN ANALYZE DELETE Quake").text
    #expect(deletion.hasPrefix("Delete") && deletion.contains("not run"), "\(deletion)")
    #expect(deletion.contains("actual 5"), "\(deletion)")
    let update = try plan("EXPLAIN UPDATE Quake SET felt = 0").text
    #expect(update.hasPrefix("Update  felt") && !update.contains("row by row"))
    let computed = try plan("EXPLAIN UPDATE Quake SET felt = felt + 1, magnitude = 2")
    #expect(computed.text.contains("row by row: felt + 1"), "\(computed.text)")
    #expect(computed.json.contains(#""rowByRow":["felt + 1"]"#), "\(computed.json)")
    #expect(try plan("EXPLAIN ANALYZE Quake SECTIONS BY felt").text.hasPrefix("Sections  felt"))
    #expect(try plan("EXPLAIN COUNT Quake").text.hasPrefix("Count"))
    let count = try plan("EXPLAIN ANALYZE COUNT Quake GROUP BY felt").text
    #expect(count.hasPrefix("Count") && count.contains("actual 1") && count.contains("Group  by felt"), "\(count)")
    #expect(count.contains("actual 3"), "\(count)")
    let place = #"{"name": "Here", "longitude": 1, "latitude": 2}"#
    let fields = #"{"code": "new", "magnitude": 1, "time": "2020-01-01T00:00:00Z", "place": \#(place)}"#
    #expect(try plan("EXPLAIN INSERT Quake \(fields)").text.hasPrefix("Insert  Quake   est 1"))
    #expect(throws: QueryError.self) { try plan("EXPLAIN INSERT Quake {\"code\": 1}") }
    #expect(throws: QueryError.self) { try plan("EXPLAIN COMMIT") }
    #expect(try store.objects(Quake.self).count == 5)
    #expect(try rows("Quake SELECT @sum.felt") == [[.int(66)]])
  }
}
