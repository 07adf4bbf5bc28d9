import Foundation
import ObjectStore
import Schema
import Testing

@Suite struct ModelTests {
  @Test func definition() {
    let definition = Quake.modelDefinition
    #expect(definition.entity.name == "Quake")
    #expect(
      definition.columns.map(\.path) == [
        "code", "magnitude", "time", "location.name", "location.longitude", "location.latitude", "origin",
        "origin.name", "origin.longitude", "origin.latitude", "felt",
      ])
    #expect(definition.entity.indexes.map(\.name) == ["code", "time", "magnitude+time"])
    #expect(definition.entity.indexes.map(\.kind) == [.unique, .ordered, .ordered])
    #expect(Location.modelDefinition.isEmbedded)
    #expect(!definition.isEmbedded)
  }

  @Test func keyPaths() {
    let definition = Quake.modelDefinition
    #expect(definition.path(of: \Quake.code) == "code")
    #expect(definition.path(of: \Quake.location.name) == "location.name")
    #expect(definition.path(of: \Quake.origin?.name) == "origin.name")
    #expect(definition.path(of: \Quake.code.count) == nil)
    #expect(Everything.modelDefinition.path(of: \Everything.`in`) == "in")
  }

  @Test func everyTypeWritesOneValueForEachColumn() {
    let value = Everything(small: 2, fixed: 7)
    var row = RowEncoder()
    value.encode(into: &row)
    let definition = Everything.modelDefinition
    #expect(row.row.count == definition.columns.count)
    #expect(
      definition.entity.properties.map(\.name) == [
        "flag", "tiny", "small", "medium", "whole", "wide", "single", "number", "text", "moment", "key", "bytes",
        "maybe", "in", "fixed", "list", "words", "dates", "set", "maybeSet", "byName", "sizes", "one", "two", "counted",
      ])
    let moment = definition.entity.property(named: "moment")
    #expect(moment?.originalNames == ["when", "whenever"])
    #expect(moment?.defaultValue == nil)
    #expect(definition.entity.property(named: "tiny")?.defaultValue == .int(-1))
    #expect(definition.entity.property(named: "single")?.defaultValue == .float(0.5))
    #expect(definition.entity.property(named: "in")?.isOptional == true)
    #expect(definition.entity.property(named: "one")?.type == .scalar(.int))
    #expect(definition.entity.property(named: "list")?.defaultValue == .list([.int(3), .int(1)]))
    #expect(definition.entity.property(named: "words")?.type == .array(.string))
    #expect(definition.entity.property(named: "maybeSet")?.isOptional == true)
    #expect(definition.entity.property(named: "byName")?.defaultValue == .embedded([]))
    #expect(definition.entity.property(named: "sizes")?.type == .dictionary(.int))
  }

  @Test func everyTypeIsReadBack() throws {
    let store = try Store.inMemory(Everything.self)
    var value = Everything(
      flag: true, tiny: -128, small: .max, medium: .min, whole: .min, wide: .max, single: .pi, number: -0.0,
      text: "ünï\0", moment: Date(timeIntervalSinceReferenceDate: 0.1), key: UUID(), bytes: Data([0, 255]),
      maybe: false, in: "x", fixed: 3, list: [9], set: ["q", "p"], maybeSet: [], byName: ["k": -0.0], one: 1)
    try store.write { tx in _ = try tx.add([value, Everything(small: 0, fixed: 0)]) }
    let read = try store.objects(Everything.self).objects()
    #expect(read[0] == value)
    #expect(read[1].maybe == nil)
    value.objectID = read[0].objectID
    try store.write { tx in try tx.update(try #require(value.objectID)) { $0.text = "other" } }
    #expect(try store.objects(Everything.self).first?.text == "other")
  }

  @Test func identity() throws {
    let a = Location(name: "a", longitude: 1, latitude: 2)
    var b = a
    b.objectID = ObjectID(ObjectNumber(3))
    #expect(a == b)
    #expect(Set([a, b]).count == 1)
    #expect(b.id == ObjectID(ObjectNumber(3)))
    let station = Station("us", "ANMO")
    let id: UUID = station.id
    #expect(id == station.id)
    #expect(station.title() == "us.ANMO")
  }

  @Test func declaredIndexes() {
    #expect(
      Station.modelDefinition.entity.indexes == [
        Index(kind: .ordered, paths: ["code"]), Index(kind: .unique, paths: ["network", "code"]),
        Index(kind: .ordered, paths: ["network"]),
      ])
    #expect(Namespace.Inner.modelDefinition.entity.name == "Inner")
  }

  @Test func anEmbeddedModelHasNoObjects() {
    #expect(throws: StoreError.self) { try Store.inMemory(Location.self) }
  }

  @Test func theSchemaTextSaysTheSame() throws {
    let schema = Quake.modelDefinition.schema
    #expect(try SchemaText.parse(SchemaText.print(schema)) == schema)
  }
}
