import Foundation
import ObjectStoreCore
import Testing

/// Programs with different models that have one file open at once.
@Suite struct SeveralModelsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("notes") }

  init() throws { folder = try TemporaryFolder() }

  private func migrateElsewhere() throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "ObjectStoreCoreTestHelper")
    process.arguments = [path, "migrate"]
    process.standardOutput = Pipe()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func whoHasTheOldTypeLearnsThatItChanged() throws {
    let store = try Store(path, models: Note.self)
    let id = try store.add(Note(1, 2, "three"))
    let read = try #require(try store.object(id))
    let results = store.objects(Note.self).sorted(by: \.turn)
    #expect(try results.count == 1)
    try migrateElsewhere()
    // What was read is a value, and stays.
    #expect(read.text == "three")
    let changed = StoreError.migrationNeeded(["Note.task is Double in the file and Int in the model"])
    #expect(throws: changed) { try results.objects() }
    #expect(throws: changed) { try store.object(id) }
    #expect(throws: changed) { try store.add(Note(1, 2, "three")) }
    #expect(throws: changed) { try store.write { tx in try tx.update(read) { $0.turn = 5 } } }
    // By name it goes on.
    #expect(try store.objects("Note").rows(["task", "turn"]) == [[.double(1), .int(3)]])
    // It is not taken back by opening again.
    #expect(throws: StoreError.self) { try Store(path, models: Note.self) }
    #expect(throws: StoreError.self) { try Store(path, models: Note.self, mode: .readOnly) }
    #expect(try store.check().problems == [])
  }

  @Test func nilIsForWhoMayHaveIt() throws {
    let store = try Store(path, models: Note.self)
    let id = try store.add(Note(1, 2, "three"))
    let optional = "@Model struct Note { var task: Int?; var turn: Int; var text: String }"
    let other = try Store.openDynamic(path, mode: .readWrite, schema: SchemaText.parse(optional))
    #expect(try store.object(id)?.task == 1)
    _ = try store.add(Note(4, 5, "six"))
    _ = try other.run("UPDATE Note SET task = null WHERE turn == 2")
    // Others go on; only the object that has nil can't be read.
    #expect(throws: StoreError.missingValue(entity: "Note", path: "task")) { try store.object(id) }
    #expect(try store.objects(Note.self).filter("task != nil").objects().map(\.task) == [4])
    // Who opens it with the older model asks for a value again, and has no default for it.
    #expect(throws: StoreError.self) { try Store(path, models: Note.self) }
    _ = try other.run("UPDATE Note SET task = 9 WHERE task == nil")
    #expect(try Store(path, models: Note.self).object(id)?.task == 9)
    // Now the other one is refused nil.
    #expect(throws: (any Error).self) { try other.run("UPDATE Note SET task = null") }
  }

  @Test func modesOfOpening() throws {
    #expect(throws: StoreError.notFound(path: path)) { try Store(path, models: Note.self, mode: .readWrite) }
    #expect(throws: StoreError.notFound(path: path)) { try Store(path, models: Note.self, mode: .readOnly) }
    try { _ = try Store(path, models: Note.self, mode: .create).add(Note(1, 2, "three")) }()
    try { _ = try Store(path, models: Note.self, mode: .readWrite).add(Note(1, 3, "three")) }()
    let store = try Store(path, models: Note.self, mode: .readOnly)
    #expect(try store.objects(Note.self).count == 2)
    #expect(throws: StoreError.readOnly(path: path)) { try store.add(Note(1, 2, "three")) }
    // What would have to be changed is not, and said.
    #expect(
      throws: StoreError.migrationNeeded(["Town is not in the file"])
    ) { try Store(path, models: Note.self, Settlement.self, mode: .readOnly) }
    let wider = "@Model struct Note { var task: Double; var turn: Int; var text: String }"
    #expect(
      throws: StoreError.migrationNeeded([
        "Note.task is Int in the file and Double in the models: open it for writing once"
      ])
    ) { try Store.openDynamic(path, mode: .readOnly, schema: SchemaText.parse(wider)) }
  }
}

