import Schema
import Storage
import Testing
import Values

/// What a preview says of properties that are to be unique, against what opening says; and of new names.
@Suite struct PreviewTests {
  private static let text = """
    @Model(.embedded) struct Place { var town: String }
    @Model(.entity) struct Doc { var code: String; var size: Int; var rank: Int?; var place: Place? }
    """

  /// 600 objects, so that there are several clusters: codes repeat after 500, sizes after 300, every other rank is nil.
  private func filled(_ folder: StoreFolder) throws -> StoreFile {
    let file = try folder.open(try .text(Self.text))
    try file.insert(
      (0..<600).map { number -> [Value] in
        let isThere = number % 3 != 0
        return [
          .string("c\(number % 500)"), .int(Int64(number % 300)), number % 2 == 0 ? .null : .int(Int64(number)),
          isThere ? .bool(true) : .null, isThere ? .string("t\(number % 450)") : .null,
        ]
      }, into: "Doc")
    return file
  }

  private func opening(_ file: StoreFile, _ declaration: SchemaDeclaration) throws -> [String] {
    do {
      try file.declare(declaration)
      return []
    } catch StoreError.migrationNeeded(let problems) { return problems }
  }

  /// What the preview finds; opening must say the same of at least one value, and refuse when the preview does.
  private func problems(_ old: String, _ new: String, made: [PropertyPlace: MadeDefault] = [:]) throws -> [String] {
    let file = try filled(try StoreFolder())
    let declaration = SchemaDeclaration(try .text(Self.text.replacing(old, with: new)), made: made)
    let found = try file.preview(declaration).problems
    let said = try opening(file, declaration)
    #expect(found.isEmpty == said.isEmpty, "\(found), \(said)")
    #expect(said.allSatisfy { problem in found.contains(problem) || found.count > 10 }, "\(said)")
    return found
  }

  @Test func valuesThatObjectsShareAreNamed() throws {
    let found = try problems("var code", "@Attribute(.unique) var code")
    #expect(found.count == 11)
    #expect(
      found.first
        == "two objects of Doc have code \"c0\" (numbers 1, 501), and Doc.code is declared unique: change or delete all "
        + "but one of them while it is not, or leave the declaration out")
    #expect(found.last == "90 more values of Doc.code are shared likewise")
  }

  @Test func nilIsShared() throws {
    #expect(try problems("var rank", "@Attribute(.unique) var rank").isEmpty)
  }

  @Test func severalPropertiesTogether() throws {
    let shared = "var size: Int; #Unique<Doc>([\\.size, \\.rank]); var other = 1"
    #expect(try problems("var size: Int", shared).isEmpty)
    #expect(try problems("var size: Int", shared.replacing("rank", with: "other")).count == 11)
  }

  @Test func insideStructs() throws {
    let found = try problems("var size: Int", "var size: Int; #Unique<Doc>([\\.place.town])")
    #expect(found.count == 11)
    #expect(found.first?.contains("place.town \"t1\" (numbers 2, 452)") == true, "\(found)")
  }

  @Test func valuesThatAreConvertedOrFilled() throws {
    #expect(try problems("var size: Int", "@Attribute(.unique) var size: Double").count == 11)
    #expect(try problems("var rank: Int?", "@Attribute(.unique) var rank: Double?").isEmpty)
    let filled = try problems("var rank: Int?", "@Attribute(.unique) var rank = 7")
    #expect(filled.count == 1 && filled[0].hasPrefix("301 objects of Doc have rank 7"), "\(filled)")
    let new = try problems("var size: Int", "var size: Int; @Attribute(.unique) var key = \"\"")
    #expect(new.count == 1 && new[0].hasPrefix("600 objects of Doc have key \"\""), "\(new)")
  }

  @Test func whatWasUniqueAlreadyIsFilledWithOneValue() throws {
    let file = try filled(try StoreFolder())
    try file.declare(try .text(Self.text.replacing("var rank", with: "@Attribute(.unique) var rank")))
    let declaration = SchemaDeclaration(
      try .text(Self.text.replacing("var rank: Int?", with: "@Attribute(.unique) var rank = -1")))
    let found = try file.preview(declaration).problems
    #expect(found.count == 1 && found[0].hasPrefix("300 objects of Doc have rank -1"), "\(found)")
    #expect(try opening(file, declaration) == found)
    try file.expectWhole()
  }

  @Test func valuesOfExpressionsAreNotKnown() throws {
    let made = MadeDefault(columns: [""]) { [.uuid(UUIDBytes(high: .random(in: 0 ... .max), low: 0))] }
    let new = "var size: Int; @Attribute(.unique) var key: UUID"
    #expect(
      try problems("var size: Int", new, made: [PropertyPlace(structure: "Doc", property: "key"): made]).isEmpty)
  }

  @Test func whatStepsWriteIsJudgedAfterThem() throws {
    let file = try filled(try StoreFolder())
    var declaration = SchemaDeclaration(
      try .text(Self.text.replacing("var code", with: "@Attribute(.unique) var code")))
    declaration.steps = [DeclaredStep(name: "mend")]
    #expect(try file.preview(declaration).problems == [])
  }

  @Test func whatIsRenamedIsNotLost() throws {
    let file = try filled(try StoreFolder())
    let renamed = Self.text
      .replacing("struct Doc {", with: "struct Paper {").replacing(
        "(.entity)", with: "(.entity, originalName: \"Doc\")"
      )
      .replacing("var code", with: "@Attribute(originalName: \"code\") var key")
    let preview = try file.preview(SchemaDeclaration(try .text(renamed)))
    #expect(preview.problems == [])
    #expect(preview.changes.allSatisfy { $0.kind == .renamed }, "\(preview.changes)")
    #expect(preview.changes.count == 2)
  }
}
