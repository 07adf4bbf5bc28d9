import ObjectStoreCore
import Synchronization
import Testing

/// Steps that a program does once to each store of its earlier versions.
@Suite struct MigrationPlanTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("store") }

  init() throws { folder = try TemporaryFolder() }

  private struct Refused: Error {}

  private func fill(_ text: String, _ statements: [String]) throws {
    let store = try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(text))
    for statement in statements { _ = try store.run(statement) }
  }

  private func fillReadings() throws {
    try fill(
      Reading.before,
      [
        #"INSERT Reading {"mag": "6.4", "first": "Ada", "last": "Lovelace", "size": 3, "note": "strong"}"#,
        #"INSERT Reading {"mag": "?", "first": "Bo", "last": null, "size": 4}"#,
        #"INSERT Reading {"mag": "1", "first": "Cy", "last": "Young", "size": 5, "note": "draft"}"#,
      ])
  }

  private enum Plan: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("magnitudes are numbers", Reading.self, "mag", to: \.magnitude) { (old: String) in Double(old) ?? -1 },
        .each("one name", Reading.self, replacing: ["first", "last"]) { old, new in
          let last = try old.value(at: "last", as: String?.self)
          new.name = try old.value(at: "first", as: String.self) + (last.map { " " + $0 } ?? "")
          new.key = "\(old.id.rawValue)"
        },
        .deleting("no drafts", Reading.self) { old in old["note"] == .string("draft") },
        .removing("Reading.note"),
      ]
    }
  }

  @Test func stepsSeeOldAndNewObjects() throws {
    try fillReadings()
    let store = try Store(path, models: Reading.self, migration: Plan.self)
    #expect(
      try store.objects(Reading.self).objects() == [
        Reading(6.4, "Ada Lovelace", size: 3, key: "1"), Reading(-1, "Bo", size: 4, key: "2"),
      ])
    #expect(try store.schema.entities[0].properties.map(\.name) == ["magnitude", "name", "size", "key"])
    #expect(try store.schema.entities[0].indexes == [Index(kind: .unique, paths: ["key"])])
    #expect(try store.objects(Reading.self).filter("key == '2'").first?.name == "Bo")
    #expect(try store.check().problems == [])
    // They were done, whoever asks.
    let version = try store.statistics().version
    #expect(try Store(path, models: Reading.self, migration: Plan.self).statistics().version == version)
    #expect(try Store(path, models: Reading.self).objects(Reading.self).count == 2)
  }

  // MARK: Once

  private static let calls = Mutex(0)

  private enum Counted: MigrationPlan {
    static var steps: [MigrationStep] {
      [.custom("count") { _, _ in MigrationPlanTests.calls.withLock { $0 += 1 } }]
    }
  }

  private enum CountedTwice: MigrationPlan {
    static var steps: [MigrationStep] {
      Counted.steps + [.custom("count again") { _, _ in MigrationPlanTests.calls.withLock { $0 += 100 } }]
    }
  }

  @Test func eachIsDoneOnceToEachStore() throws {
    Self.calls.withLock { $0 = 0 }
    try fill("@Model struct Town { var name: String }", [#"INSERT Town {"name": "a"}"#])
    for _ in 0..<3 { _ = try Store(path, models: Settlement.self, migration: Counted.self) }
    #expect(Self.calls.withLock { $0 } == 1)
    // Somebody without the plan does not make it forgotten.
    _ = try Store.openDynamic(
      path, mode: .readWrite, schema: SchemaText.parse("@Model(.entity) struct Other { var x: Int }"))
    for _ in 0..<3 { _ = try Store(path, models: Settlement.self, migration: CountedTwice.self) }
    #expect(Self.calls.withLock { $0 } == 101)
    // A store that is new has no need of them.
    for _ in 0..<2 { _ = try Store(folder.path("new"), models: Settlement.self, migration: CountedTwice.self) }
    #expect(Self.calls.withLock { $0 } == 101)
  }

  private enum Twins: MigrationPlan {
    static var steps: [MigrationStep] { Counted.steps + Counted.steps }
  }

  @Test func namesAreOfOneStep() {
    #expect(throws: StoreError.self) { try Store(path, models: Settlement.self, migration: Twins.self) }
  }

  // MARK: Failing

  private func open(_ plan: any MigrationPlan.Type) throws -> Store {
    try Store(
      path, models: Reading.self, keeping: ["Reading.mag", "Reading.first", "Reading.last", "Reading.note"],
      migration: plan)
  }

  private enum Failing: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("magnitudes are numbers", Reading.self, "mag", to: \.magnitude) { (old: String) -> Double in
          guard let number = Double(old) else { throw Refused() }
          return number
        },
        .each("names", Reading.self) { old, new in new.key = "\(old.id.rawValue)" },
      ]
    }
  }

  @Test func whatThrowsUndoesAllAndSaysWhere() throws {
    try fillReadings()
    let before = try Store.openDynamic(path, mode: .readWrite)
    let version = try before.statistics().version
    let error = #expect(throws: MigrationError.self) { try open(Failing.self) }
    #expect(error?.step == "magnitudes are numbers")
    #expect(error?.object == ObjectReference(entity: "Reading", number: ObjectNumber(2)))
    #expect(error?.reason is Refused)
    #expect(
      error?.description
        == "the migration step 'magnitudes are numbers' failed, at Reading number 2: Refused(); nothing was changed")
    #expect(try before.statistics().version == version)
    #expect(try before.objects("Reading").rows(["mag"]) == ["6.4", "?", "1"].map { [.string($0)] })
    #expect(try before.check().problems == [])
    #expect(try Store(path, models: Reading.self, migration: Plan.self).objects(Reading.self).count == 2)
  }

  private enum Wrong: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("wrong", Reading.self, "mag", to: \.magnitude) { (old: Double) in old },
        .each("names", Reading.self) { old, new in new.key = "\(old.id.rawValue)" },
      ]
    }
  }

  private enum NoOptional: MigrationPlan {
    static var steps: [MigrationStep] {
      [.each("no optional", Reading.self) { old, new in new.name = try old.value(at: "last") }]
    }
  }

  @Test func theOldTypeIsTheOneStored() throws {
    try fillReadings()
    var error = #expect(throws: MigrationError.self) { try open(Wrong.self) }
    #expect(
      error?.reason as? StoreError
        == .wrongType(entity: "Reading", path: "mag", expected: "Double", got: "String"))
    error = #expect(throws: MigrationError.self) { try open(NoOptional.self) }
    #expect(error?.object?.number == ObjectNumber(2))
    #expect(
      error?.reason as? StoreError == .wrongType(entity: "Reading", path: "last", expected: "String", got: "nil"))
  }

  private enum Same: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("magnitudes are numbers", Reading.self, "mag", to: \.magnitude) { (_: String) in 0 },
        .each("all the same", Reading.self) { _, new in new.key = "k" },
      ]
    }
  }

  @Test func uniquenessIsJudgedAfterTheSteps() throws {
    try fillReadings()
    do {
      _ = try open(Same.self)
      Issue.record("it was opened")
    } catch StoreError.migrationNeeded(let problems) {
      #expect(problems.count == 1)
      #expect(problems[0].hasPrefix("3 objects of Reading have key \"k\""), "\(problems)")
    }
    #expect(try Store.openDynamic(path, mode: .readWrite).objects("Reading").rows(["mag"]).count == 3)
  }

  private static let uniqueBefore = """
    @Model struct Reading {
      var magnitude: Double; var name: String; var size: Double; @Attribute(.unique) var key: String?
    }
    """

  private enum Keys: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .custom("a key each", filling: ["Reading.key"]) { _, tx in
          try tx.update(tx.objects(Reading.self).filter("key == ''")) { $0.key = "k" + $0.name }
        }
      ]
    }
  }

  /// What is filled in may be shared until the steps have run: in an index that was there, and in a new one.
  @Test(arguments: [uniqueBefore, uniqueBefore.replacing("@Attribute(.unique) ", with: "")])
  func whatIsFilledInIsJudgedAfterTheSteps(_ text: String) throws {
    let rows = (0..<3).map { #"INSERT Reading {"magnitude": 1, "name": "\#($0)", "size": 0}"# }
    try fill(text, rows + [#"INSERT Reading {"magnitude": 1, "name": "3", "size": 0, "key": "own"}"#])
    let store = try Store(path, models: Reading.self, migration: Keys.self)
    #expect(try store.objects(Reading.self).values(of: \.key) == ["k0", "k1", "k2", "own"])
    #expect(try store.objects(Reading.self).filter("key == 'k1'").first?.name == "1")
    #expect(throws: StoreError.self) { try store.add(Reading(1, "again", key: "k2")) }
    #expect(try store.check().problems == [])
  }

  private enum FewerKeys: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .custom("some keys", filling: ["Reading.key"]) { _, tx in
          try tx.update(tx.objects(Reading.self).filter("name == '0'")) { $0.key = "k0" }
        }
      ]
    }
  }

  @Test func whatIsStillSharedAfterTheStepsIsRefused() throws {
    try fill(Self.uniqueBefore, (0..<3).map { #"INSERT Reading {"magnitude": 1, "name": "\#($0)", "size": 0}"# })
    do {
      _ = try Store(path, models: Reading.self, migration: FewerKeys.self)
      Issue.record("it was opened")
    } catch StoreError.migrationNeeded(let problems) {
      #expect(problems.count == 1)
      #expect(problems[0].hasPrefix("two objects of Reading have key \"\" (numbers 2, 3)"), "\(problems)")
    }
    #expect(try Store.openDynamic(path, mode: .readWrite).objects("Reading").rows(["key"]).count == 3)
  }

  @Test func whatNoStepGivesIsMissing() throws {
    try fill("@Model struct Reading { var code: Bool }", [#"INSERT Reading {"code": true}"#])
    // Nothing to convert here: the new properties are given nothing.
    do {
      _ = try Store(path, models: Reading.self, migration: OnlyConverting.self)
      Issue.record("it was opened")
    } catch StoreError.migrationNeeded(let problems) {
      #expect(problems.count == 3)
      for (problem, property) in zip(problems, ["magnitude", "name", "key"]) {
        #expect(problem.hasPrefix("Reading.\(property) must have a value and 1 object has none"))
      }
    }
  }

  private enum OnlyConverting: MigrationPlan {
    static var steps: [MigrationStep] {
      [.convert("magnitudes are numbers", Reading.self, "mag", to: \.magnitude) { (_: String) in 0 }]
    }
  }

  // MARK: Other steps

  private enum Moving: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .custom("towns of their own", replacing: ["Person.visits", "Visit"]) { old, tx in
          try old.objects("Visit").filter("town != nil").distinct(by: "town").forEach { visit in
            try tx.add(Settlement(visit.value(at: "town")))
          }
          // A link of an old object leads to one as it was.
          try old.objects("Person").forEach { person in
            let visits = try person.objects(at: "visits")
            try tx.add(Settlement("\(person["name"]) \(try visits.count)"))
          }
          #expect(try tx.objects(Settlement.self).count == 3)
        },
        .removing("Person"),
      ]
    }
  }

  @Test func objectsMoveToAnotherEntity() throws {
    try fill(
      """
      @Model struct Visit { var town: String?; @Attribute(.unique) var n: Int }
      @Model struct Person { var name: Int; var visits: List<Visit> }
      """,
      [
        #"INSERT Visit {"town": "Oslo", "n": 1}"#, #"INSERT Visit {"town": "Rom", "n": 2}"#,
        #"INSERT Visit {"town": "Oslo", "n": 3}"#, #"INSERT Person {"name": 7, "visits": [1, 2, 3]}"#,
      ])
    let store = try Store(path, models: Settlement.self, migration: Moving.self)
    #expect(try store.objects(Settlement.self).objects().map(\.name) == ["Oslo", "Rom", "7 3"])
    #expect(try store.schema.entities.map(\.name) == ["Town"])
    #expect(try store.check().problems == [])
  }

  private enum Renaming: MigrationPlan {
    static var steps: [MigrationStep] { [.renaming("City", to: "Town"), .renaming("City.title", to: "name")] }
  }

  private enum WrongRenaming: MigrationPlan {
    static var steps: [MigrationStep] { [.renaming("City.title", to: "label")] }
  }

  @Test func namesChange() throws {
    try fill("@Model struct City { var title: String }", [#"INSERT City {"title": "Oslo"}"#])
    #expect(throws: StoreError.self) { try Store(path, models: Settlement.self, migration: WrongRenaming.self) }
    let store = try Store(path, models: Settlement.self, migration: Renaming.self)
    #expect(try store.objects(Settlement.self).objects() == [Settlement("Oslo")])
  }

  private enum SameName: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("names are texts", Settlement.self, "name", to: \.name) { (old: Int?) in
          old.map { "town \($0)" } ?? "none"
        }
      ]
    }
  }

  @Test func aPropertyKeepsItsNameWithAnotherType() throws {
    try fill(
      "@Model struct Town { @Attribute(.indexed) var name: Int? }",
      [
        #"INSERT Town {"name": 4}"#, #"INSERT Town {"name": null}"#,
      ])
    #expect(throws: StoreError.self) { try Store(path, models: Settlement.self) }
    let store = try Store(path, models: Settlement.self, migration: SameName.self)
    #expect(try store.objects(Settlement.self).objects() == [Settlement("town 4"), Settlement("none")])
    #expect(try store.check().problems == [])
  }

  private enum AllOthers: MigrationPlan {
    static var steps: [MigrationStep] {
      [
        .convert("labels are names", Settlement.self, "label", to: \.name) { (old: Int) in "town \(old)" },
        .removing("Town.note"),
      ]
    }
  }

  @Test func noOldPropertyNeedBeLeft() throws {
    try fill(
      "@Model struct Town { var label: Int; var note: String }", [#"INSERT Town {"label": 4, "note": "x"}"#])
    let store = try Store(path, models: Settlement.self, migration: AllOthers.self)
    #expect(try store.objects(Settlement.self).objects() == [Settlement("town 4")])
    #expect(try store.schema.entities[0].properties.map(\.name) == ["name"])
    #expect(try store.check().problems == [])
  }

  // MARK: Preview

  @Test func aPreviewSaysWhatWouldHappenAndChangesNothing() throws {
    try fillReadings()
    let store = try Store.openDynamic(path, mode: .readWrite)
    let version = try store.statistics().version
    let preview = try Store.migrationPreview(path, models: Reading.self, migration: Plan.self)
    #expect(
      preview.description == """
        lost: 'Reading.mag' is removed, with its values (3)
        lost: 'Reading.first' is removed, with its values (3)
        lost: 'Reading.last' is removed, with its values (2)
        lost: 'Reading.note' is removed, with its values (3)
        added: 'Reading.magnitude' is new, Double; older objects have 0.0
        added: 'Reading.name' is new, String; older objects have ""
        added: 'Reading.key' is new, String; older objects have ""
        converted: 'Reading.size' was Int and is now Double (3)
        added: 'Reading' gets the unique index 'key'
        step: magnitudes are numbers
        step: one name
        step: no drafts
        step: removing Reading.note
        """, "\(preview)")
    #expect(preview.problems == [])
    let refused = try Store.migrationPreview(path, models: Reading.self)
    #expect(refused.problems.count >= 1, "\(refused)")
    #expect(try store.statistics().version == version)
    _ = try Store(path, models: Reading.self, migration: Plan.self)
    let after = try Store.migrationPreview(path, models: Reading.self, migration: Plan.self)
    #expect(after.isEmpty, "\(after)")
    #expect(after.description == "nothing changes")
    #expect(throws: StoreError.notFound(path: folder.path("none"))) {
      try Store.migrationPreview(folder.path("none"), models: Reading.self)
    }
  }
}
