import Testing

/// Structs shown, grouped and told apart as a whole, wherever they stand; and what else the keys of a group say.
@Suite struct WholeStructTests {
  private func check(_ facts: [(statement: String, rows: [String])]) throws {
    let store = try WholeStructs()
    for fact in facts {
      let found = try? store.rows(fact.statement)
      #expect(found == fact.rows.joined(separator: "\n"), "\(fact.statement)\n\(store.failure(fact.statement))")
    }
  }

  @Test func structsInListsAreShownWhole() throws {
    let one = "(latitude 1, longitude 1)"
    try check([
      ("Trip SELECT marks.at", ["[\(one), nil]", "[]", "[nil]", "[\(one)]"]),
      ("Trip SELECT marks[0].at", [one, "nil", "nil", one]),
      ("Trip SELECT marks[LAST].at", ["nil", "nil", "nil", one]),
      ("Trip SELECT marks[7].at, n", ["nil 1", "nil 1", "nil 2", "nil 2"]),
      ("Trip SELECT marks[0]", ["(label x, at \(one))", "nil", "(label x, at nil)", "(label z, at \(one))"]),
      ("Trip WHERE n == 2 SELECT SUBQUERY(marks, $m, $m.at != nil).at", ["[]", "[\(one)]"]),
      ("Trip WHERE n == 1 SELECT SUBQUERY(marks, $m, $m.label == 'y')[0]", ["(label y, at nil)", "nil"]),
      ("Trip SELECT SUBQUERY(marks, $m, $m.label != 'y')[0].at", [one, "nil", "nil", one]),
    ])
  }

  @Test func structsBehindLinksAreShownWhole() throws {
    try check([
      (
        "Trip SELECT near.loc",
        [
          "[(latitude 1, longitude 2), (latitude 1, longitude 2), (latitude 5, longitude 6)]", "[]",
          "[(latitude 5, longitude 6)]", "[(latitude 1, longitude 2), (latitude 1, longitude 2)]",
        ]
      ),
      ("Trip SELECT near.alt", ["[\(Self.alt), nil, \(Self.alt)]", "[]", "[\(Self.alt)]", "[nil, \(Self.alt)]"]),
      ("Trip SELECT near.boss.alt", ["[\(Self.alt), nil, \(Self.alt)]", "[]", "[\(Self.alt)]", "[nil, \(Self.alt)]"]),
      (
        "Trip SELECT near[0].loc",
        ["(latitude 1, longitude 2)", "nil", "(latitude 5, longitude 6)", "(latitude 1, longitude 2)"]
      ),
      ("Trip SELECT near[0].alt", [Self.alt, "nil", Self.alt, "nil"]),
      ("Trip SELECT near[0].boss.alt", [Self.alt, "nil", Self.alt, "nil"]),
      ("Trip SELECT lead.alt", [Self.alt, "nil", "nil", Self.alt]),
      ("Trip SELECT near[1].home", ["nil", "nil", "nil", "(street a, spot (latitude 7, longitude 8))"]),
      ("Trip SELECT lead.home.spot", ["(latitude 7, longitude 8)", "nil", "nil", "(latitude 7, longitude 8)"]),
      ("City SELECT home.spot", ["(latitude 7, longitude 8)", "nil", "(latitude 7, longitude 8)"]),
      ("City WHERE home.spot == nil SELECT name", ["B"]), ("City WHERE home.spot != nil SELECT name", ["A", "C"]),
      ("Trip WHERE near[0].alt == nil SELECT code", ["t2", "t4"]),
      ("Trip WHERE ANY near.alt == nil SELECT code", ["t1", "t4"]),
      (
        "City SELECT trips.legs",
        [
          "[(to City#1, via [City#1, City#2]), (to City#1, via [City#3])]", "[nil]", "[]",
        ]
      ),
      (
        "Trip SELECT SUBQUERY(near, $c, $c.alt == nil).loc",
        ["[(latitude 1, longitude 2)]", "[]", "[]", "[(latitude 1, longitude 2)]"]
      ),
    ])
  }

