import Diagnostics
import Schema
import Testing
import Values

/// What schema text means.
struct SchemaTextTests {
  @Test func readsTheModelsOfTheGuide() throws {
    let schema = try SchemaText.parse(
      #"""
      import ObjectStore

      @Model struct Location { var name: String; var longitude: Double; var latitude: Double }  // embedded

      @Model public struct Quake: Codable, Sendable {
        #Index<Quake>([\.time], [\.magnitude, \.time])
        @Attribute(.unique) var code: String
        var magnitude: Double? = nil
        var time: Date
        var location: Location
        let felt: Optional<Int>
        var tags: Set<String> = []
        var `in` = 1

        var isStrong: Bool { (magnitude ?? 0) > 6 }
        static let all = ["a", "b"]
        func describe() -> String { "a \(code) quake" }
      }

      @Model struct Task {
        var name = "", isComplete = false, assignee: String?, priority = 0, progressMinutes = 0
        var labels: Set<String> = [], ratings: Set<Int> = [3, 1, 3]
        @Inverse(\Project.tasks) var projects: LinkingObjects<Project>
      }
      @Model struct Project {
        var name = ""; @Relationship(deleteRule: .cascade) var tasks: List<Task>
        var lead: Link<Task>?, counts: [String: Int] = [:], visits: [Location], marks: [Int]
      }

      extension Quake { var other: Int { 1 } }
      """#)
    #expect(schema.entities.map(\.name) == ["Quake", "Task", "Project"])
    #expect(schema.embedded.map(\.name) == ["Location"])
    let quake = try #require(schema.entity(named: "Quake"))
    #expect(quake.properties.map(\.name) == ["code", "magnitude", "time", "location", "felt", "tags", "in"])
    #expect(
      quake.indexes == [
        Index(kind: .unique, paths: ["code"]), Index(paths: ["time"]), Index(paths: ["magnitude", "time"]),
      ])
    #expect(quake.property(named: "magnitude")?.isOptional == true)
    #expect(quake.property(named: "magnitude")?.defaultValue == .null)
    #expect(quake.property(named: "felt") == Property(name: "felt", type: .scalar(.int), isOptional: true))
    #expect(quake.property(named: "location")?.type == .embedded("Location"))
    #expect(quake.property(named: "in")?.defaultValue == .int(1))
    let task = try #require(schema.entity(named: "Task"))
    #expect(
      task.properties.map(\.name) == [
        "name", "isComplete", "assignee", "priority", "progressMinutes", "labels", "ratings", "projects",
      ])
    #expect(task.property(named: "assignee")?.type == .scalar(.string))
    #expect(task.property(named: "ratings")?.defaultValue == .list([.int(1), .int(3)]))
    #expect(task.property(named: "projects")?.type == .linkingObjects(entity: "Project", property: "tasks"))
    let project = try #require(schema.entity(named: "Project"))
    #expect(project.property(named: "tasks")?.deleteRule == .cascade)
    #expect(project.property(named: "lead") == Property(name: "lead", type: .link("Task"), isOptional: true))
    #expect(project.property(named: "counts")?.type == .dictionary(.int))
    #expect(project.property(named: "visits")?.type == .embeddedList("Location"))
  }

  @Test(
    arguments: [
      ("Bool = true", .bool(true)), ("Int8 = -128", .int(-128)), ("Int = -9223372036854775808", .int(.min)),
      ("Int = 9_223_372_036_854_775_807", .int(.max)), ("Int = 0x1F", .int(31)), ("Double = 5", .double(5)),
      ("Double = -1.5e-3", .double(-0.0015)), ("Double = .infinity", .double(.infinity)),
      ("Double = -.infinity", .double(-.infinity)), ("Float = 0.1", .float(0.1)),
      (#"String = "a\"\\\u{e9}\n""#, .string("a\"\\é\n")), ("String? = nil", .null),
      ("Date = Date(timeIntervalSinceReferenceDate: -5.5)", .date(Instant(seconds: -5.5))),
      ("Date = Date(timeIntervalSince1970: 0)", .date(Instant(seconds: -978_307_200))),
      (
        #"UUID = UUID(uuidString: "00000000-0000-0001-8000-00000000000f")!"#,
        .uuid(UUIDBytes(high: 1, low: 0x8000_0000_0000_000F))
      ),
      ("Data = Data([0, 255])", .data([0, 255])), ("[Double] = [1, 2.5]", .list([.double(1), .double(2.5)])),
      ("[Int] = []", .list([])), (#"Set<String> = ["b", "a", "b"]"#, .list([.string("a"), .string("b")])),
      ("[String: Int] = [:]", .embedded([])), ("[Int]? = nil", .null), ("Set<Int>? = []", .list([])),
      (
        #"[String: Double] = ["b": 1, "a": -2.5,]"#,
        .embedded([EmbeddedField(name: "a", value: .double(-2.5)), EmbeddedField(name: "b", value: .double(1))])
      ),
    ] as [(String, Value)])
  func readsDefaults(declaration: String, value: Value) throws {
    let schema = try SchemaText.parse("@Model struct A { var x: \(declaration) }")
    #expect(schema.entities.first?.properties.first?.defaultValue == value)
  }

  @Test(
    arguments: [
      ("= 5", .scalar(.int)), ("= 5.0", .scalar(.double)), ("= \"\"", .scalar(.string)), ("= false", .scalar(.bool)),
      ("= Date()", .scalar(.date)), ("= UUID()", .scalar(.uuid)), ("= [1, 2.5]", .array(.double)),
      (#"= ["a": 1]"#, .dictionary(.int)),
    ] as [(String, PropertyType)])
  func infersTypes(declaration: String, type: PropertyType) throws {
    let schema = try SchemaText.parse("@Model struct A { var x \(declaration) }")
    #expect(schema.entities.first?.properties.first?.type == type)
  }

  @Test func indexesOfEveryKind() throws {
    let text = #"""
      @Model struct Point {
        var longitude: Double
        var latitude: Double
      }

      @Model struct Place {
        #Index<Place>(.trigram([\.name]), .geo([\.point]), [\.point.latitude, \.name])
        #Unique<Place>([\.name, \.code])

        @Attribute(.fullText, .folded, originalName: "title") var name: String
        @Attribute(.indexed) var code: Int
        var point: Point
      }

      """#
    let schema = try SchemaText.parse(text)
    #expect(
      schema.entities.first?.indexes == [
        Index(kind: .fullText, paths: ["name"]), Index(kind: .folded, paths: ["name"]), Index(paths: ["code"]),
        Index(kind: .trigram, paths: ["name"]), Index(kind: .geo, paths: ["point"]),
        Index(paths: ["point.latitude", "name"]), Index(kind: .unique, paths: ["name", "code"]),
      ])
    #expect(SchemaText.print(schema) == text)
  }

  @Test func rolesCanBeSaid() throws {
    let schema = try SchemaText.parse(
      "@Model(.entity) struct A { var x = 1 } @Model struct B { var a: A } @Model(.embedded) struct C { var y = 2 }")
    #expect(schema.entities.map(\.name) == ["A", "B"])
    #expect(schema.embedded.map(\.name) == ["C"])
    #expect(try SchemaText.parse(SchemaText.print(schema)).embedded == schema.embedded)
  }

  @Test func nothingIsASchemaToo() throws {
    #expect(try SchemaText.parse("// nothing\nimport ObjectStore\n") == Schema())
    #expect(SchemaText.print(Schema()) == "")
  }
}
