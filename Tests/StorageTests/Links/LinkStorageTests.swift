import LMDB
import Schema
import Storage
import Testing
import Values

/// Links are kept, their inverses follow them, and what does not fit is refused or found.
@Suite struct LinkStorageTests {
  private static let text = #"""
    @Model struct Task {
      #Index<Task>([\.owner, \.priority])
      var priority: Int
      var owner: Link<Person>?
      @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
    }
    @Model struct Project { var tasks: List<Task>, team: Team? }
    @Model(.embedded) struct Team { var lead: Link<Person>?, people: List<Person> }
    @Model struct Person { var name: String }
    """#

  /// People 1 and 2, tasks 1 to 3 owned by 1, 1 and nobody.
  private func filled(_ folder: StoreFolder) throws -> StoreFile {
    let file = try folder.open(try .text(Self.text))
    try file.insert([[.string("Ada")], [.string("Bob")]], into: "Person")
    try file.insert([[.int(5), .link(1)], [.int(6), .link(1)], [.int(7), .null]], into: "Task")
    return file
  }

  @Test func linksComeBackAsTheyWereGiven() throws {
    let folder = try StoreFolder()
    var file: StoreFile? = try filled(folder)
    try file?.insert(
      [
        [.links(3, 1, 3), .bool(true), .link(2), .links(1, 2, 1)], [.links(), .null, .null, .null],
        [.links(1), .bool(true), .null, .links()],
      ], into: "Project")
    file = nil
    let open = try folder.open()
    #expect(
      try open.rows("Project") == [
        1: [.links(3, 1, 3), .bool(true), .link(2), .links(1, 2, 1)], 2: [.links(), .null, .null, .null],
        3: [.links(1), .bool(true), .null, .links()],
      ])
    #expect(try open.sources(of: 1, through: "tasks", of: "Project") == [1, 3])
    #expect(try open.sources(of: 2, through: "tasks", of: "Project") == [])
    #expect(try open.sources(of: 3, through: "tasks", of: "Project") == [1])
    #expect(try open.sources(of: 2, through: "team.lead", of: "Project") == [1])
    #expect(try open.sources(of: 1, through: "team.people", of: "Project") == [1])
    #expect(try open.sources(of: 1, through: "owner", of: "Task") == [1, 2])
    #expect(try open.indexed("owner+priority", of: "Task") == [3, 1, 2])
    try open.expectWhole()
  }

  @Test func theInverseFollowsUpdates() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    try file.insert([[.links(3, 1, 3), .null, .null, .null]], into: "Project")
    try file.set("tasks", of: "Project", 1, to: .links(1, 3, 3))
    #expect(try file.sources(of: 3, through: "tasks", of: "Project") == [1])
    try file.set("tasks", of: "Project", 1, to: .links(1, 3))
    #expect(try file.sources(of: 3, through: "tasks", of: "Project") == [1])
    try file.set("tasks", of: "Project", 1, to: .links(2, 1))
    #expect(try file.sources(of: 3, through: "tasks", of: "Project") == [])
    #expect(try file.sources(of: 2, through: "tasks", of: "Project") == [1])
    try file.set("owner", of: "Task", 2, to: .link(2))
    try file.set("owner", of: "Task", 1, to: .null)
    #expect(try file.sources(of: 1, through: "owner", of: "Task") == [])
    #expect(try file.sources(of: 2, through: "owner", of: "Task") == [2])
    try file.expectWhole()
  }

  @Test func aSessionSeesItsOwnLinks() throws {
    let file = try filled(try StoreFolder())
    try file.write { session in
      let task = try #require(session.schema.entity(named: "Task"))
      let link = try #require(session.schema.link(at: "owner", of: "Task"))
      let number = try session.insert([.int(1), .link(2)], into: task)
      #expect(try session.snapshot().sources(of: ObjectNumber(2), through: link) == [number])
      try session.update(number, of: task, [(1, .link(1))])
      let snapshot = try session.snapshot()
      let reader = try snapshot.index(link.inverse, of: task)
      #expect(try reader.sourceCount(of: ObjectNumber(1)) == 3)
      #expect(try reader.sourceCount(of: ObjectNumber(2)) == 0)
      var runs: [UInt64: [UInt64]] = [:]
      try reader.forEachTarget { target, run in
        runs[target.rawValue, default: []] += run
        return true
      }
      #expect(runs == [1: [1, 2, 4]])
      runs = [:]
      try reader.forEachSource(of: [ObjectNumber(1), ObjectNumber(2)]) { target, run in
        runs[target.rawValue, default: []] += run
        return true
      }
      #expect(runs == [1: [1, 2, 4]])
    }
  }

  @Test func manySourcesOfOneTargetAreRead() throws {
    let file = try filled(try StoreFolder())
    try file.insert((0..<3000).map { [.int($0), .link(2)] }, into: "Task")
    #expect(try file.sources(of: 2, through: "owner", of: "Task") == Array(4...3003))
    let statistics = try file.statistics()
    #expect(statistics.indexes.map(\.index.index.name) == ["owner+priority"])
    #expect(try file.check().indexes == 1)
    try file.expectWhole()
  }

  @Test func valuesThatAreNoLinksAreRefused() throws {
    let file = try filled(try StoreFolder())
    #expect(
      throws: StoreError.wrongType(entity: "Task", path: "owner", expected: "an object of Person", got: "String")
    ) { try file.set("owner", of: "Task", 1, to: .string("Ada")) }
    #expect(throws: StoreError.missingValue(entity: "Project", path: "tasks")) {
      try file.insert([[.null, .null, .null, .null]], into: "Project")
    }
    #expect(throws: StoreError.self) {
      try file.insert([[.list([.int(1), .null]), .null, .null, .null]], into: "Project")
    }
  }

  @Test(arguments: [3, 300, 0, -1, Int64.max, .min]) func aLinkToNobodyIsRefusedWhenTheWriteEnds(target: Int64) throws {
    let file = try filled(try StoreFolder())
    let missing = ObjectNumber(UInt64(bitPattern: target))
    let error = StoreError.danglingLink(
      entity: "Task", object: ObjectNumber(2), path: "owner", target: "Person", missing: missing)
    #expect(throws: error) { try file.set("owner", of: "Task", 2, to: .int(target)) }
    #expect(
      error.description
        == "Task.owner of number 2 leads to Person number \(target), which does not exist; insert it in the same write, "
        + "or leave the link out; nothing was written")
    #expect(try file.sources(of: 1, through: "owner", of: "Task") == [1, 2])
    try file.expectWhole()
  }

  @Test func theTargetMayComeLaterInTheSameWrite() throws {
    let file = try filled(try StoreFolder())
    try file.write { session in
      let task = try #require(session.schema.entity(named: "Task"))
      try session.insert([.int(1), .link(3)], into: task)
      _ = try session.snapshot()
      try session.insert([.string("Cid")], into: try #require(session.schema.entity(named: "Person")))
      // This one never leads anywhere in the end.
      try session.update(ObjectNumber(1), of: task, [(1, .link(99))])
      _ = try session.snapshot()
      try session.update(ObjectNumber(1), of: task, [(1, .null)])
    }
    #expect(try file.sources(of: 3, through: "owner", of: "Task") == [4])
    try file.expectWhole()
  }

  @Test func whatIsRolledBackLeavesNoTrace() throws {
    struct Rollback: Error {}
    let file = try filled(try StoreFolder())
    #expect(throws: Rollback.self) {
      try file.write { session in
        let task = try #require(session.schema.entity(named: "Task"))
        try session.update(ObjectNumber(1), of: task, [(1, .link(2))])
        try session.delete(ObjectNumber(1), of: try #require(session.schema.entity(named: "Person")))
        _ = try session.snapshot()
        throw Rollback()
      }
    }
    #expect(try file.sources(of: 1, through: "owner", of: "Task") == [1, 2])
    #expect(try file.rows("Task")[2] == [.int(6), .link(1)])
    try file.expectWhole()
  }

  // MARK: Schemas that change

  @Test func linksComeGoAndChangeTheirNames() throws {
    let folder = try StoreFolder()
    let file = try filled(folder)
    try file.declare(
      try .text(Self.text.replacing("var name: String", with: "var name: String, friends: List<Person>")))
    #expect(try file.rows("Person")[1] == [.string("Ada"), .links()])
    try file.set("friends", of: "Person", 1, to: .links(2, 1))
    #expect(try file.sources(of: 1, through: "friends", of: "Person") == [1])
    let renamed = Self.text.replacing(
      "var name: String", with: #"var name: String; @Attribute(originalName: "friends") var pals: List<Person>"#)
    try file.declare(try .text(renamed))
    #expect(try file.sources(of: 2, through: "pals", of: "Person") == [1])
    try file.expectWhole()
    try file.declare(SchemaDeclaration(try .text(Self.text), removing: ["Person.pals"]))
    #expect(try file.rows("Person")[1] == [.string("Ada")])
    try file.expectWhole()
  }

  @Test func aLinkThatLeadsElsewhereNeedsAMigration() throws {
    let file = try filled(try StoreFolder())
    func problems(_ old: String, _ new: String) throws -> [String] {
      do {
        try file.declare(try .text(Self.text.replacing(old, with: new)))
        return []
      } catch StoreError.migrationNeeded(let problems) { return problems.map { String($0.prefix { $0 != ":" }) } }
    }
    #expect(
      try problems("owner: Link<Person>?", "owner: Link<Task>?") == [
        "Task.owner is Link<Person> in the file and Link<Task> in the models"
      ])
    #expect(
      try problems("lead: Link<Person>?", "lead: List<Task>") == [
        "Project.team.lead is Link<Person> in the file and List<Task> in the models"
      ])
    let schema = Schema.only("Lone", [Property(name: "other", type: .link("Nobody"), isOptional: true)])
    #expect(throws: StoreError.migrationNeeded(["Lone.other links to Nobody, which is not an entity"])) {
      try file.declare(schema)
    }
  }

  // MARK: Damage

  private func plant(_ file: StoreFile, _ body: (LMDB.WriteTransaction, LMDB.Database) throws -> Void) throws {
    let link = try #require(try file.read { $0.schema }.link(at: "owner", of: "Task"))
    try file.environment.write { transaction in
      try body(transaction, try #require(try transaction.database(link.inverse.database)))
    }
  }

  private func key(_ target: Int64) -> [UInt8] { IndexKey.encode([.int(target)], types: [.int]) }

  @Test func anInverseThatLacksALinkIsFound() throws {
    let file = try filled(try StoreFolder())
    try plant(file) { transaction, inverse in
      let wasThere = try key(1).withUnsafeBytes { try transaction.delete($0, 2, inverse) }
      #expect(wasThere)
    }
    #expect(try file.check().problems == ["the inverse of Task.owner lacks object 2 under number 1"])
  }

  @Test func anInverseWithALinkInExcessIsFound() throws {
    let file = try filled(try StoreFolder())
    try plant(file) { transaction, inverse in
      for source in [3, 70_000] as [UInt64] {
        try key(2).withUnsafeBytes { _ = try transaction.putDuplicate($0, source, inverse) }
      }
    }
    #expect(
      try file.check().problems == [
        "the inverse of Task.owner has object 3 under number 2, to which it does not link",
        "the inverse of Task.owner has object 70000, which does not exist",
      ])
  }

  @Test func aLinkToWhatIsGoneIsFound() throws {
    let file = try filled(try StoreFolder())
    try file.environment.write { transaction in
      let number = try #require(try file.read { $0.schema }.entity(named: "Person")).database
      let people = try #require(try transaction.database(number))
      #expect(try transaction.delete(0 as UInt64, people))
    }
    let problems = try file.check().problems
    #expect(problems.contains("Task.owner of object 1 leads to Person number 1, which does not exist"))
    #expect(problems.contains("Task.owner of object 2 leads to Person number 1, which does not exist"))
  }
}
