import ObjectStoreCore
import Testing

/// New objects that are written by a model which lacks a property of the file: nothing is invented there.
@Suite struct UnseenPropertyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with one note and one shelf, of all their properties, opened with models that lack some.
  private func store(_ properties: String = "var pages: Int", shelf: String = "") throws -> Store {
    let path = folder.path("store")
    let text = """
      @Model struct Note { @Attribute(.unique) var title: String; \(properties) }
      @Model struct Shelf { var name: String; var notes: List<Note>; \(shelf) }
      """
    try { _ = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(text)) }()
    return try Store(path, models: Shelf.self)
  }

  private static let pages = StoreError.unseenProperties(entity: "Note", paths: ["pages"])

  @Test func addIsRefused() throws {
    let store = try store()
    try store.write { tx in
      let error = #expect(throws: Self.pages) { try tx.add(Note("a")) }
      let words = "\(String(describing: error))"
      for part in [
        "'pages'", "declare it", "a default", "optional", "removing: [\"Note.pages\"]",
        "objquery drop STORE Note.pages",
      ] {
        #expect(words.contains(part), "\(words)")
      }
      #expect(throws: Self.pages) { try tx.upsert(Note("a")) }
      // What is linked to is added too, or nothing is.
      #expect(throws: Self.pages) { try tx.add(Shelf("s", [Note("a")])) }
      // The transaction goes on.
      try tx.add(Shelf("s", []))
    }
    #expect(throws: Self.pages) { try store.add(Note("a")) }
    #expect(try store.objects("Note").count == 0)
    #expect(try store.objects("Shelf").count == 1)
  }

  @Test func whatIsThereKeepsItsValues() throws {
    let store = try store()
    _ = try store.run(#"INSERT Note {"title": "a", "pages": 7}"#)
    try store.write { tx in _ = try tx.upsert(Note("a")) }
    #expect(try store.objects("Note").rows(["title", "pages"]) == [[.string("a"), .int(7)]])
  }

  @Test func allAreNamed() throws {
    let store = try store(
      "var pages: Int; var site: Site; @Attribute(.unique) var slug: String; var kind = 1 }; @Model(.embedded) struct Site { var town: String; var zip: Int"
    )
    #expect(throws: StoreError.unseenProperties(entity: "Note", paths: ["pages", "site", "slug"])) {
      try store.add(Note("a"))
    }
  }

  @Test func defaultsAndOptionalsAreNoMatter() throws {
    let store = try store(
      "var pages = 3; var note: String?; var tags: [String]; var id: UUID = UUID(); var made = Date()",
      shelf: "var size: Double?")
    try store.write { tx in
      try tx.add(Shelf("s", [Note("a"), Note("b")]))
    }
    #expect(
      try store.objects("Note").rows(["pages", "note", "tags"]) == [
        [.int(3), .null, .list([])], [.int(3), .null, .list([])],
      ])
    let ids = try store.objects("Note").rows(["id"])
    #expect(Set(ids).count == 2)
    #expect(try store.objects("Note").filter("made > now() - 3600 AND made <= now()").count == 2)
    #expect(try store.check().isWhole)
  }

  @Test func rowsOfAShorterText() throws {
    let store = try store()
    try store.write { tx in
      let added = try tx.inserter(for: "Note", leaving: ["pages"])
      #expect(throws: Self.pages) { try added.append([.string("a"), .null]) }
      let rows = try tx.inserter(for: "Note", upsertKey: "title", leaving: ["pages"])
      #expect(throws: Self.pages) { try rows.append([.string("a"), .null]) }
    }
    _ = try store.run(#"INSERT Note {"title": "a", "pages": 7}"#)
    try store.write { tx in
      let rows = try tx.inserter(for: "Note", upsertKey: "title", leaving: ["pages"])
      try rows.append([.string("a"), .null])
    }
    #expect(try store.objects("Note").rows(["pages"]) == [[.int(7)]])
  }
}

/// What `@Model` writes, by hand.
private struct Note: Model {
  var title: String
  private var _objectID = ObjectIdentity<Note>()

  init(_ title: String) { self.title = title }

  static let modelDefinition = ModelDefinition(of: Note.self, name: "Note") { model in
    model.property("title", \Note.title, \Note?.?.title, indexes: [.unique])
  }

  var objectID: ObjectID<Note>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  init(from row: inout RowDecoder) throws { title = try row.next() }

  func encode(into row: inout RowEncoder) { title.encode(into: &row) }
}

/// What `@Model` writes, by hand.
private struct Shelf: Model {
  var name: String
  var notes: List<Note>
  private var _objectID = ObjectIdentity<Shelf>()

  init(_ name: String, _ notes: List<Note>) {
    self.name = name
    self.notes = notes
  }

  static let modelDefinition = ModelDefinition(of: Shelf.self, name: "Shelf") { model in
    model.property("name", \Shelf.name, \Shelf?.?.name)
    model.property("notes", \Shelf.notes, \Shelf?.?.notes)
  }

  var objectID: ObjectID<Shelf>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    notes = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    notes.encode(into: &row)
  }
}
