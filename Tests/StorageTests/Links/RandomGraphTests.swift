import Schema
import Storage
import Testing
import Values

/// Random writes to a graph of three entities against a graph in memory: whatever is linked, reordered, deleted by all
/// three rules, rolled back or reopened, the store has the same objects, and every inverse the same sources.
@Suite struct RandomGraphTests {
  private typealias Key = GraphModel.Key

  private struct Writer {
    var model: GraphModel
    let session: WriteSession
    var random: Seeded

    func entity(_ name: String) throws -> StoredEntity { try #require(session.schema.entity(named: name)) }

    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Some object of an entity.
    mutating func any(_ entity: String) -> Key? {
      model.rows.keys.filter { $0.entity == entity }.sorted().randomElement(using: &random)
    }

    /// A link, or links, to objects that are there.
    mutating func value(_ link: GraphModel.Link) -> Value {
      guard link.isMany else { return once(in: 3) ? .null : .link(any(link.target)?.number) }
      let count = once(in: 30) ? 1500 : Int.random(in: 0...4, using: &random)
      var elements: [Value] = []
      for _ in 0..<count {
        guard let target = any(link.target) else { break }
        elements.append(.link(target.number))
        if count > 100 { elements += Array(repeating: elements[0], count: 299) }
        if elements.count > count { break }
      }
      return .list(elements)
    }

    mutating func row(_ entity: String) -> [Value] {
      var row: [Value] =
        switch entity {
        case "Project": [.string("p"), .links(), .null, once(in: 2) ? .bool(true) : .null, .null, .null, .null]
        case "Task": [.int(Int64.random(in: 0..<5, using: &random)), .links(), .null]
        default: [.string("x"), .links()]
        }
      for link in GraphModel.links where link.entity == entity {
        let isInMissingStruct = link.path.hasPrefix("team.") && row[3].isNull
        if !isInMissingStruct { row[link.position] = value(link) }
      }
      return row
    }

    mutating func insert(_ entity: String, _ row: [Value]) throws {
      let number = try session.insert(row, into: try self.entity(entity))
      #expect(number.rawValue == model.insert(row, into: entity).number)
    }

    mutating func set(_ key: Key, _ link: GraphModel.Link, _ value: Value) throws {
      try session.update(ObjectNumber(key.number), of: try entity(key.entity), [(link.position, value)])
      model.rows[key]?[link.position] = value
    }

    mutating func change() throws {
      let entity = GraphModel.entities.randomElement(using: &random) ?? "Task"
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        try insert(entity, row(entity))
      case 8:
        // Forward: the target comes after its source.
        let target = model.next["Task"] ?? 1
        try insert("Task", [.int(1), .links(target + 1), .null])
        try insert("Task", [.int(2), .links(target), .null])
      case 9..<13:
        let link = GraphModel.links.randomElement(using: &random) ?? GraphModel.links[0]
        guard let key = any(link.entity), model.rows[key]?[link.position] != nil else { return }
        if link.path.hasPrefix("team."), model.rows[key]?[3].isNull ?? true { return }
        try set(key, link, value(link))
      case 13..<15:
        let lists = GraphModel.links.filter(\.isMany)
        let link = lists.randomElement(using: &random) ?? lists[0]
        guard let key = any(link.entity), case .list(let elements)? = model.rows[key]?[link.position] else { return }
        try set(key, link, .list(elements.shuffled(using: &random)))
      case 15..<18:
        try delete(entity, count: once(in: 3) ? 4 : 1)
      default:
        let link = GraphModel.links.randomElement(using: &random) ?? GraphModel.links[0]
        guard let key = any(link.target) else { return }
        let stored = try #require(session.schema.link(at: link.path, of: link.entity))
        let sources = try session.snapshot().sources(of: ObjectNumber(key.number), through: stored)
        #expect(sources.map(\.rawValue) == model.sources(key, link).map(\.number))
      }
    }

    private mutating func delete(_ entity: String, count: Int) throws {
      var keys: [Key] = []
      for _ in 0..<count { if let key = any(entity) { keys.append(key) } }
      let before = Set(keys).filter { model.rows[$0] != nil }.count
      var changed = model
      let isAllowed = changed.delete(keys)
      let stored = try self.entity(entity)
      do {
        let found = try session.delete(keys.map { ObjectNumber($0.number) }, of: stored)
        #expect(isAllowed && found == before)
      } catch {
        guard case .deleteDenied(let denied) = error else { throw error }
        let (name, object, others) = (denied.entity, denied.object.number, denied.others.map(\.number))
        let isKnown = model.rows[Key(entity: name, number: object.rawValue)] != nil
        #expect(!isAllowed && !others.isEmpty && isKnown)
      }
      if isAllowed { model = changed }
    }
  }

  private struct Rollback: Error {}

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6]) func followsTheModel(seed: UInt64) throws {
    let folder = try StoreFolder()
    var random = Seeded(seed)
    var model = GraphModel()
    let schema = try Schema.text(GraphModel.text)
    var file: StoreFile? = try folder.open(schema)
    for round in 0..<20 {
      let open = try #require(file)
      let end = Int.random(in: 0..<8, using: &random)
      var changed = model
      do {
        try open.write { session in
          var writer = Writer(model: model, session: session, random: random)
          for _ in 0..<Int.random(in: 1...60, using: &random) { try writer.change() }
          random = writer.random
          changed = writer.model
          if end == 0 { throw Rollback() }
          if end == 1 { try writer.insert("Task", [.int(0), .links(1_000_000), .null]) }
        }
        #expect(end > 1, "seed \(seed), round \(round)")
        model = changed
      } catch is Rollback {
      } catch StoreError.danglingLink(_, _, let path, _, let missing) {
        #expect(end == 1 && path == "blockers" && missing.rawValue == 1_000_000, "seed \(seed), round \(round)")
      }
      for entity in GraphModel.entities {
        let expected = model.rows.filter { $0.key.entity == entity }
        let rows = try open.rows(entity)
        #expect(rows.count == expected.count, "seed \(seed), round \(round), \(entity)")
        for (key, row) in expected where rows[key.number] != row {
          Issue.record("seed \(seed), round \(round): \(key) is \(rows[key.number] ?? []), not \(row)")
          return
        }
      }
      try open.read { snapshot in
        for link in GraphModel.links {
          let stored = try #require(snapshot.schema.link(at: link.path, of: link.entity))
          var expected: [UInt64: Set<UInt64>] = [:]
          for key in model.rows.keys where key.entity == link.entity {
            for target in model.targets(key, link) { expected[target.number, default: []].insert(key.number) }
          }
          var found: [UInt64: Set<UInt64>] = [:]
          try snapshot.index(stored.inverse, of: stored.source).forEachTarget { target, run in
            found[target.rawValue, default: []].formUnion(run)
            return true
          }
          #expect(found == expected, "seed \(seed), round \(round), \(link.entity).\(link.path)")
        }
      }
      try open.expectWhole("seed \(seed), round \(round)")
      if round % 5 == 4 {
        file = nil
        file = try folder.open(round % 10 == 4 ? schema : nil)
      }
    }
  }
}
