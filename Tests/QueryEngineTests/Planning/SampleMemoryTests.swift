import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// A condition that was asked about the samples of a version is not asked again there, whatever query it stands in.
@Suite struct SampleMemoryTests {
  private static func store() throws -> TestStore {
    var schema = Samples.quakes
    schema.entities[0].indexes = [Index(paths: ["magnitude"])]
    return try TestStore(schema, rows: Samples.rows(10_000))
  }

  /// How many objects a query should find, gone by what a memory has of the conditions.
  private static func estimate(
    _ text: String, of store: TestStore, _ memory: SelectivityCache?, in snapshot: Snapshot
  ) throws -> Double {
    var options = PlannerOptions()
    options.namesRejected = false
    options.samples = memory
    return try store.compile(text).plan(in: snapshot, options: options).root.rows
  }

  private static func key(_ text: String, of store: TestStore, in snapshot: Snapshot) throws -> SelectivityCache.Key {
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw Unexpected() }
    let context = RuleContext(entity: entity, now: Instant(seconds: 0))
    return try #require(SelectivityCache.Key(try PlannerRule.simplified(predicate, context), of: entity))
  }

  private struct Unexpected: Error {}

  @Test func aConditionIsAskedOnceInAVersion() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    let japan = try Self.key("place CONTAINS 'Japan'", of: store, in: snapshot)
    #expect(memory.part(japan, in: snapshot) == nil)
    let texts = ["isReviewed == true AND place CONTAINS 'Japan'", "depth > 3 AND place CONTAINS 'Japan'"]
    for text in texts {
      let fresh = try Self.estimate(text, of: store, nil, in: snapshot)
      #expect(try Self.estimate(text, of: store, memory, in: snapshot) == fresh)
      #expect(try Self.estimate(text, of: store, memory, in: snapshot) == fresh)
    }
    #expect(memory.part(japan, in: snapshot) != nil)
    // Another answer than the samples give: it is gone by, so nobody was asked.
    memory.keep(0.5, japan, in: snapshot)
    let half = try Self.estimate("place CONTAINS 'Japan'", of: store, memory, in: snapshot)
    #expect(half == 5_000)
    // Of another column, of another text and with letters of either case, it is another one.
    for text in ["place CONTAINS[c] 'Japan'", "place CONTAINS 'Japa'", "magnitude > 5"] {
      #expect(
        try Self.estimate(text, of: store, memory, in: snapshot) == Self.estimate(text, of: store, nil, in: snapshot))
    }
  }

  /// A range that has one within it that was too long to be counted is not counted; a narrower one is, and one of another
  /// version.
  @Test func whatHasALongRangeWithinItIsNotCounted() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    let index = try #require(entity.index(named: "magnitude"))
    func range(_ text: String) throws -> IndexKeyRange {
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw Unexpected() }
      let simple = try PlannerRule.simplified(predicate, RuleContext(entity: entity, now: Instant(seconds: 0)))
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: false, objects: 0)
      return try #require(access.range(for: [simple])?.ranges.first)
    }
    func way(_ text: String) throws -> RangeCount? {
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw Unexpected() }
      let simple = try PlannerRule.simplified(predicate, RuleContext(entity: entity, now: Instant(seconds: 0)))
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: false, objects: 0)
      return try AccessPath(access, try snapshot.index(index, of: entity), for: [simple], memory, in: snapshot).counted
    }
    func known(_ text: String) throws -> Int? { try memory.count(of: range(text), of: index, in: snapshot)?.count }
    #expect(try known("magnitude > 0.5") == nil)
    let long = try #require(try way("magnitude > 0.5"))
    #expect(!long.isAll && long.count > 1_000)
    #expect(try known("magnitude > 0.5") == long.count)
    // Where the range begins says little: what was counted lies at its end.
    #expect(try known("magnitude > 0.6") == long.count)
    #expect(try known("magnitude < 9.9") == nil)
    let low = try #require(try way("magnitude < 9.9"))
    #expect(!low.isAll)
    #expect(try known("magnitude < 9.8") == low.count)
    // A larger number than counting gives: it is gone by, so nobody counted.
    memory.keep(RangeCount(9_999, .atLeast), of: try range("magnitude > 0.5"), of: index, in: snapshot)
    for text in ["magnitude > 0.4", "magnitude >= 0.5", "magnitude > -3", "magnitude > 0.5"] {
      #expect(try way(text)?.count == 9_999, "\(text)")
      #expect(try way(text)?.isAll == false, "\(text)")
    }
    let narrow = try #require(try way("magnitude > 8"))
    let strong = try store.rows("magnitude > 8").count
    #expect(narrow.isExact && narrow.count == strong)
    try store.file.write { session in
      _ = try session.insert(try #require(Samples.rows(1).first), into: entity)
    }
    let after = try store.file.beginSnapshot()
    #expect(try memory.count(of: range("magnitude > 0.5"), of: index, in: after) == nil)
  }

  /// A range between two that hold nearly the same is not counted, and one on which they say too little is.
  @Test func whatLiesBetweenTwoCountedRangesIsNotCounted() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    func estimate(_ text: String) throws -> Double { try Self.estimate(text, of: store, memory, in: snapshot) }
    let wide = Double(try store.rows("magnitude > 8").count)
    let narrow = Double(try store.rows("magnitude > 8.06").count)
    #expect(narrow < wide && wide < 1.1 * narrow)
    #expect(try estimate("magnitude > 8") == wide)
    #expect(try estimate("magnitude > 8.06") == narrow)
    let asked = Double(try store.rows("magnitude > 8.01").count)
    #expect(try estimate("magnitude > 8.01") == (wide + narrow) / 2 && asked != (wide + narrow) / 2)
    let few = Double(try store.rows("magnitude > 9").count)
    #expect(try estimate("magnitude > 9") == few)
    let between = Double(try store.rows("magnitude > 8.5").count)
    #expect(wide > 1.1 * between && between > 1.1 * few)
    #expect(try estimate("magnitude > 8.5") == between)
    // Who compares ways is told what there is.
    var options = PlannerOptions()
    options.samples = memory
    #expect(try store.compile("magnitude > 8.01").plan(in: snapshot, options: options).root.rows == asked)
  }

  /// The same for intervals that were asked about samples.
  @Test func whatLiesBetweenTwoIntervalsIsNotAsked() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    memory.keep(0.40, try Self.key("depth > 100", of: store, in: snapshot), in: snapshot)
    memory.keep(0.38, try Self.key("depth > 110", of: store, in: snapshot), in: snapshot)
    func part(_ text: String) throws -> Double? {
      memory.part(try Self.key(text, of: store, in: snapshot), in: snapshot)
    }
    #expect(try part("depth > 105") == 0.39)
    #expect(try part("depth >= 100") == nil)
    #expect(try part("depth > 99") == nil)
    #expect(try part("depth > 111") == nil)
    #expect(try part("depth < 105") == nil)
    #expect(try part("magnitude > 105") == nil)
  }

  @Test func anotherVersionIsAskedAgain() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let text = "place CONTAINS 'Japan'"
    let before = try store.file.beginSnapshot()
    let key = try Self.key(text, of: store, in: before)
    let fresh = try Self.estimate(text, of: store, nil, in: before)
    memory.keep(0.5, key, in: before)
    try store.file.write { session in
      let entity = try #require(session.schema.entity(named: store.entityName))
      _ = try session.insert(try #require(Samples.rows(1).first), into: entity)
      // What is being written is nobody else's.
      let writing = try session.snapshot()
      #expect(try Self.estimate(text, of: store, memory, in: writing) < 1.1 * fresh)
      #expect(memory.part(key, in: writing) == nil)
      memory.keep(0.25, key, in: writing)
    }
    #expect(memory.part(key, in: before) == 0.5)
    let after = try store.file.beginSnapshot()
    #expect(memory.part(key, in: after) == nil)
    #expect(try Self.estimate(text, of: store, memory, in: after) < 1.1 * fresh)
    #expect(memory.part(key, in: after) != nil)
    #expect(memory.part(key, in: before) == nil)
  }

  /// With very many conditions, old ones are forgotten.
  @Test func itDoesNotGrow() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    for text in ["place CONTAINS '%'", "depth > % AND depth < %.5"] {
      let keys = try (0..<1_000).map {
        try Self.key(text.replacing("%", with: String($0)), of: store, in: snapshot)
      }
      for key in keys { memory.keep(0.5, key, in: snapshot) }
      #expect(keys.count { memory.part($0, in: snapshot) != nil } <= 280, "\(text)")
      #expect(memory.part(try #require(keys.last), in: snapshot) == 0.5)
    }
  }

  /// Intervals that have nothing in common are each asked once.
  @Test func intervalsInTurnAreAskedOnce() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    var asked = 0
    for _ in 0..<5 {
      for low in 0..<40 {
        let key = try Self.key("depth > \(low * 20) AND depth < \(low * 20 + 10)", of: store, in: snapshot)
        if memory.part(key, in: snapshot) != nil { continue }
        asked += 1
        memory.keep(Double(low + 1) / 50, key, in: snapshot)
      }
    }
    #expect(asked == 40)
  }

  /// A damaged file may count anything.
  @Test func aHugeCountIsKept() throws {
    let store = try Self.store()
    let memory = SelectivityCache()
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    let index = try #require(entity.index(named: "magnitude"))
    let range = IndexKeyRange(lower: .included([1]), upper: .unbounded)
    memory.keep(RangeCount(.max, .atLeast), of: range, of: index, in: snapshot)
    #expect(memory.count(of: .all, of: index, in: snapshot)?.count == .max)
  }

  /// Nobody wants to hash or to keep them.
  @Test func longListsAndTextsAreNotKept() throws {
    let store = try Self.store()
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    let long = String(repeating: "long", count: 50)
    func isKept(_ text: String, _ argument: Value) throws -> Bool {
      guard case .filter(let predicate)? = try store.compile(text, Arguments([argument])).stages.first else {
        throw Unexpected()
      }
      let context = RuleContext(entity: entity, now: Instant(seconds: 0))
      return SelectivityCache.Key(try PlannerRule.simplified(predicate, context), of: entity) != nil
    }
    #expect(try isKept("place IN %@", .list((0..<10).map { .string("\($0)") })))
    #expect(try !isKept("place IN %@", .list((0..<200).map { .string("\($0)") })))
    #expect(try !isKept("place IN %@", .list([.string(long), .string("b")])))
    for comparator in ["==", "==[c]", "<", ">=[cd]", "CONTAINS", "BEGINSWITH[c]", "ENDSWITH", "LIKE", "MATCHES"] {
      #expect(try isKept("place \(comparator) %@", .string("Japan")), "\(comparator)")
      #expect(try !isKept("place \(comparator) %@", .string(long)), "\(comparator)")
    }
  }

  /// An index that has counted the objects leaves nothing to be sampled.
  @Test func whatAnIndexHasCountedIsNotAsked() throws {
    let store = try Self.store()
    let snapshot = try store.file.beginSnapshot()
    let memory = SelectivityCache()
    let counted = try Self.key("magnitude > 9", of: store, in: snapshot)
    let asked = try Self.key("depth > 100", of: store, in: snapshot)
    _ = try Self.estimate("magnitude > 9 AND depth > 100 AND place CONTAINS 'Japan'", of: store, memory, in: snapshot)
    #expect(memory.part(counted, in: snapshot) == nil)
    #expect(memory.part(asked, in: snapshot) != nil)
  }
}
