import LMDB
import Testing
import Values

@testable import Schema
@testable import Storage

/// Lists of structs: columns that belong together, nil in them, and schemas that change under them.
@Suite struct StructListTests {
  private static func schema(_ stop: [Property], inner: [Property] = [.scalar("city", .string)]) -> Schema {
    Schema(
      entities: [
        Entity(
          name: "Trip",
          properties: [.scalar("code", .string), Property(name: "stops", type: .embeddedList("Stop"))])
      ],
      embedded: [Entity(name: "Stop", properties: stop), Entity(name: "Place", properties: inner)])
  }

  private static let first = schema([
    .scalar("name", .string), .scalar("minutes", .int8, optional: true),
    Property(name: "place", type: .embedded("Place"), isOptional: true),
  ])

  private func row(_ code: String, _ names: [String], _ minutes: [Int64?], _ cities: [String?]) -> [Value] {
    [
      .string(code), .int(Int64(names.count)), .list(names.map(Value.string)),
      .list(minutes.map { $0.map(Value.int) ?? .null }), .list(cities.map { $0 == nil ? .null : .bool(true) }),
      .list(cities.map { $0.map(Value.string) ?? .null }),
    ]
  }

  private func filled() throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: Self.first)
    try file.insert(
      [
        row("a", ["x", "y"], [6, nil], ["Ulm", nil]), row("b", [], [], []), row("c", ["z"], [nil], [nil]),
        row(
          "d", (0..<200).map { "stop \($0)" }, (0..<200).map { $0 % 3 == 0 ? nil : 5 }, (0..<200).map { _ in "Bonn" }),
      ], into: "Trip")
    return file
  }

  @Test func columnsStandInOrder() throws {
    let file = try filled()
    let entity = try file.entity("Trip")
    #expect(
      entity.columns.map(\.path) == [
        "code", "stops", "stops.name", "stops.minutes", "stops.place", "stops.place.city",
      ])
    let list = try #require(entity.structLists.first)
    #expect(list.column == 1 && list.parts == [2, 3, 4, 5] && list.structure == "Stop")
    #expect(try file.rows("Trip")[1] == row("a", ["x", "y"], [6, nil], ["Ulm", nil]))
    #expect(try file.rows("Trip")[3] == row("c", ["z"], [nil], [nil]))
    #expect(try file.rows("Trip")[4]?[3].elements?.count { $0.isNull } == 67)
    try file.expectWhole()
  }

  @Test func structsAndColumnsAreTheSame() throws {
    let file = try filled()
    let entity = try file.entity("Trip")
    let list = try #require(entity.structLists.first)
    let columns = entity.columns.map(\.column)
    for row in try file.rows("Trip").values {
      let structs = list.value { row[$0] }
      let again = try list.columns(of: structs, in: columns)
      #expect(again.map(\.column) == [1, 2, 3, 4, 5])
      #expect(again.map(\.value) == Array(row[1...]))
    }
    let given = Value.list([
      .embedded([EmbeddedField(name: "name", value: .string("x"))]), .embedded([]),
    ])
    #expect(throws: StructList.Fault(element: 1, path: "stops.name", reason: .missingValue)) {
      try list.columns(of: given, in: columns)
    }
    #expect(throws: StructList.Fault(element: nil, path: "stops", reason: .notAList)) {
      try list.columns(of: .int(1), in: columns)
    }
    #expect(throws: StructList.Fault(element: 0, path: "stops", reason: .notAStruct)) {
      try list.columns(of: .list([.int(1)]), in: columns)
    }
    let unknown = Value.list([.embedded([EmbeddedField(name: "nmae", value: .null)])])
    #expect(
      throws: StructList.Fault(
        element: 0, path: "stops", reason: .unknownProperty("nmae", among: ["name", "minutes", "place"]))
    ) { try list.columns(of: unknown, in: columns) }
  }

  @Test func aDamagedCountWithoutPartsIsOfNoStructs() throws {
    let list = try #require(try filled().entity("Trip").structLists.first)
    #expect(list.value { $0 == list.column ? .int(.max) : .null } == .list([]))
    #expect(list.value { $0 == list.column ? .int(-5) : .null } == .list([]))
  }

  @Test func unevenListsAreRefused() throws {
    let file = try filled()
    let entity = try file.entity("Trip")
    var short = row("e", ["x", "y"], [1, 2], [nil, nil])
    short[3] = .list([.int(1)])
    #expect {
      try file.insert([short], into: "Trip")
    } throws: { "\($0)".contains("Trip.stops would have 2 structs and 1 values of 'stops.minutes'") }
    #expect {
      try file.write { try $0.update(ObjectNumber(1), of: entity, [(column: 2, value: .list([]))]) }
    } throws: { "\($0)".contains("0 values of 'stops.name'") }
    #expect(throws: StoreError.self) {
      try file.write {
        try $0.update(ObjectNumber(3), of: entity, [(column: 2, value: .list([.null]))])
      }
    }
    // The write that was refused a row goes on.
    try file.write { session in
      _ = try? session.insert(short, into: entity)
      try session.insert(row("f", ["k"], [1], ["Rom"]), into: entity)
      try session.update(
        ObjectNumber(1), of: entity, row("a", [], [], []).enumerated().dropFirst().map { ($0.offset, $0.element) })
    }
    #expect(try file.rows("Trip")[5] == row("f", ["k"], [1], ["Rom"]))
    #expect(try file.rows("Trip")[1] == row("a", [], [], []))
    try file.expectWhole()
  }

  @Test func aLeafThatIsNewIsFilled() throws {
    let file = try filled()
    var schema = Self.first
    schema.embedded[0].properties += [
      .scalar("seat", .int, default: .int(0)), .scalar("class", .string, default: .string("second")),
      .scalar("note", .string, optional: true),
    ]
    schema.embedded[1].properties += [.scalar("zip", .int, default: .int(0))]
    try file.declare(schema)
    let entity = try file.entity("Trip")
    #expect(
      entity.columns.dropFirst(5).map(\.path) == [
        "stops.place.city", "stops.place.zip", "stops.seat", "stops.class", "stops.note",
      ])
    #expect(
      try file.rows("Trip")[1]?.suffix(4) == [
        .list([.int(0), .null]), .list([.int(0), .int(0)]), .list([.string("second"), .string("second")]),
        .list([.null, .null]),
      ])
    #expect(try file.rows("Trip")[2]?.suffix(4) == [.list([]), .list([]), .list([]), .list([])])
    try file.expectWhole()
  }

  @Test func leavesGoChangeTheirNamesAndWiden() throws {
    let file = try filled()
    var schema = Self.first
    schema.embedded[0].properties[0] = Property(name: "title", type: .scalar(.string), originalNames: ["name"])
    schema.embedded[0].properties[1].type = .scalar(.int)
    schema.embedded[0].properties.removeLast()
    schema.embedded.removeLast()
    schema.entities[0].properties[1].name = "halts"
    schema.entities[0].properties[1].originalNames = ["stops"]
    try file.declare(SchemaDeclaration(schema, removing: ["Trip.stops.place"]))
    let entity = try file.entity("Trip")
    #expect(entity.columns.map(\.path) == ["code", "halts", "halts.title", "halts.minutes"])
    #expect(
      try file.rows("Trip")[1] == [
        .string("a"), .int(2), .list([.string("x"), .string("y")]), .list([.int(6), .null]),
      ])
    try file.expectWhole()
    schema.embedded[0].properties[1].type = .scalar(.string)
    #expect {
      try file.declare(schema)
    } throws: { "\($0)".contains("Trip.halts.minutes is Int in the file and String in the models") }
  }

  @Test func nilThatIsNoLongerAllowedIsFilledOrTold() throws {
    let file = try filled()
    var schema = Self.first
    schema.embedded[0].properties[1].isOptional = false
    #expect {
      try file.declare(schema)
    } throws: { "\($0)".contains("stops.minutes must have a value and 3 objects have none") }
    schema.embedded[0].properties[1].defaultValue = .int(9)
    try file.declare(schema)
    #expect(try file.rows("Trip")[1]?[3] == .list([.int(6), .int(9)]))
    try file.expectWhole()
  }

  @Test func aStructWithinThatBecomesOptionalWasThere() throws {
    let file = try StoreFile.inMemory(
      declaring: Self.schema([.scalar("name", .string), Property(name: "place", type: .embedded("Place"))]))
    try file.insert(
      [[.string("a"), .int(2), .list([.string("x"), .string("y")]), .list([.string("Ulm"), .string("")])]], into: "Trip"
    )
    let optional = Property(name: "place", type: .embedded("Place"), isOptional: true)
    let other = Property(name: "other", type: .embedded("Place"), isOptional: true)
    try file.declare(Self.schema([.scalar("name", .string), optional, other]))
    let row = try #require(try file.rows("Trip")[1])
    #expect(row[3] == .list([.bool(true), .bool(true)]) && row[4] == .list([.string("Ulm"), .string("")]))
    #expect(row[5] == .list([.null, .null]) && row[6] == .list([.null, .null]))
    try file.expectWhole()
  }

  @Test func aListThatIsNewIsEmptyAndAnotherTypeIsRefused() throws {
    let file = try StoreFile.inMemory(declaring: Schema.only("Trip", [.scalar("code", .string)]))
    try file.insert([[.string("a")]], into: "Trip")
    #expect(throws: StoreError.self) { try file.declare(Self.first) }
    var first = Self.first
    first.entities[0].properties[1].defaultValue = .list([])
    try file.declare(first)
    #expect(try file.rows("Trip")[1] == row("a", [], [], []))
    var single = Self.first
    single.entities[0].properties[1].type = .embedded("Stop")
    #expect(throws: StoreError.self) { try file.declare(single) }
    try file.expectWhole()
  }

  @Test func unevenColumnsInTheFileAreTold() throws {
    let file = try filled()
    let entity = try file.entity("Trip")
    let tampered = try file.read { snapshot in
      let view = try #require(try snapshot.cluster(0, of: entity))
      let builder = try ClusterBuilder(decoding: view)
      try builder.set(1, 2, .list([.string("x")]))
      try builder.set(3, 1, .int(2))
      return try builder.encode(transaction: 1)
    }
    try file.environment.write { transaction in
      let objects = try #require(try transaction.database("o\(entity.number)"))
      var key: UInt64 = 0
      try withUnsafeBytes(of: &key) { key in
        try tampered.bytes.withUnsafeBytes { try transaction.put(key, $0, objects) }
      }
    }
    let problems = try file.check().problems
    #expect(
      problems.contains("Trip cluster 0, property 'stops.name': slot 1 has 1 value for 2 structs"), "\(problems)")
    #expect(
      problems.contains("Trip cluster 0, property 'stops.place.city': slot 3 has 1 value for 2 structs"),
      "\(problems)")
  }
}

extension Value {
  fileprivate var elements: [Value]? { if case .list(let elements) = self { elements } else { nil } }
}
