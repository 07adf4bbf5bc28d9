import ObjectStoreCore
import Testing

/// What goes because somebody says so, and what is asked before anything is lost.
@Suite struct RemovingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("store") }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func open(_ text: String, removing: [String] = [], keeping: [String] = []) throws -> Store {
    try Store.openDynamic(
      path, mode: .create, schema: SchemaText.parse(text), removing: removing, keeping: keeping)
  }

  private func problems(_ text: String, removing: [String] = [], keeping: [String] = []) -> [String] {
    do { try open(text, removing: removing, keeping: keeping) } catch StoreError.migrationNeeded(let problems) {
      return problems
    } catch { return ["\(error)"] }
    return []
  }

  private static let doc = "@Model struct Doc { var title: String; @Attribute(.indexed) var body: String }"
  private static let short = "@Model struct Doc { var title: String }"

  private func filled() throws {
    let store = try open(Self.doc)
    _ = try store.run(#"INSERT Doc {"title": "t", "body": "b"}"#)
  }

  @Test func aPropertyGoesByName() throws {
    try filled()
    try open(Self.short, removing: ["Doc.body", "Doc.never"])
    var entity = try #require(try open(Self.short, removing: ["Doc.body"]).schema.entity(named: "Doc"))
    #expect(entity.properties.map(\.name) == ["title"] && entity.indexes.isEmpty)
    // What is declared can't go.
    // It comes back as another.
    #expect(problems(Self.doc.replacing("var body: String", with: #"var body = "?""#)).isEmpty)
    #expect(
      problems(Self.doc, removing: ["Doc.body"]) == [
        "'Doc.body' is to be removed and is declared: take it out of the declaration, or out of 'removing:'"
      ])
    #expect(problems(Self.short, removing: ["@bogus Doc.body", ""]).count == 2)
    entity = try #require(try open(Self.short).schema.entity(named: "Doc"))
    #expect(entity.properties.count == 2)
  }

  @Test func anEntityGoesByNameUnlessItIsLinkedTo() throws {
    let both = "@Model(.entity) struct A { var x: Int }; @Model struct B { var k: Int; var a: Link<A>? }"
    try open(both)
    #expect(
      problems("@Model(.entity) struct C { var c: Int }", removing: ["A"]) == [
        "'B.a' links to A: name it as well to remove A"
      ])
    let store = try open("@Model(.entity) struct C { var c: Int }", removing: ["A", "B.a"])
    #expect(try store.schema.entities.map(\.name) == ["B", "C"])
  }

  @Test func aStructsPropertyGoesWhereverItIs() throws {
    let before = """
      @Model struct Doc { var n: Int; var site: Site; var other: Site }
      @Model(.embedded) struct Site { var town: String; var zip: Int }
      """
    try open(before)
    let after = before.replacing("var town: String; ", with: "")
    #expect(
      problems(after, removing: ["Doc.site.town"]) == [
        "Doc.site.town is in the struct Site, which is elsewhere too: name 'Doc.other.town' as well"
      ])
    let store = try open(after, removing: ["Doc.site.town", "Doc.other.town"])
    #expect(try store.schema.structure(named: "Site")?.properties.map(\.name) == ["zip"])
    #expect(problems("@Model struct Doc { var n: Int }", removing: ["Doc.site.zip", "Doc.other.zip"]).count == 1)
  }

  @Test func uniquenessIsTakenBack() throws {
    let plain = "@Model struct User { var email: String }"
    try open(plain)
    try open("@Model struct User { @Attribute(.unique) var email: String }")
    let store = try open(plain)
    _ = try store.run(#"INSERT User {"email": "b"}"#)
    let error = #expect(throws: (any Error).self) { try store.run(#"INSERT User {"email": "b"}"#) }
    #expect(
      "\(String(describing: error))".contains(#"removing: ["@unique User.email"]"#), "\(String(describing: error))")
    let free = try open(plain, removing: ["@unique User.email"])
    _ = try free.run(#"INSERT User {"email": "b"}"#)
    #expect(try free.objects("User").count == 2)
    try open(plain, removing: ["@unique User.email"])
  }

  @Test func aProbableRenameIsAskedAndAnsweredThreeWays() throws {
    try filled()
    let other = "@Model struct Doc { var title: String; var text: String = \"\" }"
    let asked = problems(other)
    #expect(asked.count == 1)
    for word in [#"@Attribute(originalName: "body")"#, #"removing: ["Doc.body"]"#, #"keeping: ["Doc.body"]"#] {
      #expect(asked.first?.contains(word) == true, "\(asked)")
    }
    try open(other, keeping: ["Doc.body"])
    // It is not asked again, whatever else is new.
    let store = try open(other.replacing("}", with: "; var more: String = \"\" }"))
    #expect(try store.objects("Doc").rows(["body", "text", "more"]) == [[.string("b"), .string(""), .string("")]])
    // An older program is none the wiser, and asks for itself.
    #expect(problems(Self.doc).count == 0)
  }

  /// A struct may be at several places, some of which the program does not know: the question is about one it knows.
  @Test func aProbableRenameInAStructIsAskedAtOnePlace() throws {
    try open(
      """
      @Model struct A { var n: Int; var site: Site }
      @Model struct B { var n: Int; var here: Site; var there: Site? }
      @Model(.embedded) struct Site { var town: String; var zip: Int }
      """)
    let asked = problems(
      """
      @Model struct B { var n: Int; var here: Site; var there: Site? }
      @Model(.embedded) struct Site { var city = ""; var zip: Int }
      """)
    #expect(asked.count == 1)
    let question = try #require(asked.first)
    #expect(
      question.hasPrefix("B.here.town is in the file and not in the models, and B.here.city of the same type is new"),
      "\(question)")
    #expect(
      question.contains(#"removing: ["B.here.town", "A.site.town", "B.there.town"]"#)
        && question.contains(#"originalName: "town""#) && question.contains(#"keeping: ["B.here.town"]"#), "\(question)"
    )
  }

  /// A property that was renamed may have become required, or wider, at the same time.
  @Test func aRenameMayChangeTheTypeALittle() throws {
    let store = try open("@Model struct Doc { var title: String; var body: String?; var n: Int32 }")
    _ = try store.run(#"INSERT Doc {"title": "t", "body": "b", "n": 3}"#)
    #expect(problems(#"@Model struct Doc { var title: String; var text = ""; var n: Int32 }"#).count == 1)
    #expect(problems("@Model struct Doc { var title: String; var body: String?; var size = 0 }").count == 1)
    #expect(problems("@Model struct Doc { var title: String; var body: String?; var at: Date? }").isEmpty)
  }

  @Test func severalOriginalNames() throws {
    try open("@Model struct D { var k: Int; @Attribute(.unique) var a: String }")
    _ = try open("@Model struct D { var k: Int; @Attribute(.unique) var a: String }").run(
      #"INSERT D {"k": 1, "a": "x"}"#)
    let only = #"@Model struct D { var k: Int; @Attribute(originalName: "b") var c: String }"#
    #expect(problems(only).count == 1)
    let store = try open(only.replacing(#""b""#, with: #""b", "a""#))
    #expect(try store.objects("D").rows(["c"]) == [[.string("x")]])
    // An index that the model does not mention goes by the new name.
    #expect(try store.schema.entities[0].indexes == [Index(kind: .unique, paths: ["c"])])
  }

  /// Both names are stored: neither takes the other's place, and it is said which is not read.
  @Test func anOriginalNameThatIsStoredBesideTheNewOneIsNoted() throws {
    let both =
      "@Model struct D { var a: String; var b: String; var at: P }; @Model(.embedded) struct P { var x: Int; var y: Int }"
    _ = try open(both).run(#"INSERT D {"a": "old", "b": "new", "at": {"x": 1, "y": 2}}"#)
    let later = #"""
      @Model struct D { @Attribute(originalName: "a") var b: String; var at: P }
      @Model(.embedded) struct P { @Attribute(originalName: "x") var y: Int }
      """#
    let store = try open(later)
    #expect(
      store.notes.map { String($0.prefix { $0 != "," }) } == [
        "D.b: its original name 'a' is in the file too", "P.y: its original name 'x' is in the file too",
      ])
    for removal in [#"removing: ["D.a"]"#, #"removing: ["D.at.x"]"#] {
      #expect(store.notes.contains { $0.contains(removal) }, "\(store.notes)")
    }
    #expect(
      try store.objects("D").rows(["a", "b", "at.x", "at.y"]) == [[.string("old"), .string("new"), .int(1), .int(2)]])
    #expect(try open(later, removing: ["D.a", "D.at.x"]).notes.isEmpty)
    #expect(try open(later).notes.isEmpty)
  }

  /// A name that is declared is not remembered as one to keep: its later rename is asked about.
  @Test func onlyWhatTheModelsLackIsKept() throws {
    try filled()
    #expect(
      problems(Self.doc, keeping: ["Doc.body"]) == [
        "'Doc.body' is kept anyway, since it is declared: 'keeping' is for what the models lack"
      ])
    #expect(problems(#"@Model struct Doc { var title: String; var text = "" }"#).count == 1)
  }

  @Test func anotherTypeIsNamedOnBothSides() throws {
    try open("@Model(.entity) struct A { var x: Int }; @Model struct B { var k: Int; var a: Link<A>? }")
    #expect(
      problems("@Model(.embedded) struct C { var x = 0 }; @Model struct B { var k: String; var a: C? }").map {
        String($0.prefix { $0 != ":" })
      } == [
        "B.k is Int in the file and String in the models", "B.a is Link<A> in the file and C in the models",
      ])
  }

  @Test func namesThatAreNowhereAreNoted() throws {
    try filled()
    #expect(
      try open(Self.doc, removing: ["Doc.bdy", "Dox"], keeping: ["Doc.titel"]).notes == [
        "removing: 'Doc.bdy' is not in the file; did you mean 'Doc.body'?",
        "removing: 'Dox' is not in the file; did you mean 'Doc'?",
        "keeping: 'Doc.titel' is not in the file; did you mean 'Doc.title'?",
      ])
    let more = #"@Model struct Doc { var title: String; @Attribute(originalName: "nmae") var size = 1 }"#
    #expect(try open(more).notes == ["Doc.size is new: its original name 'nmae' is not in the file"])
    #expect(try open(more).notes.isEmpty)
    let other = #"@Model(originalName: "Dox") struct Other { var x: Double }"#
    #expect(try open(other).notes == ["Other is new: its original name 'Dox' is not in the file"])
    #expect(try open(other).notes.isEmpty)
  }

  @Test func whatWouldGoIsCounted() throws {
    try filled()
    let store = try open(Self.short)
    _ = try store.run(#"INSERT Doc {"title": "u", "body": ""}"#)
    let parts = try store.contents(of: ["Doc.body", "@indexed Doc.body", "Doc"])
    #expect(
      parts.map { "\($0.part) \($0.type ?? "-") \($0.count ?? -1)" } == [
        "Doc.body String 2", "@indexed Doc.body - -1", "Doc - 2",
      ])
    try store.remove(["Doc.body"])
    #expect(try store.schema.entities[0].properties.map(\.name) == ["title"])
  }
}
