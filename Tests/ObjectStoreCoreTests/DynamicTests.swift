import Foundation
import ObjectStoreCore
import Testing

@Suite struct DynamicTests {
  let store: Store
  var quakes: DynamicResults { get throws { try store.objects("Quake") } }

  init() throws { store = try Quake.store() }

  @Test func objectsHaveTheirPropertiesInOrder() throws {
    let quake = try #require(try quakes.filter("code == %@", "ak2").first)
    #expect(quake.entity == "Quake")
    #expect(quake.id == ObjectNumber(2))
    #expect(quake.properties.map(\.name) == ["code", "magnitude", "time", "place", "origin", "felt"])
    #expect(quake["magnitude"] == .double(1.5))
    #expect(quake["place.name"] == .string("Alaska"))
    #expect(quake["felt"] == .null)
    #expect(quake["nothing"] == .null)
    #expect("\(quake)".hasPrefix("Quake@2(code: \"ak2\", magnitude: 1.5, time: "), "\(quake)")
    #expect(
      quake["place"]
        == .embedded([
          EmbeddedField(name: "name", value: .string("Alaska")),
          EmbeddedField(name: "longitude", value: .double(-150)), EmbeddedField(name: "latitude", value: .double(61)),
        ]))
    #expect(try quakes.first?["origin"] == .null)
    #expect(throws: StoreError.unknownProperty(entity: "Quake", path: "magnitud", suggestion: "magnitude")) {
      try quake.value(at: "magnitud")
    }
  }

  @Test func rows() throws {
    #expect(try quakes.limit(2).rows(["felt", "code"]) == [[.int(60), .string("us1")], [.null, .string("ak2")]])
    #expect(try quakes.limit(1).rows(["place", "origin"])[0][1] == .null)
    #expect(try quakes.limit(1).rows(["code", "code"]) == [[.string("us1"), .string("us1")]])
    #expect(throws: StoreError.self) { try quakes.rows(["nothing"]) }
    var count = 0
    try quakes.forEachRow(["code"]) { _ in count += 1 }
    #expect(count == 5)
  }

  @Test func refines() throws {
    let strong = try quakes.filter("magnitude > $m", ["m": 2]).sorted(by: "magnitude", ascending: false).limit(2)
    #expect(try strong.rows(["code"]) == [[.string("us1")], [.string("us4")]])
    #expect(try quakes.distinct(by: "felt").count == 3)
    #expect(try quakes.max(of: "magnitude") == .double(6.4))
    #expect(try quakes.average(of: "felt") == 22)
    #expect(throws: StoreError.self) { try quakes.sum(of: "place") }
    #expect(try quakes[4]["code"] == .string("nc5"))
    #expect(throws: IndexOutOfRange.self) { try quakes[9] }
    #expect(throws: QueryError.self) { try store.objects("Quak") }
  }

  @Test func insertsRows() throws {
    try store.write { tx in
      let rows = try tx.inserter(for: "Quake", upsertKey: "code")
      #expect(rows.columns.map(\.path).prefix(4) == ["code", "magnitude", "time", "place.name"])
      var row: [Value] = [
        .string("new"), .int(4), .date(Instant(seconds: 1)), .string("Fiji"), .double(178), .double(-18), .null, .null,
        .null, .null, .int(7),
      ]
      #expect(try rows.append(row) == ObjectNumber(6))
      row[0] = .string("us1")
      #expect(try rows.append(row) == ObjectNumber(1))
      row[1] = .string("strong")
      #expect(throws: StoreError.self) { try rows.append(row) }
      row[1] = .null
      #expect(throws: StoreError.missingValue(entity: "Quake", path: "magnitude")) { try rows.append(row) }
      #expect(throws: StoreError.self) { try rows.append([.null]) }
    }
    let read = try store.objects(Quake.self).objects()
    #expect(read.count == 6)
    #expect(read[0].magnitude == 4)
    #expect(read[5].place.name == "Fiji")
    #expect(throws: StoreError.self) { try store.write { _ = try $0.inserter(for: "Quake", upsertKey: "felt") } }
    #expect(throws: StoreError.self) { try store.write { _ = try $0.inserter(for: "Quak") } }
  }

  @Test func changesAndDeletes() throws {
    try store.write { tx in
      try tx.update(ObjectNumber(1), of: "Quake", ["magnitude": .int(3), "place.name": .string("x")])
      #expect(try tx.delete(ObjectNumber(2), of: "Quake"))
      #expect(try !tx.delete(ObjectNumber(2), of: "Quake"))
      #expect(throws: StoreError.self) { try tx.update(ObjectNumber(1), of: "Quake", ["nothing": .null]) }
      #expect(try tx.delete(tx.objects("Quake").filter("felt == 3")) == 2)
    }
    #expect(
      try quakes.rows(["code", "magnitude"]) == [[.string("us1"), .double(3)], [.string("us4"), .double(5.1)]])
  }
}
