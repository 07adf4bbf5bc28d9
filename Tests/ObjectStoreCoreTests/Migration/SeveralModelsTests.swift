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
