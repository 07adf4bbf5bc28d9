import Diagnostics
import Schema
import Testing
import Values

/// What makes a schema invalid, one case each, for schemas made by code.
struct SchemaValidationTests {
  private static func thing(_ properties: [Property], _ indexes: [Index] = []) -> Schema {
    Schema(entities: [Entity(name: "Thing", properties: properties, indexes: indexes)])
  }

  static let cases: [(Schema, [String])] = [
    (thing([Property(name: "a", type: .scalar(.int))]), []),
    (thing([]), ["no-properties"]),
    (thing([Property(name: "a.b", type: .scalar(.int))]), ["invalid-name"]),
    (thing([Property(name: "", type: .scalar(.int))]), ["invalid-name"]),
    (thing([Property(name: "1", type: .scalar(.int))]), ["invalid-name"]),
    (thing([Property(name: "a", type: .scalar(.int)), Property(name: "a", type: .scalar(.int))]), ["duplicate-name"]),
    (thing([Property(name: "a", type: .embedded("Nothing"))]), ["unknown-type"]),
    (thing([Property(name: "a", type: .link("Nothing"), isOptional: true)]), ["unknown-type"]),
    (thing([Property(name: "a", type: .link("Thing"))]), ["link-not-optional"]),
    (thing([Property(name: "a", type: .array(.int), isOptional: true)]), []),
    (thing([Property(name: "a", type: .embedded("Thing"))]), ["self-embedding"]),
    (thing([Property(name: "a", type: .linkingObjects(entity: "Thing", property: "b"))]), ["unknown-inverse"]),
    (thing([Property(name: "a", type: .list("Thing"), isOptional: true)]), ["optional-collection"]),
    (
      thing([
        Property(name: "a", type: .list("Thing"), deleteRule: .cascade),
        Property(name: "b", type: .linkingObjects(entity: "Thing", property: "a"), deleteRule: .deny),
      ]), []
    ),
    (
      Schema(entities: [
        Entity(name: "Thing", properties: [Property(name: "a", type: .linkingObjects(entity: "Other", property: "b"))]),
        Entity(name: "Other", properties: [Property(name: "b", type: .link("Other"), isOptional: true)]),
      ]), ["unknown-inverse"]
    ),
    (
      Schema(
        entities: [
          Entity(
            name: "Thing",
            properties: [
              Property(name: "p", type: .embedded("Part")),
              Property(name: "back", type: .linkingObjects(entity: "Thing", property: "p.b")),
            ], indexes: [Index(paths: ["p.b"])])
        ], embedded: [Entity(name: "Part", properties: [Property(name: "b", type: .link("Thing"), isOptional: true)])]),
      []
    ),
    (
      Schema(
        entities: [Entity(name: "Thing", properties: [Property(name: "p", type: .embeddedList("Part"))])],
        embedded: [Entity(name: "Part", properties: [Property(name: "b", type: .link("Thing"), isOptional: true)])]),
      ["link-in-embedded"]
    ),
    (
      Schema(
        entities: [
          Entity(
            name: "Thing",
            properties: [
              Property(name: "p", type: .embedded("Part")), Property(name: "l", type: .link("Thing"), isOptional: true),
            ])
        ],
        embedded: [
          Entity(name: "Part", properties: [Property(name: "b", type: .linkingObjects(entity: "Thing", property: "l"))])
        ]),
      ["link-in-embedded"]
    ),
    (thing([Property(name: "a", type: .list("Thing"))], [Index(paths: ["a"])]), ["wrong-index"]),
    (
      thing([Property(name: "a", type: .link("Thing"), isOptional: true)], [Index(kind: .inverse, paths: ["a"])]),
      ["wrong-index"]
    ),
    (thing([Property(name: "a", type: .scalar(.int), deleteRule: .deny)]), ["wrong-attribute"]),
    (thing([Property(name: "a", type: .scalar(.int), defaultValue: .string("x"))]), ["wrong-default"]),
    (thing([Property(name: "a", type: .scalar(.int8), defaultValue: .int(128))]), ["wrong-default"]),
    (thing([Property(name: "a", type: .scalar(.int), defaultValue: .null)]), ["wrong-default"]),
    (thing([Property(name: "a", type: .scalar(.int), isOptional: true, defaultValue: .bool(true))]), ["wrong-default"]),
    (
      Schema(
        entities: [
          Entity(name: "Thing", properties: [Property(name: "a", type: .embeddedList("Part"), isOptional: true)])
        ],
        embedded: [Entity(name: "Part", properties: [Property(name: "b", type: .scalar(.int))])]),
      ["optional-collection"]
    ),
    (thing([Property(name: "a", type: .array(.int), defaultValue: .list([.null]))]), ["wrong-default"]),
    (thing([Property(name: "a", type: .dictionary(.int), defaultValue: .list([]))]), ["wrong-default"]),
    (thing([Property(name: "a", type: .dictionary(.int), defaultValue: .embedded([]))]), []),
    (
      thing([
        Property(
          name: "a", type: .dictionary(.int), defaultValue: .embedded([EmbeddedField(name: "k", value: .string("v"))]))
      ]), ["wrong-default"]
    ),
    (thing([Property(name: "a", type: .set(.int))], [Index(paths: ["a"])]), ["wrong-index"]),
    (thing([Property(name: "a", type: .array(.string))], [Index(kind: .fullText, paths: ["a"])]), ["wrong-index"]),
    (
      thing([
        Property(name: "a", type: .scalar(.int), originalNames: ["b"]), Property(name: "b", type: .scalar(.int)),
      ]), ["name-in-use"]
    ),
    (thing([Property(name: "a", type: .scalar(.int))], [Index(paths: [])]), ["empty-index"]),
    (thing([Property(name: "a", type: .scalar(.int))], [Index(paths: ["b"])]), ["unknown-property"]),
    (thing([Property(name: "a", type: .scalar(.int))], [Index(paths: ["a", "a"])]), ["duplicate-name"]),
    (
      thing([Property(name: "a", type: .scalar(.int))], [Index(paths: ["a"]), Index(paths: ["a"])]), ["duplicate-index"]
    ),
    (thing([Property(name: "a", type: .scalar(.int))], [Index(kind: .fullText, paths: ["a"])]), ["wrong-index"]),
    (thing([Property(name: "a", type: .scalar(.int))], [Index(kind: .geo, paths: ["a"])]), ["wrong-index"]),
    (thing([Property(name: "a", type: .array(.int))], [Index(paths: ["a"])]), ["wrong-index"]),
    (
      Schema(entities: [
        Entity(name: "A", properties: [Property(name: "x", type: .scalar(.int))]),
        Entity(name: "A", properties: [Property(name: "x", type: .scalar(.int))]),
      ]), ["duplicate-name"]
    ),
    (
      Schema(entities: [Entity(name: "Date", properties: [Property(name: "x", type: .scalar(.int))])]),
      ["reserved-name"]
    ),
  ]

  @Test(arguments: cases.indices)
  func eachProblemHasItsCode(number: Int) {
    let (schema, codes) = Self.cases[number]
    #expect(schema.validate().map(\.code.name) == codes)
  }

  /// Thirty structs that each hold the one before twice would have a thousand million columns.
  @Test func growthIsBounded() {
    var embedded = [Entity(name: "P0", properties: [Property(name: "x", type: .scalar(.int))])]
    for number in 1..<30 {
      embedded.append(
        Entity(
          name: "P\(number)",
          properties: ["a", "b"].map { Property(name: $0, type: .embedded("P\(number - 1)")) }))
    }
    let top = Entity(name: "Top", properties: [Property(name: "p", type: .embedded("P29"))])
    #expect(Schema(entities: [top], embedded: embedded).validate().map(\.code.name) == ["too-many-columns"])
    for number in 30..<10_000 {
      embedded.append(Entity(name: "P\(number)", properties: [Property(name: "a", type: .embedded("P\(number - 1)"))]))
    }
    let deep = Entity(name: "Deep", properties: [Property(name: "p", type: .embedded("P9999"))])
    #expect(Schema(entities: [deep], embedded: embedded).validate().map(\.code.name) == ["nesting-too-deep"])
  }
}
