import ObjectStoreCore
import PredicateLanguage
import Testing

@Suite struct StatementTests {
  let store: Store

  init() throws { store = try Quake.store() }

  private func rows(_ text: String, arguments: Arguments = Arguments()) throws -> [[Value]] {
    guard case .rows(let rows) = try store.run(text, arguments: arguments) else { return [] }
    return try rows.rows()
  }

  private func count(_ text: String) throws -> Int? {
    switch try store.run(text) {
    case .count(let count): return count
    case .changed(let changes): return changes.count
    default: return nil
    }
  }

  @Test func selects() throws {
    #expect(
      try rows("Quake WHERE magnitude > 2 SORT BY magnitude DESC, time OFFSET 1 LIMIT 2 SELECT code, place.name AS at")
        == [[.string("us4"), .string("Alaska")], [.string("ci3"), .string("California")]])
    guard case .rows(let named) = try store.run("Quake SELECT code, place.name AS at;") else {
      Issue.record("no rows")
      return
    }
    #expect(named.columns.map(\.heading) == ["code", "at"])
    guard case .objects(let whole) = try store.run("Quake DISTINCT felt") else {
      Issue.record("no objects")
      return
    }
    #expect(try whole.count == 3)
    #expect(try rows("Quake WHERE code == %@ SELECT felt", arguments: Arguments(["us1"])) == [[.int(60)]])
  }

  @Test func counts() throws {
    #expect(try count("COUNT Quake") == 5)
    #expect(try count("COUNT Quake WHERE magnitude > 5") == 2)
    guard case .count(2) = try store.run("COUNT Quake WHERE magnitude > $min", arguments: Arguments(["min": 5])) else {
      Issue.record("not two")
      return
    }
    guard case .count(2) = try store.run("COUNT magnitude > 5", defaultEntity: "Quake") else {
      Issue.record("not two")
      return
    }
  }

  @Test func explains() throws {
    for text in ["EXPLAIN Quake WHERE magnitude > 5", "EXPLAIN ANALYZE Quake WHERE magnitude > 5"] {
      guard case .explanation(let explanation) = try store.run(text) else {
        Issue.record("no explanation")
        return
      }
      #expect(explanation.text.contains("magnitude"))
    }
  }

  @Test func changes() throws {
    #expect(try count("DELETE Quake WHERE felt == 3") == 2)
    #expect(try count("COUNT Quake") == 3)
    #expect(try count("UPDATE Quake SET felt = 9, place.name = 'here' WHERE magnitude > 5") == 2)
    #expect(try rows("Quake SELECT felt, place.name")[0] == [.int(9), .string("here")])
    #expect(try count(#"UPDATE Quake SET time = "2018-02-07T00:00:00Z" WHERE code == 'us1'"#) == 1)
    #expect(try count("COUNT Quake WHERE time == date('2018-02-07')") == 1)
  }

  @Test func inserts() throws {
    let text = """
      INSERT Quake {"code": "new", "magnitude": 5, "time": "2018-02-07T01:02:03Z",
        "place": {"name": "Fiji", "longitude": 178, "latitude": -18}, "felt": null}
      """
    #expect(try count(text) == 1)
    let quake = try #require(try store.objects(Quake.self).last)
    #expect(quake.code == "new")
    #expect(quake.magnitude == 5)
    #expect(quake.place.name == "Fiji")
    #expect(quake.origin == nil)
  }

  @Test(arguments: [
    ("Quak WHERE magnitude > 5", "unknown-entity"), ("COUNT Quake WHERE magn > 5", "unknown-property"),
    ("Quake SELECT magn", "unknown-property"), ("Quake SELECT magnitude * 'x'", "type-mismatch"),
    ("Quake GROUP BY felt SELECT code", "not-group-key"), ("BEGIN", "unsupported"),
    ("Quake HAVING magnitude > 5", "having-without-group"), ("Quake SORT BY @count", "nothing-grouped"),
    ("Quake GROUP BY @count", "aggregate-as-key"), ("Quake GROUP BY felt SELECT @sum.code", "type-mismatch"),
    ("DELETE Quake GROUP BY felt", "clause-not-here"), ("UPDATE Quake SET felt = 1 SELECT felt", "clause-not-here"),
    ("UPDATE Quake SET magnitude = 'x'", "type-mismatch"), ("UPDATE Quake SET magnitude = nil", "missing-value"),
    ("UPDATE Quake SET felt = 1, felt = 2", "duplicate-property"), ("UPDATE Quake SET place = 1", "type-mismatch"),
    ("UPDATE Quake SET magnitude = felt / 0", "missing-value"), ("UPDATE Quake SET felt = code", "type-mismatch"),
    ("UPDATE Quake SET felt = magnitude", "value-does-not-fit"),
    ("UPDATE Quake SET origin.name = 'x'", "missing-value"),
    (#"INSERT Quake {"code": "x"}"#, "missing-value"), (#"INSERT Quake {"cod": "x"}"#, "unknown-property"),
    (#"INSERT Quake {"place": 1}"#, "missing-value"), (#"INSERT Quak {"code": "x"}"#, "unknown-entity"),
  ])
  func refuses(_ text: String, _ code: String) throws {
    let error = #expect(throws: QueryError.self) { try store.run(text) }
    #expect(error?.code == code)
    #expect(try store.objects(Quake.self).count == 5)
  }

  @Test func inAWrite() throws {
    try store.write { tx in
      try tx.add(Quake("x", 8))
      let text = "COUNT Quake WHERE magnitude > 5"
      guard case .count(3) = try tx.run(try StatementParser.statement(text), source: text) else {
        Issue.record("not three")
        return
      }
      let delete = "DELETE Quake"
      let gone = try tx.run(try StatementParser.statement(delete), source: delete)
      guard case .changed(ObjectChanges(.deleted, 6, of: "Quake")) = gone else {
        Issue.record("not six")
        return
      }
    }
    #expect(try store.objects(Quake.self).isEmpty)
  }
}
