import ObjectStoreCore
import Testing

/// Values that become those of another type when a store is opened with models that declare it.
@Suite struct ConversionTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("store") }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func open(_ text: String, removing: [String] = []) throws -> Store {
    try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(text), removing: removing)
  }

  private func problems(_ text: String) -> [String] {
    do { try open(text) } catch StoreError.migrationNeeded(let problems) { return problems } catch {
      return ["\(error)"]
    }
    return []
  }

  /// A store of the first schema with some objects, opened with the second: what the paths have.
  private func converted(
    _ before: String, _ statements: [String], to after: String, _ paths: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[Value]] {
    try {
      let store = try open(before)
      for statement in statements { _ = try store.run(statement) }
    }()
    let store = try open(after)
    let rows = try store.objects("A").rows(paths)
    #expect(try store.check().problems == [], sourceLocation: sourceLocation)
    // Once more: nothing is left to do.
    let version = try store.statistics().version
    #expect(try open(after).statistics().version == version, sourceLocation: sourceLocation)
    return rows
  }

  // MARK: Numbers

  @Test func numbersBecomeWiderOnes() throws {
    let rows = try converted(
      "@Model struct A { var a: Int; var b: Int8; var c: Float; var d: Bool; var e: Int32; var f: Bool? }",
      [
        #"INSERT A {"a": -7, "b": 100, "c": 0.5, "d": true, "e": 9, "f": null}"#,
        #"INSERT A {"a": 9007199254740992, "b": -1, "c": -2, "d": false, "e": 10, "f": true}"#,
      ],
      to: "@Model struct A { var a: Double; var b: Int16; var c: Double; var d: Int; var e: Float; var f: Int8? }",
      ["a", "b", "c", "d", "e", "f"])
    let expected: [[Value]] = [
      [.double(-7), .int(100), .double(0.5), .int(1), .float(9), .null],
      [.double(9_007_199_254_740_992), .int(-1), .double(-2), .int(0), .float(10), .int(1)],
    ]
    #expect(rows == expected)
  }

  @Test func aValueThatIsNoDoubleIsNamedAndNothingChanges() throws {
    let store = try open("@Model struct A { var a: Int; var b: Int; var c: Int? }")
    for statement in [
      #"INSERT A {"a": 1, "b": 9007199254740993, "c": 1}"#, #"INSERT A {"a": 9007199254740993, "b": 2}"#,
      #"INSERT A {"a": 9007199254740995, "b": 3, "c": 3}"#,
    ] { _ = try store.run(statement) }
    let version = try store.statistics().version
    #expect(
      problems("@Model struct A { var a: Double; var b: Double; var c: Double }") == [
        "A.a is Double in the models, and number 2 has 9007199254740993, which is none: change it first, convert it in a "
          + "step of a MigrationPlan, or give what is new another name",
        "A.b is Double in the models, and number 1 has 9007199254740993, which is none: change it first, convert it in a "
          + "step of a MigrationPlan, or give what is new another name",
        "A.c must have a value and 1 object has none: give it a default, or make it optional",
      ])
    #expect(try store.statistics().version == version)
    #expect(try store.objects("A").rows(["a"])[1] == [.int(9_007_199_254_740_993)])
    #expect(problems("@Model struct A { var a: Int; var b: Int; var c = 5.5 }").isEmpty)
    #expect(try store.objects("A").rows(["c"]) == [[.double(1)], [.double(5.5)], [.double(3)]])
  }

  @Test func whatLosesSomethingIsRefused() throws {
    try open("@Model struct A { var a: Double; var b: Int; var c: String; var d: [Int]; var e: Int }")
    for (property, text) in [
      ("a", "var a: Int"), ("b", "var b: Int8"), ("b", "var b: Bool"), ("c", "var c: Int"), ("d", "var d: Int"),
      ("d", "var d: Set<Int>"), ("b", "var b: String"),
    ] {
      let found = problems("@Model struct A { \(text) }")
      #expect(found.count == 1 && found[0].hasPrefix("A.\(property) is "), "\(text): \(found)")
    }
  }

  @Test func indexesAreBuiltAnew() throws {
    let before = """
      @Model struct A { #Index<A>([\\.a, \\.b]); @Attribute(.unique) var a: Int; @Attribute(.indexed) var b: Bool; var c = 0 }
      """
    let after = before.replacing("a: Int", with: "a: Double").replacing("b: Bool", with: "b: Int")
    try {
      let store = try open(before)
      try store.write { tx in
        let rows = try tx.inserter(for: "A")
        for number in 0..<1500 { try rows.append([.int(Int64(number)), .bool(number % 3 == 0), .int(0)]) }
      }
    }()
    let store = try open(after)
    #expect(try store.check().problems == [])
    #expect(try store.objects("A").filter("a == 700").count == 1)
    #expect(try store.objects("A").filter("b == 1").count == 500)
    #expect(try store.objects("A").filter("a BETWEEN {100, 199.5} AND b == 0").count == 67)
    #expect(throws: StoreError.self) { try store.run(#"INSERT A {"a": 700, "b": 1}"#) }
    #expect(try store.schema.entities[0].indexes.count == 3)
  }

  // MARK: Arrays

  @Test func singleValuesBecomeArrays() throws {
    let long = String(repeating: "long ", count: 2000)
    let rows = try converted(
      "@Model struct A { var a: String; var b: String?; var c: Int8?; var d: Bool; var e: String? }",
      [
        #"INSERT A {"a": "x", "b": null, "c": 3, "d": true, "e": null}"#,
        #"INSERT A {"a": "\#(long)", "b": "y", "c": null, "d": false, "e": "z"}"#,
      ],
      to: "@Model struct A { var a: [String]; var b: [String]; var c: [Int]; var d: [Int]; var e: [String]? }",
      ["a", "b", "c", "d", "e"])
    let expected: [[Value]] = [
      [.list([.string("x")]), .list([]), .list([.int(3)]), .list([.int(1)]), .null],
      [
        .list([.string(long)]), .list([.string("y")]), .list([]), .list([.int(0)]), .list([.string("z")]),
      ],
    ]
    #expect(rows == expected)
  }

  @Test func elementsAreConvertedToo() throws {
    let rows = try converted(
      "@Model struct A { var a: [Int]; var b: Set<Bool>; var c: [String: Int]; var d: [Int]? }",
      [#"INSERT A {"a": [3, 1, 3], "b": [true, false], "c": {"x": 1, "y": 2}, "d": null}"#],
      to: "@Model struct A { var a: [Double]; var b: Set<Int>; var c: [String: Double]; var d: [Double] = [] }",
      ["a", "b", "c", "d"])
    let expected: [[Value]] = [
      [
        .list([.double(3), .double(1), .double(3)]), .list([.int(0), .int(1)]),
        .embedded([EmbeddedField(name: "x", value: .double(1)), EmbeddedField(name: "y", value: .double(2))]),
        .list([]),
      ]
    ]
    #expect(rows == expected)
  }

  @Test func anIndexOverWhatBecomesAnArrayHasToGo() throws {
    try open("@Model struct A { @Attribute(.indexed) var a: Int }")
    let after = "@Model struct A { var a: [Int] }"
    #expect(
      problems(after) == [
        "A has no single value 'a' for the index a: if the index may go, say removing: [\"@indexed A.a\"]"
      ])
    #expect(try open(after, removing: ["@indexed A.a"]).check().problems == [])
  }

  @Test func linksBecomeLists() throws {
    let before = "@Model struct A { var b: Link<B>? }; @Model struct B { @Attribute(.unique) var n: Int }"
    let rows = try converted(
      before,
      [#"INSERT B {"n": 1}"#, #"INSERT A {"b": 1}"#, #"INSERT A {"b": null}"#],
      to: before.replacing("Link<B>?", with: "List<B>"), ["b"])
    let target = Value.object(ObjectReference(entity: "B", number: ObjectNumber(1)))
    let expected: [[Value]] = [[.list([target])], [.list([])]]
    #expect(rows == expected)
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.objects("A").filter("ANY b.n == 1").count == 1)
    _ = try store.run("DELETE B")
    #expect(try store.objects("A").rows(["b"]) == [[.list([])], [.list([])]])
    #expect(try store.check().problems == [])
  }

  // MARK: Structs

  @Test func whatIsInStructsIsConverted() throws {
    let before = """
      @Model struct A { var one: S; var two: S?; var all: [S] }
      @Model(.embedded) struct S { var x: Int; var y: Bool?; var t: String? }
      """
    let after = """
      @Model struct A { var one: S; var two: S?; var all: [S] }
      @Model(.embedded) struct S { var x: Double; var y: Int = 7; var t = "none" }
      """
    let rows = try converted(
      before,
      [
        #"INSERT A {"one": {"x": 1, "y": true, "t": "a"}, "two": null, "all": [{"x": 1, "y": null}, {"x": 2, "y": false, "t": "b"}]}"#,
        #"INSERT A {"one": {"x": 2, "y": null}, "two": {"x": 3, "y": null}, "all": []}"#,
      ], to: after, ["one", "two", "all"])
    func s(_ x: Double, _ y: Int64, _ t: String) -> Value {
      .embedded([
        EmbeddedField(name: "x", value: .double(x)), EmbeddedField(name: "y", value: .int(y)),
        EmbeddedField(name: "t", value: .string(t)),
      ])
    }
    let expected: [[Value]] = [
      [s(1, 1, "a"), .null, .list([s(1, 7, "none"), s(2, 0, "b")])],
      [s(2, 7, "none"), s(3, 7, "none"), .list([])],
    ]
    #expect(rows == expected)
  }

  @Test func aStructBecomesAListOfThem() throws {
    let before = """
      @Model struct A { var one: S; var two: S?; var three: S? }
      @Model(.embedded) struct S { var x: Int; var at: P? }
      @Model(.embedded) struct P { var y: Int }
      """
    let after = """
      @Model struct A { var one: [S]; var two: [S]; var three: [S] }
      @Model(.embedded) struct S { var x: Double; var at: P?; var tag = "new" }
      @Model(.embedded) struct P { var y: Int }
      """
    let rows = try converted(
      before,
      [
        #"INSERT A {"one": {"x": 1, "at": {"y": 5}}, "two": null, "three": null}"#,
        #"INSERT A {"one": {"x": 2, "at": null}, "two": {"x": 3, "at": null}, "three": {"x": 4, "at": {"y": 6}}}"#,
      ], to: after, ["one", "two", "three"])
    func s(_ x: Double, _ y: Int64?) -> Value {
      .embedded([
        EmbeddedField(name: "x", value: .double(x)),
        EmbeddedField(name: "at", value: y.map { .embedded([EmbeddedField(name: "y", value: .int($0))]) } ?? .null),
        EmbeddedField(name: "tag", value: .string("new")),
      ])
    }
    let expected: [[Value]] = [
      [.list([s(1, 5)]), .list([]), .list([])], [.list([s(2, nil)]), .list([s(3, nil)]), .list([s(4, 6)])],
    ]
    #expect(rows == expected)
  }

  // MARK: Nil

  @Test func nilBecomesTheDefaultAndBack() throws {
    let optional =
      "@Model struct A { var a: Int?; var b: [Int]? }"
    let required = optional.replacing("Int?", with: "Int = 4").replacing("]?", with: "] = []")
    let rows = try converted(
      optional, [#"INSERT A {"a": null, "b": null}"#, #"INSERT A {"a": 1, "b": [2]}"#],
      to: required, ["a", "b"])
    #expect(rows[0] == [.int(4), .list([])])
    #expect(rows[1][1] == .list([.int(2)]))
    let store = try open(optional)
    #expect(try store.objects("A").rows(["a"]) == [[.int(4)], [.int(1)]])
    _ = try store.run("UPDATE A SET a = null")
    #expect(try store.objects("A").filter("a == nil").count == 2)
    #expect(problems(optional.replacing("Int?", with: "Int")).count == 1)
  }
}
