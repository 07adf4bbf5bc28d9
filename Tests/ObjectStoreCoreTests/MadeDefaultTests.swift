import Foundation
import ObjectStoreCore
import Synchronization
import Testing

/// Properties that are new to objects which are there: their defaults are run for each, and nothing is invented.
@Suite struct MadeDefaultTests {
  private static let first =
    "@Model struct Item { var name: String; var at: Spot?; var all: [Spot] }"
    + "; @Model(.embedded) struct Spot { var x: Int }"

  private func filled(_ path: String) throws {
    let store = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(Self.first))
    for statement in [
      #"INSERT Item {"name": "a", "at": {"x": 1}, "all": [{"x": 1}, {"x": 2}]}"#,
      #"INSERT Item {"name": "b", "at": null, "all": []}"#,
      #"INSERT Item {"name": "c", "at": {"x": 3}, "all": [{"x": 4}]}"#,
    ] { _ = try store.run(statement) }
  }

  @Test func expressionsAreRunForEachObject() throws {
    let folder = try TemporaryFolder()
    try filled(folder.path("store"))
    let store = try Store(folder.path("store"), models: Item.self)
    let items = try store.objects(Item.self).objects()
    #expect(Set(items.map(\.id)).count == 3)
    #expect(items.map { $0.at?.mark != nil } == [true, false, true])
    let marks = items.compactMap(\.at?.mark) + items.flatMap(\.all).map(\.mark)
    #expect(marks.count == 5 && Set(marks).count == 5)
    #expect(try store.objects("Item").rows(["at.mark"])[1] == [.null])
    #expect(try store.check().isWhole)
    #expect(try store.schema.entities[0].indexes == [Index(kind: .unique, paths: ["id"])])
    // They stay what they are.
    #expect(
      try Store(folder.path("store"), models: Item.self).objects(Item.self).objects().map(\.id) == items.map(\.id))
  }

  @Test func theFileKnowsThoseOfSchemaText() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    try filled(path)
    let longer = """
      @Model struct Item {
        var name: String; var at: Spot?; var all: [Spot]; @Attribute(.unique) var id: UUID = UUID(); var made = Date()
      }
      @Model(.embedded) struct Spot { var x: Int; var mark: UUID? = UUID() }
      """
    let schema = try SchemaText.parse(longer)
    #expect(try SchemaText.parse(SchemaText.print(schema)) == schema)
    try { _ = try Store.openDynamic(path, mode: .readWrite, schema: schema) }()
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.schema == SchemaText.parse(SchemaText.print(try store.schema)))
    for statement in [
      #"INSERT Item {"name": "d", "at": {"x": 1}, "all": [{"x": 1}, {"x": 2}]}"#, #"INSERT Item {"name": "e"}"#,
      #"UPDATE Item SET all = [{"x": 8}] WHERE name == "e""#,
    ] { _ = try store.run(statement) }
    #expect(Set(try store.objects("Item").rows(["id"])).count == 5)
    #expect(try store.objects("Item").filter("made > now() - 3600 AND made <= now()").count == 5)
    #expect(try store.objects("Item").filter("ANY all.mark == nil").count == 0)
    #expect(try store.objects("Item").filter("at.mark != nil").count == 3)
    #expect(try store.check().isWhole)
  }

  @Test func withoutADefaultItIsRefused() throws {
    let folder = try TemporaryFolder()
    try filled(folder.path("store"))
    for (text, problem) in [
      (
        "@Model struct Item { var name: String; var when: Date }", "Item.when must have a value and 3 objects have none"
      ),
      (
        "@Model struct Item { var at: Spot? }; @Model(.embedded) struct Spot { var y: Int }",
        "Item.at.y must have a value and 2 objects have none"
      ),
      (
        "@Model struct Item { var all: [Spot] }; @Model(.embedded) struct Spot { var y: Int; var x: Int }",
        "Item.all.y must have a value and 2 objects have none"
      ),
      (
        "@Model struct Item { var spot: Spot }; @Model(.embedded) struct Spot { var x: Int }",
        "Item.spot must have a value and 3 objects have none"
      ),
    ] {
      let error = #expect(throws: StoreError.self) {
        try Store.openDynamic(
          folder.path("store"), mode: .readWrite, schema: SchemaText.parse(text),
          keeping: text.contains("var spot") ? ["Item.at"] : ["Item.at.x"])
      }
      #expect("\(String(describing: error))".contains(problem), "\(String(describing: error))")
      #expect("\(String(describing: error))".contains("give it a default, or make it optional"))
    }
  }

  @Test func whatAModelDoesNotSeeIsLeftAloneAndGetsItsDefault() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let longer = """
      @Model struct Item {
        var name: String; var secret = 0; var note: String?; var kind = "k"; var at: Spot?; var all: [Spot]; var id: UUID
      }
      @Model(.embedded) struct Spot { var x: Int; var mark: UUID; var hidden = 0; var tone = 5 }
      """
    try { _ = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(longer)) }()
    let store = try Store(path, models: Item.self)
    try store.write { tx in
      _ = try tx.add(Item("a", at: Spot(1), all: [Spot(2)]))
      _ = try tx.add(Item("b", at: nil, all: []))
    }
    let paths = ["secret", "note", "kind", "at.hidden", "at.tone"]
    #expect(
      try store.objects("Item").rows(paths) == [
        [.int(0), .null, .string("k"), .int(0), .int(5)], [.int(0), .null, .string("k"), .null, .null],
      ])
    try store.write { tx in
      try tx.update(ObjectNumber(1), of: "Item", ["secret": .int(9), "at.hidden": .int(8)])
    }
    var item = try #require(try store.objects(Item.self).first)
    item.name = "changed"
    item.at?.x = 77
    try store.write { [item] tx in try tx.upsert(item) }
    #expect(try store.objects("Item").rows(paths)[0] == [.int(9), .null, .string("k"), .int(8), .int(5)])
    item.at = nil
    try store.write { [item] tx in try tx.upsert(item) }
    #expect(try store.objects("Item").rows(paths)[0] == [.int(9), .null, .string("k"), .null, .null])
    #expect(try store.check().isWhole)
  }
}

