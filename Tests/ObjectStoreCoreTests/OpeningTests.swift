import Foundation
import ObjectStoreCore
import Testing

@Suite struct OpeningTests {
  @Test func modes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    #expect(throws: StoreError.notFound(path: path)) { try Store.openDynamic(path, mode: .readWrite) }
    #expect(throws: StoreError.notFound(path: path)) { try Store.openDynamic(path, mode: .readOnly) }
    do {
      let store = try Store(path, models: Quake.self)
      try store.write { tx in _ = try tx.add(Quake.five) }
    }
    let store = try Store.openDynamic(path, mode: .readWrite)
    #expect(try store.schema.entities.map(\.name) == ["Quake"])
    #expect(try store.objects("Quake").count == 5)
    #expect(try Store(folder.url.appendingPathComponent("store"), models: Quake.self).objects(Quake.self).count == 5)
  }

  @Test func aReadOnlyStoreRefusesWrites() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    try { try Store(path, models: Quake.self).write { tx in _ = try tx.add(Quake.five) } }()
    let store = try Store.openDynamic(path, mode: .readOnly)
    #expect(try store.objects("Quake").count == 5)
    #expect(throws: StoreError.readOnly(path: path)) {
      try store.write { tx in _ = try tx.delete(ObjectNumber(1), of: "Quake") }
    }
  }

  @Test func columnsAModelDoesNotKnowKeepTheirValues() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in _ = try tx.add(Quake.five) }
    var schema = try store.schema
    schema.entities[0].properties.insert(
      Property(name: "net", type: .scalar(.string), defaultValue: .string("??")), at: 0)
    try store.declare(schema)
    try store.write { tx in
      try tx.update(ObjectNumber(1), of: "Quake", ["net": .string("us")])
      try tx.update(ObjectID<Quake>(ObjectNumber(1))) { $0.felt = 100 }
      try tx.upsert(Quake("ak2", 9))
      try tx.add(Quake("new", 1))
    }
    #expect(
      try store.objects("Quake").rows(["net", "felt"]).map { $0[0] }
        == ["us", "??", "??", "??", "??", "??"].map { .string($0) })
    #expect(try store.objects(Quake.self).first?.felt == 100)
    #expect(try store.objects(Quake.self)[1].magnitude == 9)
  }

  @Test func anotherTypeNeedsAMigration() throws {
    let property = Property(name: "code", type: .scalar(.int))
    let store = try Store.inMemory(schema: Schema(entities: [Entity(name: "Quake", properties: [property])]))
    let error = #expect(throws: StoreError.self) {
      try store.write { tx in _ = try tx.add(Quake("x", 1)) }
    }
    guard case .migrationNeeded(let changes)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(changes == ["Quake.code is Int in the file and String in the model"])
  }

  @Test func aPropertyTheFileLacksIsNotLostSilently() throws {
    let code = Property(name: "code", type: .scalar(.string))
    let store = try Store.inMemory(schema: Schema(entities: [Entity(name: "Quake", properties: [code])]))
    #expect(throws: StoreError.unknownProperty(entity: "Quake", path: "magnitude", suggestion: nil)) {
      try store.write { tx in _ = try tx.add(Quake("x", 1)) }
    }
  }

  @Test func aSchemaThatMakesNoSenseIsRefused() {
    let twice = Property(name: "a", type: .scalar(.int))
    #expect(throws: StoreError.self) {
      try Store.inMemory(schema: Schema(entities: [Entity(name: "E", properties: [twice, twice])]))
    }
  }

  @Test func indexesThatAreNotBuiltYetAreLeftOut() throws {
    let name = Property(name: "name", type: .scalar(.string))
    let indexes = [Index(kind: .fullText, paths: ["name"]), Index(kind: .unique, paths: ["name"])]
    let store = try Store.inMemory(schema: Schema(entities: [Entity(name: "E", properties: [name], indexes: indexes)]))
    #expect(store.notes.count == 1 && store.notes[0].contains("'.fullText'"))
    #expect(try store.schema.entities[0].indexes.map(\.kind) == [.unique])
    // One over what is no place is said to be a mistake, and the store works without it.
    let geo = Entity(name: "E", properties: [name], indexes: [Index(kind: .geo, paths: ["name"])])
    let notes = try Store.inMemory(schema: Schema(entities: [geo])).notes
    #expect(
      notes == [
        "E.name: this '.geo' has no effect: it is over a struct with the Doubles 'longitude' and 'latitude', which 'name' is not"
      ])
  }

  @Test func checkAndStatistics() throws {
    let store = try Quake.store()
    let report = try store.check()
    #expect(report.isWhole)
    #expect(report.objects == 5)
    #expect(report.indexes == 2)
    let statistics = try store.statistics()
    #expect(statistics.entities.map(\.name) == ["Quake"])
    #expect(statistics.entities[0].objects == 5)
    #expect(statistics.indexes.map(\.index.name) == ["code", "magnitude+time"])
    #expect(statistics.indexes[0].entries == 5)
    #expect(statistics.fileBytes > 0)
  }
}