  /// Whatever was bound between the key and what names it again.
  @Test func aKeyWithVariablesIsTheSameWrittenAgain() throws {
    try check([
      (
        "Trip GROUP BY near[0].home SORT BY @sum.near.@count SELECT near[0].home",
        ["(street c, spot (latitude 7, longitude 8))", "nil", "(street a, spot (latitude 7, longitude 8))"]
      ),
      (
        "Trip GROUP BY SUBQUERY(near, $c, $c.name != 'A')[0] SORT BY @sum.near.@count "
          + "SELECT SUBQUERY(near, $c, $c.name != 'A')[0].name",
        ["nil", "C", "B"]
      ),
    ])
  }

  private static let alt = "(latitude 3, longitude 4)"

  /// A path that begins in nothing leads to nothing; lists in what is there are there.
  @Test func listsBehindNilAreNil() throws {
    try check([
      ("Trip SELECT legs.via", ["[City#1, City#2]", "nil", "[]", "[City#3]"]),
      ("Trip SELECT legs.via.name", ["[A, B]", "nil", "[]", "[C]"]),
      ("Trip SELECT legs.via.tags", ["[x, yy]", "nil", "[]", "[X]"]),
      ("Trip SELECT legs.via.loc WHERE n == 1 AND code == 't2'", ["nil"]),
      ("Trip SELECT lead.tags", ["[x, yy]", "[]", "nil", "[x, yy]"]),
      ("Trip SELECT lead.trips.n", ["[1, 2]", "[1]", "nil", "[1, 2]"]),
      ("Trip SELECT lead.trips.marks.label WHERE lead == nil", ["nil"]),
      ("Trip SELECT SUBQUERY(lead.trips, $t, $t.n > 1)", ["[Trip#4]", "[]", "nil", "[Trip#4]"]),
      // Behind nothing there are no elements, of which one could be nil.
      ("Trip WHERE lead.trips == nil SELECT code", []), ("Trip WHERE legs.via.name == {} SELECT code", ["t3"]),
      ("Trip WHERE ANY legs.via.name == nil SELECT code", []),
      ("Trip WHERE legs.via.@count == 0 SELECT code", ["t2", "t3"]),
    ])
  }

  @Test func structsAreKeysByTheirLeaves() throws {
    try check([
      ("Trip GROUP BY legs.to.loc", ["(latitude 1, longitude 2) 3", "nil 1"]),
      ("Trip GROUP BY lead.alt", ["\(Self.alt) 2", "nil 2"]),
      ("Trip GROUP BY near[0].loc", ["(latitude 1, longitude 2) 2", "nil 1", "(latitude 5, longitude 6) 1"]),
      ("Trip GROUP BY marks[0].at", ["(latitude 1, longitude 1) 2", "nil 2"]),
      ("Trip GROUP BY marks[0] SELECT marks[0].label, @count", ["x 1", "nil 1", "x 1", "z 1"]),
      (
        "Trip GROUP BY legs",
        [
          "(to City#1, via [City#1, City#2]) 1", "nil 1", "(to City#2, via []) 1", "(to City#1, via [City#3]) 1",
        ]
      ),
      (
        "Trip GROUP BY legs SELECT legs.via, legs.to",
        ["[City#1, City#2] City#1", "nil nil", "[] City#2", "[City#3] City#1"]
      ),
      (
        "Trip GROUP BY legs.to.loc SELECT legs.to.loc.latitude, legs.to.loc",
        ["1 (latitude 1, longitude 2)", "nil nil"]
      ),
      ("Trip GROUP BY legs.to.loc HAVING legs.to.loc != nil SELECT @count", ["3"]),
      ("City GROUP BY home.spot", ["(latitude 7, longitude 8) 2", "nil 1"]),
      ("Trip SELECT code DISTINCT near[0].loc", ["t1", "t2", "t3"]),
      ("Trip SELECT code DISTINCT marks[0].at", ["t1", "t2"]),
      ("Trip SELECT code DISTINCT lead.loc", ["t1", "t3"]),
      ("Trip GROUP BY lead SELECT lead.name DISTINCT lead.loc", ["A", "nil"]),
      ("Trip GROUP BY n SELECT n, @distinctUnionOfObjects.lead", ["1 [City#1, City#2]", "2 [City#1]"]),
    ])
  }

