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

  /// Keys are what their bytes are, as texts are.
  @Test func keysInAnotherNormalFormAreOtherKeys() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    for (key, number) in [(composed, 1.0), (decomposed, 2)] { _ = try update("by['\(key)'] = \(number) WHERE n == 2") }
    #expect(try rows("Item WHERE n == 2 SELECT by['\(composed)'], by['\(decomposed)']") == [[.double(1), .double(2)]])
    _ = try update("by['\(composed)'] = 3 WHERE n == 2")
    #expect(try rows("Item WHERE n == 2 SELECT by['\(composed)'], by['\(decomposed)']") == [[.double(3), .double(2)]])
    _ = try update("by['\(decomposed)'] = nil WHERE n == 2")
    let left = try rows("Item WHERE n == 2 SELECT by")
    #expect(left == [[.embedded([EmbeddedField(name: composed, value: .double(3))])]])
    #expect(left != [[.embedded([EmbeddedField(name: decomposed, value: .double(3))])]])
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

  @Test func areSetToListsInJSON() throws {
    #expect(try update(#"tags = ["p", "q"], marks = [3, 1, n, 3], other = [] WHERE n == 1"#) == 1)
    #expect(
      try rows("Item WHERE n == 1 SELECT tags, marks, other") == [
        [.list([.string("p"), .string("q")]), .list([.int(1), .int(3)]), .list([])]
      ])
    #expect(try update(#"tags = ["z"] WHERE n == 2"#) == 1)
    #expect(try update("tags = [] WHERE n == 1") == 1)
    #expect(try rows("Item SELECT tags") == [[.list([])], [.list([.string("z")])]])
  }

  @Test func valuesOfKeysAreSet() throws {
    func by(_ number: Int) throws -> [EmbeddedField] {
      guard case .embedded(let fields)?? = try rows("Item WHERE n == \(number) SELECT by").first?.first else {
        return []
      }
      return fields
    }
    #expect(try update("by['b'] = n + 0.5, by['a'] = 7") == 2)
    #expect(
      try by(1) == [
        EmbeddedField(name: "a", value: .double(7)), EmbeddedField(name: "b", value: .double(1.5)),
        EmbeddedField(name: "k", value: .double(1)),
      ])
    #expect(try by(2).map(\.name) == ["a", "b"])
    // What is nil is not there.
    #expect(try update("by['b'] = nil, by['nobody'] = nil, by['k'] = by['a'] * 2 WHERE n == 1") == 1)
    #expect(
      try by(1) == [EmbeddedField(name: "a", value: .double(7)), EmbeddedField(name: "k", value: .double(14))])
    let arguments = Arguments(["key": "z", "value": -Double.infinity])
    _ = try session.run("UPDATE Item SET by[$key] = $value WHERE n == 2", arguments: arguments)
    #expect(try by(2).last == EmbeddedField(name: "z", value: .double(-.infinity)))
  }

  @Test(arguments: [
    ("by[0] = 1", "the key of a dictionary is a String"), ("by[tags[0]] = 1", "the key of a dictionary is written"),
    ("by['a'] = 'x'", "holds Double, and \"x\" is String"), ("by['a'] = 1, by['a'] = 2", "is set twice"),
    ("by = {}, by['a'] = 2", "is set twice"), ("tags[0] = 'x'", "'tags' is set as a whole"),
    ("by.@values = {}", "cannot be set"),
  ])
  func whatIsNoKeyIsRefused(_ text: String, _ message: String) throws {
    let error = #expect(throws: QueryError.self) { try update(text) }
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test(arguments: [
    (#"tags = ["a", 1]"#, "type-mismatch", 13, 14),
    ("tags = {1}", "type-mismatch", 8, 9), ("tags = 'a'", "type-mismatch", 7, 10),
    ("tags = nil", "missing-value", 7, 10),
    ("marks = tags", "type-mismatch", 8, 12), ("by = {1}", "type-mismatch", 5, 8),
    (#"by = {"a": "x"}"#, "type-mismatch", 11, 14), (#"by = {"a": null}"#, "type-mismatch", 11, 15),
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
