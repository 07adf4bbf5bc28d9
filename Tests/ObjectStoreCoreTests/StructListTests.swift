import Foundation
import ObjectStoreCore
import Testing

/// Arrays of embedded structs in models, dynamic objects and statements.
@Suite struct StructListTests {
  @Test func whatIsAddedIsReadBackEqual() throws {
    let store = try Trip.store()
    #expect(try store.objects(Trip.self).objects() == Trip.several)
    #expect(try store.objects(Trip.self).values(of: \.stops) == Trip.several.map(\.stops))
    #expect(try store.objects(Trip.self)[3].stops[1].minutes == 1)
    #expect(try store.check().isWhole)
    let schema = try store.schema
    let text = SchemaText.print(schema)
    #expect(text.contains("var stops: [Stop] = []"), "\(text)")
    #expect(try SchemaText.parse(text) == schema)
  }

  @Test func updatesAndUpserts() throws {
    let store = try Trip.store()
    try store.write { tx in
      try tx.update(ObjectID<Trip>(ObjectNumber(1))) {
        $0.stops.append(Stop("k", minutes: 1, place: Town("Bonn")))
        $0.stops[0].place = nil
        $0.stops.swapAt(0, 1)
      }
      try tx.upsert(Trip("b"))
      try tx.upsert(Trip("e", [Stop("x")]))
    }
    let first = try store.objects(Trip.self)[0]
    #expect(first.stops == [Stop("y"), Stop("x", minutes: 6), Stop("k", minutes: 1, place: Town("Bonn"))])
    #expect(try store.objects(Trip.self)[1].stops == [])
    #expect(try store.objects(Trip.self)[4].stops == [Stop("x")])
    #expect(try store.check().isWhole)
  }

