import ObjectStoreCore
import Testing

/// Entities that go by another name: what is stored of them, and all that leads to them, stays.
@Suite struct RenamedEntityTests {
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

  private static let before = """
    @Model struct Doc {
      #Index<Doc>([\\.title, \\.n])
      @Attribute(.unique) var title: String
      var n: Int
      @Inverse(\\Shelf.docs) var shelves: LinkingObjects<Shelf>
    }
    @Model struct Shelf { var name: String; var docs: List<Doc>; var best: Link<Doc>? }
    """
  private static let after = before.replacing("Doc", with: "Dok")

  private func filled() throws {
    let store = try open(Self.before)
    for statement in [
      #"INSERT Doc {"title": "a", "n": 1}"#, #"INSERT Doc {"title": "b", "n": 2}"#,
      #"INSERT Shelf {"name": "s", "docs": ["a", "b"], "best": "b"}"#,
    ] { _ = try store.run(statement) }
  }

  @Test func itIsAskedAbout() throws {
    try filled()
    #expect(
      problems(Self.after) == [
        "Doc is in the file and not in the models, and Dok with much the same properties is new: if it was renamed, "
          + "declare @Model(originalName: \"Doc\"); if it may go with its values, say removing: [\"Doc\"] (objquery drop); "
          + "if both shall be there, say keeping: [\"Doc\"] (--keep Doc)"
      ])
    #expect(try Store.openDynamic(path, mode: .readWrite).objects("Doc").count == 2)
    // Of several, none is proposed alone.
    let two =
      "@Model(.entity) struct D { var title: String; var n: Int }; @Model(.entity) struct E { var title: String; var n: Int }"
    #expect(problems(two).count == 1)
    #expect(problems(two)[0].contains("D and E with much the same properties are new: if it is one of them"))
    // Another shape is another entity.
    #expect(problems("@Model struct F { var x: Double; var y: Double }").isEmpty)
  }

  @Test func bothStayWhereThatIsSaid() throws {
    try filled()
    let dok = "@Model struct Dok { var title: String; var n: Int }"
    try open(dok, keeping: ["Doc"])
    // The file remembers it.
    let store = try open(dok)
    #expect(Set(try store.schema.entities.map(\.name)) == ["Doc", "Shelf", "Dok"])
    #expect(try store.objects("Doc").count == 2)
    try open("@Model struct Dak { var title: String; var n: Int }", keeping: ["Dok"])
  }

  @Test func renamedItKeepsAll() throws {
    try filled()
    let renamed = Self.after.replacing("@Model struct Dok", with: #"@Model(originalName: "Doc") struct Dok"#)
    #expect(try SchemaText.parse(SchemaText.print(SchemaText.parse(renamed))) == SchemaText.parse(renamed))
    let store = try open(renamed)
    #expect(Set(try store.schema.entities.map(\.name)) == ["Dok", "Shelf"])
    #expect(try store.objects("Dok").rows(["title", "n"]) == [[.string("a"), .int(1)], [.string("b"), .int(2)]])
    #expect(try store.objects("Dok").filter("ANY shelves.name == 's'").count == 2)
    #expect(try store.objects("Shelf").filter("best.title == 'b' AND docs.@count == 2").count == 1)
    let indexes = try #require(try store.schema.entity(named: "Dok")).indexes
    #expect(indexes == [Index(kind: .unique, paths: ["title"]), Index(paths: ["title", "n"])])
    #expect(throws: (any Error).self) { try store.run(#"INSERT Dok {"title": "a", "n": 1}"#) }
    #expect(try store.check().isWhole)
    // Once more, and without the original name.
    let schema = try store.schema
    #expect(try open(renamed).schema == schema)
    #expect(try open(Self.after).schema == schema)
  }

  @Test func versionsMayBeSkippedAndPropertiesRenamedToo() throws {
    try filled()
    let store = try open(
      """
      @Model(.entity, originalName: "Dok", "Doc") struct Page {
        @Attribute(.unique, originalName: "title") var name: String; @Inverse(\\Shelf.docs) var shelves: LinkingObjects<Shelf>
      }
      @Model struct Shelf { var name: String; var docs: List<Page>; var best: Link<Page>? }
      """, removing: ["Doc.n"])
    #expect(try store.objects("Page").rows(["name"]) == [[.string("a")], [.string("b")]])
    #expect(try store.schema.entity(named: "Page")?.property(named: "n") == nil)
    #expect(try store.objects("Shelf").filter("best.name == 'b' AND docs.@count == 2").count == 1)
    #expect(try store.check().isWhole)
  }

  @Test func whoDoesNotDeclareTheOthersRenamesTheirLinksToo() throws {
    try filled()
    let store = try open(#"@Model(originalName: "Doc") struct Dok { var n: Int }"#)
    #expect(try store.objects("Shelf").filter("best.title == 'b'").count == 1)
    #expect(try store.objects("Dok").filter("ANY shelves.name == 's'").count == 2)
    #expect(try store.check().isWhole)
  }

  @Test func aNameInUseIsRefused() throws {
    for text in [
      #"@Model(.entity) struct A { var x = 1 }; @Model(.entity, originalName: "A") struct B { var x = 1 }"#,
      #"@Model(.entity, originalName: "C") struct A { var x = 1 }; @Model(.entity, originalName: "C") struct B { var x = 1 }"#,
    ] {
      let error = #expect(throws: DiagnosticError.self) { try SchemaText.parse(text) }
      #expect(error?.diagnostics.map(\.code) == [.nameInUse])
    }
  }

  @Test func everythingIsAskedAtOnce() throws {
    let store = try open(
      "@Model struct Doc { var title: String; var n: Int; var email: String; var body: String; var old: Date? }")
    for (title, email) in [("a", "x"), ("b", "x"), ("c", "y")] {
      _ = try store.run(#"INSERT Doc {"title": "\#(title)", "n": 1, "email": "\#(email)", "body": "b"}"#)
    }
    let text = """
      @Model struct Doc {
        var title: String; var n: String; @Attribute(.unique) var email: String; var text: String; var note: String
        var old: Date; var size: Double
      }
      """
    #expect(
      problems(text) == [
        "Doc.n is Int in the file and String in the models: declare it as Int; or convert the values in a step of a "
          + "MigrationPlan; or give what is new another name, so that the old values stay and can be asked for by theirs; "
          + "or, if they may go, 'objquery drop STORE Doc.n' first",
        "Doc.body is in the file and not in the models, and Doc.text and Doc.note of the same type are new: if it is one "
          + "of them, declare @Attribute(originalName: \"body\") there; if it may go with its values, say removing: "
          + "[\"Doc.body\"] (objquery drop); if all shall be there, say keeping: [\"Doc.body\"] (--keep Doc.body)",
        "Doc.old must have a value and 3 objects have none: give it a default, or make it optional",
        "Doc.size must have a value and 3 objects have none: give it a default, or make it optional",
        "two objects of Doc have email \"x\" (numbers 1, 2), and Doc.email is declared unique: change or delete all but "
          + "one of them while it is not, or leave the declaration out",
      ])
    do { try open(text) } catch let error as StoreError {
      #expect(error.description.split(separator: "\n").count == 6, "\(error)")
    }
    #expect(try store.objects("Doc").count == 3)
    #expect(try store.check().isWhole)
  }
}
