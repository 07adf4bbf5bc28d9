import Schema
import Storage
import Testing
import Values

/// Schemas that change under objects that are there.
@Suite struct DeclareTests {
  private static let first = Schema.only(
    "Quake", [.scalar("code", .string), .scalar("magnitude", .double), .scalar("felt", .int8, optional: true)],
    indexes: [Index(kind: .unique, paths: ["code"])])

  private func filled(_ folder: StoreFolder, count: Int = 1000) throws -> StoreFile {
    let file = try folder.open(Self.first)
    try file.insert(
      (0..<count).map { [.string("q\($0)"), .double(Double($0) / 10), $0 % 2 == 0 ? .null : .int(Int64($0 % 100))] },
      into: "Quake")
    return file
  }

  /// The number of the transaction that wrote each cluster.
  private func writers(_ file: StoreFile) throws -> [UInt64] {
    try file.read { snapshot in
      var writers: [UInt64] = []
      try snapshot.forEachCluster(try #require(snapshot.schema.entity(named: "Quake"))) {
        writers.append($0.transaction)
        return true
      }
      return writers
    }
  }

  @Test func addingPropertiesRewritesNothing() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    let before = try writers(file)
    var schema = Self.first
    schema.entities[0].properties += [
      .scalar("place", .string, default: .string("somewhere")), .scalar("depth", .double, optional: true),
      .scalar("count", .int, default: .int(0)),
    ]
    try file.declare(schema)
    #expect(try writers(file) == before)
    #expect(before.count == 4)
    let row = try #require(try file.rows("Quake")[7])
    #expect(row == [.string("q6"), .double(0.6), .null, .string("somewhere"), .null, .int(0)])

