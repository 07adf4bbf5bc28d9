import Schema
import Testing

/// The sentences that tell two schemas apart.
struct SchemaDifferenceTests {
  private func sentences(_ old: String, _ new: String) throws -> [String] {
    try SchemaDifference(from: SchemaText.parse(old), to: SchemaText.parse(new)).changes.map(\.description)
  }

  @Test func sameSchemasDoNotDiffer() throws {
    let text = #"@Model struct P { var x = 1 } @Model struct A { @Attribute(.unique) var a = 1; var p: P? }"#
    #expect(try sentences(text, text) == [])
    #expect(try sentences("@Model struct A { var a: Int? }", "@Model struct A { var a: Int? = nil }") == [])
  }

  @Test func everyKindOfChangeIsASentence() throws {
    let old = #"""
      @Model struct Gone { var x = 1 }
      @Model struct Place { var name = "", height = 1.5 }
      @Model struct A {
        #Index<A>([\.title, \.count])
        @Attribute(.indexed) var title: String
        @Attribute(.unique) var count: Int
        var size: Int8?, old: Date, place: Place
        var tags: Set<String>, marks: [Int], best: Link<A>?
      }
      """#
    let new = #"""
      @Model struct Place { var name = "", height = 2.5 }
      @Model struct A {
        @Attribute(.indexed, originalName: "title") var name: String
        @Attribute(.indexed) var count: Int
        var size: Int16, place: Place?, added: String? = "x"
        @Attribute(originalName: "tags") var labels: Set<String>
        @Relationship(deleteRule: .deny) var best: Link<A>?
        var more: [Double]
      }
      @Model struct New { var x = 1 }
      """#
    #expect(
      try sentences(old, new) == [
        "'Gone' is removed, with its objects",
        "'New' is new",
        "'A.old' is removed, with its values",
        "'A.marks' is removed, with its values",
        "'A.place' is new, the presence of a struct; older objects have nil",
        "'A.added' is new, String; older objects have \"x\"",
        "'A.more' is new, [Double]; older objects have []",
        "'A.title' is renamed to 'name'",
        "'A.size' was Int8 and is now Int16",
        "'A.size' may no longer be nil",
        "'A.place.name' may now be nil",
        "'A.place.height' may now be nil",
        "'A.tags' is renamed to 'labels'",
        "deleting the source of 'A.best' now follows the rule 'deny'",
        "'A' loses the unique index 'count'",
        "'A' loses the index 'title+count'",
        "'A' gets the index 'count'",
      ])
  }

  @Test func theFirstOriginalNameThatIsThereCounts() throws {
    let new = #"@Model struct A { var k = 1; @Attribute(originalName: "c", "b", "a") var d: Int }"#
    #expect(
      try sentences("@Model struct A { var k = 1; var a: Int; var b: Int }", new) == [
        "'A.a' is removed, with its values", "'A.b' is renamed to 'd'",
      ])
    #expect(try sentences("@Model struct A { var k = 1; var a: Int }", new) == ["'A.a' is renamed to 'd'"])
  }
}
