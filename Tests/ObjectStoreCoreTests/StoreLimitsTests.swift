import ObjectStoreCore
import Testing

/// The limits that a store is opened with: what exceeds one is refused by its name and value, and changes nothing.
@Suite struct StoreLimitsTests {
  private static let schema = Schema(entities: [
    Entity(
      name: "Note",
      properties: [
        Property(name: "text", type: .scalar(.string)), Property(name: "number", type: .scalar(.int)),
        Property(name: "tags", type: .array(.string)),
      ])
  ])

  private func store(_ change: (inout Store.Limits) -> Void = { _ in }) throws -> Store {
    var limits = Store.Limits()
    change(&limits)
    let store = try Store.inMemory(schema: Self.schema, limits: limits)
    try store.write { tx in
      let rows = try tx.inserter(for: "Note")
      for number in 0..<600 {
        try rows.append([.string("note \(number)"), .int(Int64(number)), .list([])])
      }
    }
    return store
  }

  /// The limit that `body` exceeds, and the message.
  private func excess(_ body: () throws -> Void) -> LimitExceeded? {
    do {
      try body()
      return nil
    } catch StoreError.limitExceeded(let excess) { return excess } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test func rows() throws {
    let store = try store { $0.rows = 100 }
    let all = try store.objects("Note")
    #expect(excess { _ = try all.ids }?.limit == .rows)
    #expect(try all.count == 600)
    #expect(try all.limit(100).ids.count == 100)
    let select = "Note SELECT number"
    guard case .rows(let rows) = try store.run(select) else { return #expect(Bool(false)) }
    let found = excess { try rows.forEachFlat { _ in } }
    #expect(found == LimitExceeded(.rows, 100, of: "the result"))
    #expect(
      found?.description
        == "the result has more than 100 rows, the limit 'rows': ask for fewer with LIMIT, or open the store with a greater one"
    )
    guard case .sections(let sections) = try store.run("Note SECTIONS BY text") else { return #expect(Bool(false)) }
    #expect(excess { try sections.forEach { _ in } } == found)
    #expect(excess { _ = try store.run("UPDATE Note SET number = 0") }?.limit == .rows)
    #expect(excess { _ = try store.run("DELETE Note WHERE number >= 0") }?.limit == .rows)
    #expect(try store.objects("Note").filter("number == 0").count == 1)
  }

  @Test(arguments: [
    "Note", "Note SORT BY text, number", "Note GROUP BY text SELECT text, @count", "Note DISTINCT text",
    "Note SELECT text, number",
  ])
  func memory(_ statement: String) throws {
    func run(_ store: Store) throws {
      switch try store.run(statement) {
      case .objects(let objects): _ = try objects.ids
      case .rows(let rows): try rows.forEachFlat { _ in }
      default: Issue.record("\(statement) gives something else")
      }
    }
    #expect(excess { try run(try store { $0.memory = 1_000 }) } == LimitExceeded(.memory, 1_000, of: "the query"))
    #expect(excess { try run(try store { $0.memory = 1 << 20 }) } == nil)
  }

  @Test func time() throws {
    let store = try store { $0.time = .zero }
    #expect(excess { _ = try store.objects("Note").count } == LimitExceeded(.time, 0, of: "the query"))
    #expect(excess { _ = try store.run("UPDATE Note SET number = number + 1") }?.limit == .time)
    let patient = try self.store { $0.time = .seconds(3_600) }
    #expect(try patient.objects("Note").filter("number * 2 > 3").count == 598)
    // The caller's own end is not the limit's.
    let cancellation = Cancellation()
    cancellation.cancel()
    let ended = try patient.objects("Note").cancellable(by: cancellation)
    #expect(throws: QueryCancelled.self) { _ = try ended.filter("number * 2 > 3").ids }
  }

  @Test func values() throws {
    let store = try store {
      $0.valueBytes = 10
      $0.elements = 3
    }
    let long = Value.string("longer than ten")
    let many = Value.list((0..<4).map { .string("\($0)") })
    func insert(_ row: [Value]) throws { try store.write { _ = try $0.inserter(for: "Note").append(row) } }
    #expect(
      excess { try insert([long, .int(1), .list([])]) } == LimitExceeded(.valueBytes, 10, of: "Note.text"))
    #expect(excess { try insert([.string("x"), .int(1), many]) } == LimitExceeded(.elements, 3, of: "Note.tags"))
    #expect(excess { try insert([.string("x"), .int(1), .list([long])]) }?.limit == .valueBytes)
    #expect(excess { _ = try store.run("UPDATE Note SET text = 'longer than ten'") }?.subject == "Note.text")
    #expect(excess { _ = try store.run(#"INSERT Note {"text": "longer than ten", "number": 1, "tags": []}"#) } != nil)
    #expect(try store.objects("Note").count == 600)
    // Arguments are values too.
    let all = try store.objects("Note")
    #expect(excess { _ = try all.filter("text == %@", arguments: Arguments([long])) }?.subject == "argument 1")
    #expect(excess { _ = try all.filter("text IN $x", arguments: Arguments(named: ["x": many])) }?.subject == "$x")
  }

  @Test func columns() throws {
    var limits = Store.Limits()
    limits.columns = 2
    #expect(
      excess { _ = try Store.inMemory(schema: Self.schema, limits: limits) }
        == LimitExceeded(.columns, 2, of: "Note"))
    limits.columns = 3
    let store = try Store.inMemory(schema: Self.schema, limits: limits)
    var wider = Self.schema
    wider.entities[0].properties.append(Property(name: "more", type: .scalar(.int), isOptional: true))
    #expect(excess { try store.declare(wider) }?.limit == .columns)
  }
}
