import Foundation
import ObjectStore
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
  }

  @Test func keyPaths() {
    let definition = Quake.modelDefinition
    #expect(definition.path(of: \Quake.code) == "code")
    #expect(definition.path(of: \Quake.location.name) == "location.name")
    #expect(definition.path(of: \Quake.origin?.name) == "origin.name")
    #expect(definition.path(of: \Quake.code.count) == nil)
  }

  @Test func everyTypeWritesOneValueForEachColumn() {
    let value = Everything(small: 2, fixed: 7)
    var row = RowEncoder()
    value.encode(into: &row)
    #expect(row.row.count == Everything.modelDefinition.columns.count)
    #expect(row.row.last == .int(7))
    let property = Everything.modelDefinition.entity.property(named: "moment")
    #expect(property?.originalName == "when")
    #expect(property?.defaultValue == nil)
    #expect(Everything.modelDefinition.entity.property(named: "tiny")?.defaultValue == .int(-1))
    #expect(Everything.modelDefinition.entity.property(named: "in")?.isOptional == true)
  }

  @Test func identityIsLeftOutOfEquality() {
    let a = Location(name: "a", longitude: 1, latitude: 2)
    var b = a
    b.objectID = ObjectID(ObjectNumber(3))
    #expect(a == b)
    #expect(Set([a, b]).count == 1)
    #expect(b.id == ObjectID(ObjectNumber(3)))
  }
}
