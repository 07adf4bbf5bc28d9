import ObjectStoreCore

/// What `@Model` writes, by hand: a later version of the notes, with other types.
struct MigratedNote: Model {
  var task: Double
  var turn: Int
  var words: [String]
  private var _objectID = ObjectIdentity<MigratedNote>()

  static let modelDefinition = ModelDefinition(of: MigratedNote.self, name: "Note") { model in
    model.property("task", \MigratedNote.task, \MigratedNote?.?.task)
    model.property("turn", \MigratedNote.turn, \MigratedNote?.?.turn)
    model.property("words", \MigratedNote.words, \MigratedNote?.?.words)
    model.index(.ordered, [\MigratedNote.task, \MigratedNote.turn])
  }

  var objectID: ObjectID<MigratedNote>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<MigratedNote> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    task = try row.next()
    turn = try row.next()
    words = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    task.encode(into: &row)
    turn.encode(into: &row)
    words.encode(into: &row)
  }

  static func == (left: MigratedNote, right: MigratedNote) -> Bool {
    left.task == right.task && left.turn == right.turn && left.words == right.words
  }

  func hash(into hasher: inout Hasher) { hasher.combine(turn) }
}

/// Says a line for every thousand objects, and one when all steps are done.
enum NotePlan: MigrationPlan {
  static var steps: [MigrationStep] {
    [
      .convert("words", MigratedNote.self, "text", to: \.words) { (text: String) in
        text.split(separator: " ").map(String.init)
      },
      .each("turns", MigratedNote.self) { old, new in
        new.turn += 1
        if old.id.rawValue % 1000 == 0 { say("\(old.id.rawValue)") }
      },
      .custom("end") { _, _ in say("steps") },
    ]
  }
}