    // A later default is for later declarations' new columns only.
    schema.entities[0].properties[3].defaultValue = .string("elsewhere")
    try file.declare(schema)
    #expect(try file.rows("Quake")[7]?[3] == .string("somewhere"))
    try file.expectWhole()
  }

  @Test func addingAndRemovingCollectionsRewritesNothing() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    let before = try writers(file)
    var schema = Self.first
    schema.entities[0].properties += [
      Property(name: "tags", type: .set(.string), defaultValue: .list([.string("b"), .string("a")])),
      Property(name: "marks", type: .array(.int8), defaultValue: .list([])),
      Property(name: "shares", type: .dictionary(.double), isOptional: true),
    ]
    try file.declare(schema)
    #expect(try writers(file) == before)
    let tags = Value.list([.string("a"), .string("b")])
    #expect(try file.rows("Quake")[7]?.suffix(3) == [tags, .list([]), .null])
    let long = Value.list((0..<3000).map { .int($0 & 63) })
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "Quake"))
      try session.update(ObjectNumber(7), of: entity, [(column: 4, value: long)])
    }
    #expect(try file.rows("Quake")[7]?.suffix(3) == [tags, long, .null])
    try file.expectWhole()

    // Wider elements are read as they are; another kind of collection, or another element, is another property.
    schema.entities[0].properties[4].type = .array(.int)
    try file.declare(schema)
    #expect(try file.rows("Quake")[7]?[4] == long)
    for type in [PropertyType.set(.int), .array(.string), .scalar(.int)] {
      var other = schema
      other.entities[0].properties[4].type = type
      #expect(throws: StoreError.self) { try file.declare(other) }
    }
    schema.entities[0].properties.remove(at: 4)
    try file.declare(SchemaDeclaration(schema, removing: ["Quake.marks"]))
    try file.expectWhole()
    schema.entities[0].properties.append(
      Property(name: "marks", type: .array(.int), defaultValue: .list([])))
    try file.declare(schema)
    #expect(try file.rows("Quake")[7]?.suffix(3) == [tags, .null, .list([])])
    try file.expectWhole()
  }

  @Test func removedNamesComeBackEmpty() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    let before = try writers(file)
    var schema = Self.first
    schema.entities[0].properties.removeLast()
    try file.declare(schema)
    #expect(try file.rows("Quake")[2]?.count == 3)
    try file.declare(SchemaDeclaration(schema, removing: ["Quake.felt"]))
    #expect(try file.rows("Quake")[2]?.count == 2)
    let old = Self.first.entities[0].properties[2]
    schema.entities[0].properties.append(
      Property(name: "felt", type: old.type, isOptional: true, defaultValue: .int(-1)))
    try file.declare(schema)
    #expect(try file.rows("Quake")[2]?[2] == .int(-1))
    #expect(try writers(file) == before)
    try file.expectWhole()
  }

  @Test func renamedPropertiesKeepTheirValuesAndIndexes() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    let before = try writers(file)
    var schema = Self.first
    schema.entities[0].properties[0].name = "name"
    schema.entities[0].properties[0].originalNames = ["code"]
    schema.entities[0].indexes = [Index(kind: .unique, paths: ["name"])]
    try file.declare(schema)
    let entity = try file.entity("Quake")
    #expect(entity.columns.map(\.path) == ["name", "magnitude", "felt"])
    #expect(try file.rows("Quake")[10]?[0] == .string("q9"))
    #expect(try writers(file) == before)
    let found = try file.read { try $0.find(unique: try #require(entity.indexes.first), .string("q500"), of: entity) }
    #expect(found == ObjectNumber(501))
    try file.expectWhole()
  }

  @Test func anOlderProgramRemovesNothing() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    var newer = Self.first
    newer.entities[0].properties.append(.scalar("place", .string, default: .string("")))
    newer.entities[0].indexes.append(Index(paths: ["place"]))
    try file.declare(newer)
    let version = try file.read { $0.schema.version }
    try file.declare(Self.first)
    #expect(try file.read { $0.schema.version } == version)
    #expect(try file.entity("Quake").column(at: "place") != nil)
    try file.declare(SchemaDeclaration(Self.first, removing: ["Quake.place"]))
    #expect(try file.entity("Quake").column(at: "place") == nil)
    #expect(try file.entity("Quake").indexes.count == 1)
    try file.expectWhole()
  }

  @Test func indexesAreBuiltAndDropped() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    var schema = Self.first
    schema.entities[0].indexes += [Index(paths: ["magnitude"]), Index(paths: ["felt", "magnitude"])]
    try file.declare(schema)
    #expect(try file.indexed("magnitude", of: "Quake") == Array(1...1000))
    try file.expectWhole()
    try file.insert([[.string("new"), .double(-1), .int(3)]], into: "Quake")
    #expect(try file.indexed("magnitude", of: "Quake").first == 1001)
    schema.entities[0].indexes.remove(at: 1)
    try file.declare(schema)
    #expect(try file.entity("Quake").indexes.count == 3)
    try file.declare(SchemaDeclaration(schema, removing: ["@indexed Quake.magnitude"]))
    #expect(try file.entity("Quake").indexes.map(\.index.name) == ["code", "felt+magnitude"])
    try file.expectWhole()
    schema.entities[0].indexes.append(Index(kind: .unique, paths: ["felt"]))
    #expect {
      try file.declare(schema)
    } throws: { error in
      guard case StoreError.migrationNeeded(let problems) = error else { return false }
      // Which of the values that are there several times is found first is no matter; one is there once more.
      let isThree = problems.first?.hasPrefix("11 objects of Quake have felt 3 ") == true
      return problems.count == 1 && (isThree || problems[0].hasPrefix("10 objects of Quake have felt "))
        && problems[0].hasSuffix(
          " and \(isThree ? 6 : 5) more), and Quake.felt is declared unique: change or delete all but one of them while it is not, or "
            + "leave the declaration out")
    }
    #expect(try file.entity("Quake").indexes.count == 2)
    try file.expectWhole()
  }

  @Test func nilIsFilledWhereItIsNoLongerAllowed() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    var schema = Self.first
    schema.entities[0].properties[2].isOptional = false
    #expect(
      throws: StoreError.migrationNeeded([
        "Quake.felt must have a value and 500 objects have none: give it a default, or make it optional"
      ])
    ) { try file.declare(schema) }
    schema.entities[0].properties[2].defaultValue = .int(-7)
    schema.entities[0].indexes.append(Index(paths: ["felt"]))
    try file.declare(schema)
    #expect(try file.rows("Quake")[1]?[2] == .int(-7))
    #expect(try file.rows("Quake")[2]?[2] == .int(1))
    try file.expectWhole()
    schema.entities[0].properties[2].isOptional = true
    try file.declare(schema)
    try file.insert([[.string("x"), .double(0), .null]], into: "Quake")
    try file.expectWhole()
  }

  @Test func integersWiden() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    var schema = Self.first
    schema.entities[0].properties[2].type = .scalar(.int)
    let before = try writers(file)
    try file.declare(schema)
    #expect(try writers(file) == before)
    #expect(try file.rows("Quake")[2]?[2] == .int(1))
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "Quake"))
      try session.update(ObjectNumber(2), of: entity, [(column: 2, value: .int(.max))])
    }
    #expect(try file.rows("Quake")[2]?[2] == .int(.max))
    #expect(try file.rows("Quake")[4]?[2] == .int(3))
    try file.expectWhole()
  }

  @Test func otherChangesOfTypeAreNamed() throws {
    let folder = try StoreFolder()
    let file = try filled(folder, count: 3)
    var schema = Self.first
    schema.entities[0].properties[1].type = .scalar(.string)
    schema.entities[0].properties[0].type = .scalar(.int)
    #expect(
      throws: StoreError.migrationNeeded([
        "Quake.code is String in the file and Int in the models: declare it as String; or convert the values in a step "
          + "of a MigrationPlan; or give what is new another name, so that the old values stay and can be asked for by "
          + "theirs; or, if they may go, 'objquery drop STORE Quake.code' first",
        "Quake.magnitude is Double in the file and String in the models: declare it as Double; or convert the values in a "
          + "step of a MigrationPlan; or give what is new another name, so that the old values stay and can be asked for by "
          + "theirs; or, if they may go, 'objquery drop STORE Quake.magnitude' first",
      ])
    ) { try file.declare(schema) }
    #expect(try file.rows("Quake").count == 3)
  }

  @Test func embeddedStructsAreColumns() throws {
    let folder = try StoreFolder()
    var schema = Schema(
      entities: [
        Entity(name: "Quake", properties: [.scalar("code", .string), Property(name: "at", type: .embedded("Place"))])
      ],
      embedded: [Entity(name: "Place", properties: [.scalar("name", .string), .scalar("depth", .double)])])
    let file = try folder.open(schema)
    try file.insert([[.string("a"), .string("Nome"), .double(3)]], into: "Quake")
    schema.entities[0].properties[1].isOptional = true
    try file.declare(schema)
    #expect(try file.entity("Quake").columns.map(\.path) == ["code", "at", "at.name", "at.depth"])
    #expect(try file.rows("Quake")[1] == [.string("a"), .bool(true), .string("Nome"), .double(3)])
    try file.insert([[.string("b"), .null, .null, .null]], into: "Quake")
    schema.entities[0].properties[1].isOptional = false
    schema.embedded[0].properties[0].defaultValue = .string("?")
    schema.embedded[0].properties[1].defaultValue = .double(0)
    try file.declare(schema)
    #expect(try file.rows("Quake")[2] == [.string("b"), .string("?"), .double(0)])
    try file.expectWhole()
  }

  @Test func whatIsNotKeptYetIsRefusedByName() throws {
    let folder = try StoreFolder()
    let schema = Schema.only(
      "Project", [.scalar("name", .string)],
      indexes: [Index(kind: .geo, paths: ["place"])])
    #expect {
      try folder.open(schema)
    } throws: { error in
      "\(error)".contains("Project") && "\(error)".contains("geo")
    }
  }

  @Test func entitiesGoOnlyWhenAsked() throws {
    let folder = try StoreFolder()
    let file = try filled(folder, count: 10)
    let other = Schema.only("Station", [.scalar("code", .string)])
    try file.declare(other)
    #expect(try file.rows("Quake").count == 10)
    try file.declare(SchemaDeclaration(other, removing: ["Quake"]))
    #expect(try file.read { $0.schema.entity(named: "Quake") } == nil)
    try file.declare(Self.first)
    #expect(try file.rows("Quake").count == 0)
    try file.insert([[.string("q"), .double(1), .null]], into: "Quake")
    try file.expectWhole()
  }
}