// What one program changes while another has its own models open: each line of the table in the documentation.
extension SeveralModelsTests {
  /// A store that a program has open, with two memos; and another program's view of the file after a change.
  private func memos(_ schema: String? = nil) throws -> (store: Store, id: ObjectID<Memo>, other: Store) {
    let store = try Store(path, models: Memo.self)
    let id = try store.add(Memo("a", pages: 4, kind: 2))
    _ = try store.add(Memo("b", pages: 5))
    return (store, id, try Store.openDynamic(path, mode: .readWrite, schema: schema.map { try SchemaText.parse($0) }))
  }

  private func rows(_ store: Store, _ paths: [String]) throws -> [[Value]] { try store.objects("Memo").rows(paths) }

  @Test func whatAnotherAddedIsNotSeenAndStays() throws {
    let (store, id, other) = try memos(
      """
      @Model struct Memo { var title: String; var pages: Int?; var kind = 1; var stars = 3; var note: String? }
      @Model(.entity) struct Town { var name: String }
      """)
    _ = try other.run("CREATE INDEX ON Memo (title)")
    _ = try other.run("UPDATE Memo SET stars = 5, note = 'kept' WHERE title == 'a'")
    // Updates leave it as it is.
    try store.write { tx in try tx.update(id) { $0.title = "c" } }
    var memo = try #require(try store.object(id))
    #expect(memo.title == "c" && memo.pages == 4 && memo.kind == 2)
    memo.kind = 9
    try store.save(&memo)
    #expect(
      try rows(other, ["title", "kind", "stars", "note"])[0] == [.string("c"), .int(9), .int(5), .string("kept")])
    // New objects get its default, and go into the index.
    try store.add(Memo("d", pages: nil))
    #expect(try rows(other, ["title", "stars", "note"])[2] == [.string("d"), .int(3), .null])
    #expect(try other.objects("Memo").filter("title == 'd'").count == 1)
    #expect(try store.objects(Memo.self).filter("title > 'b'").map(\.title) == ["c", "d"])
    #expect(try other.objects("Town").count == 0)
    #expect(try store.check().problems == [])
  }

  @Test func whereThereIsNoDefaultNothingIsAdded() throws {
    let (store, _, other) = try memos()
    try store.write { tx in try tx.deleteAll(Memo.self) }
    _ = try other.run("ALTER Memo ADD code: String")
    #expect(throws: StoreError.unseenProperties(entity: "Memo", paths: ["code"])) {
      try store.add(Memo("c", pages: 1))
    }
    #expect(try store.objects(Memo.self).count == 0)
  }

  @Test func otherModelsAndReadsByNameGoOn() throws {
    let store = try Store(path, models: Note.self, Settlement.self)
    let id = try store.add(Note(1, 2, "three"))
    let town = try store.add(Settlement("Bergen"))
    try migrateElsewhere()
    let changed = StoreError.migrationNeeded(["Note.task is Double in the file and Int in the model"])
    #expect(throws: changed) { try store.object(id) }
    #expect(throws: changed) { try store.delete(id) }
    #expect(throws: changed) { try store.objects(Note.self).filter("turn > 1").first }
    // To count and to identify objects reads none of their values.
    #expect(try store.objects(Note.self).filter("turn > 1").count == 1)
    #expect(try store.objects(Note.self).ids == [id])
    #expect(try store.object(town)?.name == "Bergen")
    try store.write { tx in
      try tx.update(town) { $0.name = "Oslo" }
      try tx.add(Settlement("Hamar"))
    }
    #expect(try store.objects(Settlement.self).map(\.name) == ["Oslo", "Hamar"])
    #expect(try store.objects("Note").filter("turn > 1").count == 1)
  }

  @Test func whatBecameRequiredIsRefusedNil() throws {
    let (store, id, _) = try memos("@Model struct Memo { var title: String; var pages: Int; var kind = 1 }")
    let missing = StoreError.missingValue(entity: "Memo", path: "pages")
    #expect(try store.object(id)?.pages == 4)
    try store.write { tx in
      try tx.update(id) { $0.title = "c" }
      #expect(throws: missing) { try tx.update(id) { $0.pages = nil } }
      #expect(throws: missing) { try tx.add(Memo("d", pages: nil)) }
      try tx.add(Memo("e", pages: 6))
    }
    var memo = try #require(try store.object(id))
    memo.pages = nil
    #expect(throws: missing) { try store.save(&memo) }
    #expect(
      try rows(store, ["title", "pages"]) == [
        [.string("c"), .int(4)], [.string("b"), .int(5)], [.string("e"), .int(6)],
      ])
  }

  @Test(arguments: ["ALTER Memo RENAME kind TO sort", "ALTER Memo DROP PROPERTY kind"])
  func whatIsGoneHasItsDefaultAndTakesNoOtherValue(statement: String) throws {
    let (store, id, other) = try memos()
    _ = try other.run(statement)
    #expect(try store.objects(Memo.self).map(\.kind) == [1, 1])
    func expectUnknown(_ body: () throws -> Void) {
      let error = #expect(throws: StoreError.self, performing: body)
      guard case .unknownProperty("Memo", "kind", _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    try store.write { tx in
      try tx.update(id) { $0.title = "c" }
      expectUnknown { try tx.update(id) { $0.kind = 3 } }
      expectUnknown { try tx.add(Memo("d", pages: nil, kind: 3)) }
      try tx.add(Memo("e", pages: nil))
    }
    #expect(try store.objects(Memo.self).map(\.title) == ["c", "b", "e"])
    // The other program still has what it renamed.
    if statement.contains("RENAME") { #expect(try rows(other, ["sort"]).prefix(2) == [[.int(2)], [.int(1)]]) }
    #expect(try store.check().problems == [])
  }
}

/// What `@Model` writes, by hand: a model with something optional, and something with a default.
private struct Memo: Model {
  var title: String
  var pages: Int?
  var kind = 1
  private var _objectID = ObjectIdentity<Memo>()

  init(_ title: String, pages: Int?, kind: Int = 1) {
    self.title = title
    self.pages = pages
    self.kind = kind
  }

  static let modelDefinition = ModelDefinition(of: Memo.self, name: "Memo") { model in
    model.property("title", \Memo.title, \Memo?.?.title)
    model.property("pages", \Memo.pages, \Memo?.?.pages)
    model.property("kind", \Memo.kind, \Memo?.?.kind, default: 1)
  }

  var objectID: ObjectID<Memo>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Memo> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    title = try row.next()
    pages = try row.next()
    kind = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    title.encode(into: &row)
    pages.encode(into: &row)
    kind.encode(into: &row)
  }
}

/// What `@Model` writes, by hand: the notes of an earlier version.
private struct Note: Model {
  var task: Int
  var turn: Int
  var text: String
  private var _objectID = ObjectIdentity<Note>()

  init(_ task: Int, _ turn: Int, _ text: String) {
    self.task = task
    self.turn = turn
    self.text = text
  }

  static let modelDefinition = ModelDefinition(of: Note.self, name: "Note") { model in
    model.property("task", \Note.task, \Note?.?.task)
    model.property("turn", \Note.turn, \Note?.?.turn)
    model.property("text", \Note.text, \Note?.?.text)
  }

  var objectID: ObjectID<Note>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Note> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    task = try row.next()
    turn = try row.next()
    text = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    task.encode(into: &row)
    turn.encode(into: &row)
    text.encode(into: &row)
  }

  static func == (left: Note, right: Note) -> Bool {
    left.task == right.task && left.turn == right.turn && left.text == right.text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(turn) }
}
