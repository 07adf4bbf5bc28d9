import ObjectStoreCore
import Testing

/// Nothing stored is dropped unless somebody says so: what a shorter or differently spelt schema does to a file.
@Suite struct KeptDataTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("store") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ text: String) throws -> Store {
    try Store.openDynamic(path, mode: .create, schema: SchemaText.parse(text))
  }

  /// A store with one object, closed again.
  private func make(_ text: String, _ statements: String...) throws {
    let store = try open(text)
    for statement in statements { _ = try store.run(statement) }
  }

  private func values(_ paths: [String], of entity: String) throws -> [[Value]] {
    try Store.openDynamic(path, mode: .readWrite).objects(entity).rows(paths)
  }

  private static let doc = "@Model struct Doc { var title: String; var body: String; var n: Int }"

  @Test func aShorterModelKeepsWhatItLacks() throws {
    try make(Self.doc, #"INSERT Doc {"title": "t", "body": "b", "n": 3}"#)
    _ = try open("@Model struct Doc { var title: String }")
    #expect(try values(["title", "body", "n"], of: "Doc") == [[.string("t"), .string("b"), .int(3)]])
    _ = try open(Self.doc)
    #expect(try values(["body", "n"], of: "Doc") == [[.string("b"), .int(3)]])
  }

  @Test func anotherSpellingIsAQuestion() throws {
    try make(Self.doc, #"INSERT Doc {"title": "t", "body": "b", "n": 3}"#)
    #expect(throws: StoreError.self) {
      try open("@Model struct Doc { var title: String; var text: String; var n: Int }")
    }
    #expect(try values(["body"], of: "Doc") == [[.string("b")]])
  }

  @Test func aShorterStructKeepsWhatItLacks() throws {
    try make(
      "@Model struct Doc { var n: Int; var site: Site }; @Model(.embedded) struct Site { var town: String; var zip: Int }",
      #"INSERT Doc {"n": 1, "site": {"town": "Ulm", "zip": 7}}"#)
    _ = try open("@Model struct Doc { var n: Int; var site: Site }; @Model(.embedded) struct Site { var zip: Int }")
    #expect(try values(["site.town", "site.zip"], of: "Doc") == [[.string("Ulm"), .int(7)]])
    // A struct of another name is the same struct: it is its leaves.
    _ = try open("@Model struct Doc { var n: Int; var site: Place }; @Model(.embedded) struct Place { var zip: Int }")
    #expect(try values(["site.town", "site.zip"], of: "Doc") == [[.string("Ulm"), .int(7)]])
  }

  @Test func aShorterStructOfAListKeepsWhatItLacks() throws {
    let stop = Value.embedded([
      EmbeddedField(name: "town", value: .string("Ulm")), EmbeddedField(name: "zip", value: .int(7)),
    ])
    try make(
      "@Model struct Trip { var n: Int; var stops: [Stop] }; @Model(.embedded) struct Stop { var town: String; var zip: Int }",
      #"INSERT Trip {"n": 1, "stops": [{"town": "Ulm", "zip": 7}, {"town": "Ulm", "zip": 7}]}"#)
    _ = try open("@Model struct Trip { var stops: [Stop] }; @Model(.embedded) struct Stop { var zip: Int }")
    #expect(try values(["n", "stops"], of: "Trip") == [[.int(1), .list([stop, stop])]])
  }

  @Test func aLinkIsNoStruct() throws {
    try make(
      "@Model(.entity) struct A { @Attribute(.unique) var x: Int }; @Model struct B { var k: Int; var a: Link<A>? }",
      #"INSERT A {"x": 5}"#, #"INSERT B {"k": 1, "a": 5}"#)
    let error = #expect(throws: StoreError.self) {
      try open("@Model(.embedded) struct C { var x = 0 }; @Model struct B { var k: Int; var a: C? }")
    }
    guard case .migrationNeeded? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.objects("B").filter("a.x == 5").count == 1)
  }

  @Test func whoSkipsTheVersionBetweenIsAsked() throws {
    try make("@Model struct D { var k: Int; var a: String }", #"INSERT D {"k": 1, "a": "x"}"#)
    #expect(throws: StoreError.self) {
      try open(#"@Model struct D { var k: Int; @Attribute(originalName: "b") var c: String }"#)
    }
    #expect(try values(["a"], of: "D") == [[.string("x")]])
  }

  @Test func indexesAreKept() throws {
    try make("@Model struct U { @Attribute(.unique) var email: String }", #"INSERT U {"email": "b"}"#)
    let store = try open("@Model struct U { var email: String }")
    #expect(try store.schema.entities[0].indexes == [Index(kind: .unique, paths: ["email"])])
  }

  @Test func aRequiredPropertyIsNotInvented() throws {
    try make("@Model struct D { var k: Int }", #"INSERT D {"k": 1}"#)
    #expect(throws: StoreError.self) { try open("@Model struct D { var k: Int; var when: Date }") }
    _ = try open(#"@Model struct D { var k: Int; var name = "n" }"#)
    #expect(try values(["name"], of: "D") == [[.string("n")]])
  }
}