  @Test func keysDetermineWhatIsBehindThem() throws {
    try check([
      ("Trip GROUP BY lead SELECT lead.name, @count", ["A 2", "B 1", "nil 1"]),
      (
        "Trip GROUP BY lead SELECT lead.boss.name, lead.alt, lead",
        [
          "C \(Self.alt) City#1", "nil nil City#2", "nil nil nil",
        ]
      ),
      (
        "Trip GROUP BY lead SELECT lead.tags, lead.trips.code, lead.trips.@count",
        [
          "[x, yy] [t1, t4] 2", "[] [t2] 1", "nil nil 0",
        ]
      ),
      ("Trip GROUP BY lead HAVING lead.loc.latitude == 1 AND ANY lead.trips.n > 1 SELECT lead.name", ["A"]),
      ("Trip GROUP BY lead SORT BY lead.name DESC SELECT lead.name", ["B", "A", "nil"]),
      ("Trip GROUP BY lead SELECT lead.loc.latitude + @count", ["3", "2", "nil"]),
      ("Trip GROUP BY lead HAVING lead == 'A' SELECT @sum.n", ["3"]),
      ("Trip GROUP BY legs.to SELECT legs.to.name, @count", ["A 2", "nil 1", "B 1"]),
      (
        "Trip GROUP BY legs HAVING legs.via.@count < 2 SELECT legs.via.name, legs.via[0].loc.latitude, legs.to.name",
        [
          "nil nil nil", "[] nil B", "[C] 5 A",
        ]
      ),
      ("Trip GROUP BY near[0] SELECT near[0].name, @count", ["A 1", "nil 1", "C 1", "B 1"]),
      (
        "Trip GROUP BY code SELECT n, marks.label, legs, lead.name",
        [
          "1 [x, y] (to City#1, via [City#1, City#2]) A", "1 [] nil B", "2 [x] (to City#2, via []) nil",
          "2 [z] (to City#1, via [City#3]) A",
        ]
      ),
      (
        "City GROUP BY name HAVING trips.@count > 1 SELECT name, tags[0], SUBQUERY(trips, $t, $t.n > 1).code",
        ["A x [t4]"]
      ),
      ("Trip GROUP BY SELF SELECT code, near[0].name", ["t1 A", "t2 nil", "t3 C", "t4 B"]),
      ("City GROUP BY loc SELECT TERNARY(distance(loc, [2, 1]) < 1, 'here', 'there'), @count", ["here 2", "there 1"]),
      ("Trip GROUP BY legs.to HAVING legs.to.loc geoWithin geoCircle([2, 1], 1km) SELECT @count", ["2", "1"]),
    ])
  }

  /// Which object it is, is only found out where something else of it is asked.
  @Test func groupsThatOnlyCountAreOnlyCounted() throws {
    let store = try WholeStructs()
    #expect(try store.aggregates("Trip GROUP BY code SELECT code, @count + 1 HAVING code != 'x' AND @count > 0") == 1)
    #expect(try store.aggregates("Trip GROUP BY lead SELECT lead.name, @count") == 1)
    #expect(try store.aggregates("Trip GROUP BY code SELECT n, lead.name, @count") == 2)
    #expect(try store.aggregates("Trip GROUP BY SELF SELECT n, @count") == 1)
  }

  @Test func whatKeysDoNotDetermineIsRefused() throws {
    let store = try WholeStructs()
    for (statement, words) in [
      ("Trip GROUP BY n SELECT lead.name", "'lead.name' is not a key of GROUP BY"),
      ("Trip GROUP BY lead.name SELECT lead.tags", "'lead.tags' is not a key"),
      ("Trip GROUP BY lead.loc SELECT lead", "'lead' is not a key"),
      ("City GROUP BY boss SELECT name", "'name' is not a key"), ("Trip GROUP BY lead SELECT near.name", "not a key"),
      ("Trip GROUP BY lead HAVING near.@count > 1", "'near.@count' is not a key"),
      ("Trip GROUP BY marks", "'marks' is a collection"),
      ("Trip GROUP BY lead SORT BY lead.loc", "SORT BY cannot order"),
      ("Trip SORT BY near[0].loc", "SORT cannot order"), ("Trip GROUP BY near.loc", "is a collection"),
      ("Trip GROUP BY lead SELECT lead.nothing", "City has no property 'nothing'"),
    ] {
      #expect(store.failure(statement).contains(words), "\(statement)\n\(store.failure(statement))")
    }
  }
}