/// What `@Model` writes, by hand.
private struct Spot: Model {
  var x: Int
  var mark = UUID()
  private var _objectID = ObjectIdentity<Spot>()

  init(_ x: Int) { self.x = x }

  static let modelDefinition = ModelDefinition(of: Spot.self, name: "Spot", isEmbedded: true) { model in
    model.property("x", \Spot.x, \Spot?.?.x)
    model.property("mark", \Spot.mark, \Spot?.?.mark, made: { UUID() })
  }

  var objectID: ObjectID<Spot>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Spot> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    x = try row.next()
    mark = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    x.encode(into: &row)
    mark.encode(into: &row)
  }
}

/// What `@Model` writes, by hand.
private struct Item: Model {
  var name: String
  var at: Spot?
  var all: [Spot]
  var id = UUID()
  private var _objectID = ObjectIdentity<Item>()

  init(_ name: String, at: Spot?, all: [Spot]) {
    self.name = name
    self.at = at
    self.all = all
  }

  static let modelDefinition = ModelDefinition(of: Item.self, name: "Item") { model in
    model.property("name", \Item.name, \Item?.?.name)
    model.property("at", \Item.at, \Item?.?.at)
    model.property("all", \Item.all, \Item?.?.all)
    model.property("id", \Item.id, \Item?.?.id, made: { UUID() }, indexes: [.unique])
  }

  var objectID: ObjectID<Item>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Item> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    at = try row.next()
    all = try row.next()
    id = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    at.encode(into: &row)
    all.encode(into: &row)
    id.encode(into: &row)
  }
}