  /// A program that does not know a property of the structs takes one out, edits one and adds one.
  @Test func whatIsUnseenStaysWithItsStruct() throws {
    let folder = try TemporaryFolder()
    let text = SchemaText.print(try Trip.store().schema)
    let wider = try #require(text.range(of: "struct Stop {")).upperBound
    do {
      let store = try Store.openDynamic(
        folder.path("store"), mode: .create,
        schema: SchemaText.parse(text[..<wider] + "\n  var rank: Int = 0\n" + text[wider...]))
      _ = try store.run(
        #"""
        INSERT Trip {"code": "t", "stops": [{"name": "a", "rank": 1}, {"name": "b", "rank": 2}, {"name": "c", "rank": 3}]}
        """#)
    }
    do {
      let store = try Store(folder.path("store"), models: Trip.self)
      try store.write { tx in
        try tx.update(ObjectID<Trip>(ObjectNumber(1))) {
          $0.stops.removeFirst()
          $0.stops.append(Stop("d"))
        }
      }
      try store.write { tx in try tx.update(ObjectID<Trip>(ObjectNumber(1))) { $0.stops[1].minutes = 5 } }
      try store.write { tx in try tx.update(ObjectID<Trip>(ObjectNumber(1))) { $0.stops.reverse() } }
    }
    let store = try Store.openDynamic(folder.path("store"), mode: .readWrite)
    let ranks = ["a", "b", "c", "d"].map { name in
      (0...3).first { rank in
        (try? store.objects("Trip").filter("ANY stops.name == %@", name).filter(
          "SUBQUERY(stops, $s, $s.name == %@ AND $s.rank == %@).@count > 0", name, rank
        ).count) == 1
      }
    }
    #expect(ranks == [nil, 2, 3, 0])
    #expect(try store.check().isWhole)
  }

  @Test func questions() throws {
    let store = try Trip.store()
    #expect(try store.objects(Trip.self).filter("ANY stops.name == %@", "x").values(of: \.code) == ["a", "b"])
    #expect(
      try store.objects(Trip.self).filter("SUBQUERY(stops, $s, $s.name == %@ AND $s.minutes > limit).@count > 0", "x")
        .values(of: \.code) == ["a"])
    #expect(try store.objects(Trip.self).sorted(by: "stops.@count DESC").values(of: \.code).first == "d")
    #expect(try store.objects(Trip.self).filter("ANY stops.place.seen > %@", Date.distantPast).count == 1)
  }

  @Test func dynamicObjects() throws {
    let store = try Trip.store()
    let first = try store.objects("Trip")[0]
    func stop(_ name: String, _ minutes: Value, _ place: Value) -> Value {
      .embedded([
        EmbeddedField(name: "name", value: .string(name)), EmbeddedField(name: "minutes", value: minutes),
        EmbeddedField(name: "place", value: place),
      ])
    }
    let town = Value.embedded([
      EmbeddedField(name: "city", value: .string("Ulm")),
      EmbeddedField(name: "seen", value: .date(Instant(seconds: 7))),
    ])
    let stops = Value.list([stop("x", .int(6), town), stop("y", .null, .null)])
    #expect(first["stops"] == stops)
    #expect(first.properties.map(\.name) == ["code", "stops", "limit"])
    #expect(first["stops.name"] == .null)
    #expect(try store.objects("Trip").rows(["stops", "code"])[0] == [stops, .string("a")])
    try store.write { tx in
      try tx.update(
        ObjectNumber(3), of: "Trip",
        ["stops": .list([.embedded([EmbeddedField(name: "name", value: .string("new"))]), stop("y", .int(2), town)])])
    }
    #expect(
      try store.objects(Trip.self)[2].stops == [
        Stop("new"), Stop("y", minutes: 2, place: Town("Ulm", .init(timeIntervalSinceReferenceDate: 7))),
      ])
    for wrong in [
      Value.list([.embedded([])]), .list([.int(1)]), .list([stop("x", .string("q"), .null)]),
      .list([.embedded([EmbeddedField(name: "nmae", value: .string("x"))])]),
    ] {
      #expect(throws: StoreError.self) {
        try store.write { tx in try tx.update(ObjectNumber(3), of: "Trip", ["stops": wrong]) }
      }
    }
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.update(ObjectNumber(3), of: "Trip", ["stops.name": .list([])]) }
    }
    let rows = try store.run("Trip SELECT stops[0], stops.name, SUBQUERY(stops, $s, $s.minutes > 5), stops")
    guard case .rows(let rows) = rows else { throw CancellationError() }
    #expect(
      try rows.rows()[0] == [
        stop("x", .int(6), town), .list([.string("x"), .string("y")]), .list([stop("x", .int(6), town)]), stops,
      ])
  }

  @Test func insertsAndUpdates() throws {
    let store = try Trip.store()
    _ = try store.run(
      #"""
      INSERT Trip {"code": "j", "stops": [{"name": "x", "minutes": 4}, {"name": "y", "place": {"city": "Rom",
        "seen": "2018-02-07"}}]}
      """#)
    _ = try store.run(#"INSERT Trip {"code": "k"}"#)
    _ = try store.run(#"INSERT Trip {"code": "l", "stops": []}"#)
    let new = try #require(try store.objects(Trip.self).filter("code == 'j'").first)
    #expect(new.stops.map(\.name) == ["x", "y"] && new.stops[1].place?.seen != nil)
    #expect(try store.objects(Trip.self).filter("code == 'k'").first?.stops == [])
    _ = try store.run(#"UPDATE Trip SET stops = [{"name": "n", "minutes": 2}, {"name": "m"}] WHERE code == 'k'"#)
    #expect(try store.objects(Trip.self).filter("code == 'k'").first?.stops == [Stop("n", minutes: 2), Stop("m")])
    _ = try store.run(#"UPDATE Trip SET stops = [] WHERE code == 'k'"#)
    #expect(try store.objects(Trip.self).filter("code == 'k'").first?.stops == [])
    #expect(try store.check().isWhole)
    let wrong = [
      #"INSERT Trip {"code": "w", "stops": 5}"#: "'stops' is a list of structs, which this is not",
      #"INSERT Trip {"code": "w", "stops": null}"#: "'stops' is a list of structs, which this is not",
      #"INSERT Trip {"code": "w", "stops": [5]}"#: "struct 1 of 'stops' is not written as an object",
      #"INSERT Trip {"code": "w", "stops": [{"name": "x"}, {}]}"#: "'stops[1].name' needs a value",
      #"INSERT Trip {"code": "w", "stops": [{"nmae": "x"}]}"#: "did you mean 'name'?",
      #"INSERT Trip {"code": "w", "stops": [{"name": "x", "minutes": "q"}]}"#: "'stops[0].minutes' is of type Int",
      #"INSERT Trip {"code": "w", "stops": [{"name": "x", "place": 5}]}"#: "is not written as an object",
      #"INSERT Trip {"code": "w", "stops": [{"name": "x", "place": {}}]}"#: "'stops[0].place.city' needs a value",
      #"UPDATE Trip SET stops = 5"#: "'stops' is a list of structs, which this is not",
      #"UPDATE Trip SET stops = limit"#: "'stops' is a list of 'Stop', which this is not",
      #"UPDATE Trip SET stops.name = {'x'}"#: "'stops.name' is in every struct of 'stops', which is set as a whole",
      #"UPDATE Trip SET stops = [{"nmae": "x"}]"#: "did you mean 'name'?",
      #"UPDATE Trip SET stops = [{"name": 5}]"#: "'stops[0].name' is of type String",
      #"UPDATE Trip SET limit = [{"name": 5}]"#: "limit",
    ]
    for (statement, message) in wrong {
      #expect("\(statement)") {
        try store.run(statement)
      } throws: { "\($0)".contains(message) }
    }
  }

  /// An older program knows fewer leaves: what it does not know stays, struct by struct.
  @Test func olderModelsKeepWhatTheyDoNotKnow() throws {
    let store = try Trip.store()
    try store.declare(
      try SchemaText.parse(
        """
        @Model struct Town { var city: String; var seen: Date? }
        @Model struct Stop { var name: String; var minutes: Int?; var place: Town?; var seats: Int = 4 }
        @Model struct Trip { @Attribute(.unique) var code: String; var stops: [Stop] = []; var limit: Int = 5 }
        """))
    _ = try store.run(#"UPDATE Trip SET stops = [{"name": "p", "seats": 9}, {"name": "q"}] WHERE code == 'c'"#)
    try store.write { tx in
      try tx.update(ObjectID<Trip>(ObjectNumber(3))) { $0.stops.append(Stop("r")) }
      try tx.add(Trip("e", [Stop("s")]))
    }
    guard case .rows(let rows) = try store.run("Trip WHERE code IN {'c', 'e'} SELECT stops.seats") else {
      throw CancellationError()
    }
    #expect(try rows.rows() == [[.list([.int(9), .int(4), .int(4)])], [.list([.int(4)])]])
    try store.write { tx in try tx.update(ObjectID<Trip>(ObjectNumber(3))) { $0.stops.removeLast(2) } }
    #expect(try store.objects(Trip.self)[2].stops == [Stop("p")])
    #expect(try store.check().isWhole)
  }

  @Test func whatCannotBeInAListIsRefused() throws {
    #expect {
      try Store.inMemory(Knot.self)
    } throws: { "\($0)".contains("'Knot' is embedded in itself") }
    let wrong = [
      "var tags: [String]": "'Trip.stops' is a list of 'Stop', whose 'tags' is a collection",
      "var next: Link<Trip>?": "'Trip.stops' is a list of 'Stop', whose 'next' is a link",
      "var trips: List<Trip>": "'Trip.stops' is a list of 'Stop', whose 'trips' is a link",
    ]
    for (property, message) in wrong {
      #expect("\(property)") {
        _ = try Store.inMemory().declare(
          try SchemaText.parse("@Model struct Stop { \(property) }\n@Model struct Trip { var stops: [Stop] }"))
      } throws: { "\($0)".contains(message) }
    }
  }
}
