import ObjectStoreCore
import Testing

/// Statements about properties with many values.
@Suite struct CollectionStatementTests {
  let session: StatementSession

  init() throws {
    let schema = try SchemaText.parse(
      "@Model struct Item { var n: Int; var tags: [String]; var other: [String]; var marks: Set<Int>; var by: [String: Double] }"
    )
    session = StatementSession(try Store.inMemory(schema: schema))
    try session.run(#"INSERT Item {"n": 1, "tags": ["b", "a"], "other": ["x"], "marks": [3, 1, 3], "by": {"k": 1}}"#)
    try session.run(#"INSERT Item {"n": 2, "tags": [], "other": [], "marks": [], "by": {}}"#)
  }

  private func rows(_ text: String) throws -> [[Value]] {
    guard case .rows(let rows) = try session.run(text) else { return [] }
    return try rows.rows()
  }

  private func update(_ text: String) throws -> Int {
    guard case .changed(let changes) = try session.run("UPDATE Item SET " + text) else { return -1 }
    return changes.count
  }

  @Test func areValuesOfASelect() throws {
    guard case .rows(let found) = try session.run("Item SELECT tags, marks, by, tags.@count AS size") else { return }
    #expect(found.columns.map(\.content) == [.collection, .collection, .collection, .number])
    #expect(
      try found.rows() == [
        [
          .list([.string("b"), .string("a")]), .list([.int(1), .int(3)]),
          .embedded([EmbeddedField(name: "k", value: .double(1))]), .int(2),
        ],
        [.list([]), .list([]), .embedded([]), .int(0)],
      ])
    #expect(
      try rows("Item GROUP BY tags.@count SELECT tags.@count, @sum.n HAVING tags.@count > 1") == [[.int(2), .int(1)]])
  }

  @Test func elementsOfAPathAreAList() throws {
    guard
      case .rows(let found) = try session.run(
        "Item SELECT by.@keys, by.@values, SUBQUERY(tags, $t, $t < 'b') AS early, tags.@distinctUnionOfObjects AS each"
      )
    else { return }
    #expect(found.columns.map(\.content) == [.collection, .collection, .collection, .collection])
    #expect(found.columns.map(\.heading) == ["by.@keys", "by.@values", "early", "each"])
    let first: [Value] = [
      .list([.string("k")]), .list([.double(1)]), .list([.string("a")]), .list([.string("b"), .string("a")]),
    ]
    #expect(try found.rows() == [first, [.list([]), .list([]), .list([]), .list([])]])
    for text in [
      "Item SORT BY by.@keys SELECT n", "Item GROUP BY by.@values",
      "Item DISTINCT SUBQUERY(tags, $t, $t < 'b') SELECT n",
      "Item SECTIONS BY by.@keys", "Item SELECT by.@keys + 1", "Item GROUP BY n SELECT by.@keys",
      "Item SELECT tags.@list",
    ] {
      #expect(throws: QueryError.self, "\(text)") { try session.run(text) }
    }
  }

  @Test func dictionariesAreSetToObjects() throws {
    func by() throws -> [Value] { try rows("Item WHERE n == 1 SELECT by").first ?? [] }
    #expect(try update(#"by = {"b": 2, a: 0.5, `c`: "nan"} WHERE n == 1"#) == 1)
    let fields = try by().first.map { value -> [String] in
      guard case .embedded(let fields) = value else { return [] }
      return fields.map(\.name)
    }
    #expect(fields == ["a", "b", "c"])
    let given = Value.embedded([EmbeddedField(name: "z", value: .int(3))])
    let done = try session.run("UPDATE Item SET by = $d WHERE n == 1", arguments: Arguments(["d": given]))
    guard case .changed(ObjectChanges(.changed, 1, of: "Item")) = done else {
      Issue.record("not changed")
      return
    }
    #expect(try by() == [.embedded([EmbeddedField(name: "z", value: .double(3))])])
  }

  @Test func areSetAsAWhole() throws {
    #expect(try update(#"tags = {"p", uppercase(tags[0])}, marks = {n * 2, 1, 1} WHERE n == 1"#) == 1)
    #expect(
      try rows("Item WHERE n == 1 SELECT tags, marks") == [
        [.list([.string("p"), .string("B")]), .list([.int(1), .int(2)])]
      ])
    #expect(try update("tags = other, by = {} WHERE n == 1") == 1)
    #expect(try rows("Item WHERE n == 1 SELECT tags, by") == [[.list([.string("x")]), .embedded([])]])
  }

  @Test(arguments: [
    ("tags = {1}", "type-mismatch", 8, 9), ("tags = 'a'", "type-mismatch", 7, 10),
    ("tags = nil", "missing-value", 7, 10),
    ("marks = tags", "type-mismatch", 8, 12), ("by = {1}", "type-mismatch", 5, 8),
    (#"by = {"a": "x"}"#, "type-mismatch", 5, 15), (#"by = {"a": null}"#, "type-mismatch", 5, 16),
    (#"tags = {"a": 1}"#, "type-mismatch", 7, 15), (#"n = {"a": 1}"#, "type-mismatch", 4, 12),
    ("n = tags", "type-mismatch", 4, 8),
    ("tags = {tags[7]} WHERE n == 1", "value-does-not-fit", 7, 16),
  ])
  func whatIsRefusedIsToldWithItsPlace(_ text: String, _ code: String, _ start: Int, _ end: Int) throws {
    let error = #expect(throws: QueryError.self) { try update(text) }
    #expect(error?.code == code)
    #expect(error?.range == SourceRange(start + 16, end + 16))
  }

  @Test func cannotBeKeys() throws {
    for text in [
      "Item GROUP BY tags", "Item SECTIONS BY tags", "Item SELECT @sum.tags", "Item GROUP BY n HAVING ANY tags == 'a'",
    ] {
      #expect(throws: QueryError.self, "\(text)") { try session.run(text) }
    }
  }
}
