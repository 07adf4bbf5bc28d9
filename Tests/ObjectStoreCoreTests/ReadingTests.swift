import Foundation
import ObjectStoreCore
import SortDescriptors
import Testing

@Suite struct ReadingTests {
  let store: Store
  var quakes: Results<Quake> { store.objects(Quake.self) }

  init() throws { store = try Quake.store() }

  @Test func filters() throws {
    let strong = try quakes.filter("magnitude > 5")
    #expect(try strong.count == 2)
    #expect(try strong.values(of: \.code) == ["us1", "us4"])
    #expect(try strong.filter("place.name CONTAINS[c] %@", "alaska").objects().map(\.code) == ["us4"])
    #expect(try quakes.filter("magnitude > $min AND felt == $felt", ["min": 2, "felt": 3]).count == 2)
    #expect(try quakes.filter("felt == %@", nil).count == 2)
    #expect(try quakes.filter("code IN %@", ["us1", "nc5", "zz"]).count == 2)
    #expect(try quakes.filter("code IN %@", Set(["us1", "nc5"])).count == 2)
    #expect(try quakes.filter("magnitude BETWEEN %@", 2.5...5.1).count == 3)
    #expect(try quakes.filter("magnitude BETWEEN %@", 2.5..<5.1).count == 2)
    #expect(try quakes.filter("felt BETWEEN %@", 3..<60).count == 2)
    #expect(try quakes.filter("time >= %@", Date(timeIntervalSinceReferenceDate: 400)).count == 2)
    #expect(try quakes.filter("origin == nil").count == 3)
    #expect(try quakes.filter("origin.name == 'Napa'").first?.code == "nc5")
    #expect(try quakes.filter("magnitude > 2 SORT(magnitude DESC) LIMIT(2)").values(of: \.code) == ["us1", "us4"])
  }

  @Test func sorts() throws {
    #expect(try quakes.sorted(by: \.time).values(of: \.code) == ["ak2", "us4", "ci3", "us1", "nc5"])
    #expect(try quakes.sorted(by: \.time, .reverse).first?.code == "nc5")
    #expect(try quakes.sorted(by: \.magnitude).values(of: \.code) == ["ak2", "ci3", "nc5", "us4", "us1"])
    #expect(try quakes.sorted(by: \.place.name).first?.place.name == "Alaska")
    #expect(try quakes.sorted(by: \.origin?.name, .reverse).first?.code == "nc5")
    #expect(
      try quakes.sorted(by: [SortDescriptor(\.magnitude, order: .reverse), SortDescriptor(\.time, order: .reverse)])
        .values(of: \.code) == ["us1", "us4", "nc5", "ci3", "ak2"])
    #expect(
      try quakes.sorted(by: "magnitude DESC, time DESC").values(of: \.code) == ["us1", "us4", "nc5", "ci3", "ak2"])
  }

  @Test func sortsForPeople() throws {
    let store = try Store.inMemory(Quake.self)
    let codes = ["us 10", "US 9", "ÚS 9", "ak 1", "us 9", "AK 2"]
    try store.write { tx in _ = try tx.add(codes.map { Quake($0, 1) }) }
    let all = store.objects(Quake.self)
    let order = ["ak 1", "AK 2", "US 9", "ÚS 9", "us 9", "us 10"]
    let options: SortOptions = [.caseInsensitive, .diacriticInsensitive, .numeric]
    #expect(try all.sorted(by: \.code, options: options).values(of: \.code) == order)
    #expect(try all.sorted(by: "code[cd numeric]").values(of: \.code) == order)
    #expect(
      try all.sorted(by: \.code, order: .reverse, options: options).values(of: \.code)
        == ["us 10", "US 9", "ÚS 9", "us 9", "AK 2", "ak 1"])
    let text = all.sorted(by: \.code, order: .reverse, options: [.numeric, .caseInsensitive]).predicateFormat
    #expect(text == "TRUEPREDICATE SORT(code[c numeric] DESC)" || text == "SORT(code[c numeric] DESC)")
    #expect(try all.filter(text).values(of: \.code) == ["ÚS 9", "us 10", "US 9", "us 9", "AK 2", "ak 1"])
    #expect(throws: QueryError.self) { try all.sorted(by: \.magnitude, options: .numeric).count }
    #expect(
      try all.sorted(by: [SortDescriptor(\.magnitude)]).sorted(by: \.code, options: options).first?.code == "ak 1")
  }

  @Test func textIsComparedLexically() throws {
    let lexical = SortDescriptor(\Quake.code, comparator: .lexical, order: .reverse)
    #expect(try quakes.sorted(by: [lexical]).values(of: \.code) == ["us4", "us1", "nc5", "ci3", "ak2"])
    // Foundation here knows no other comparator, not even of another system's JSON. Once it does, descriptors with it
    // must not be taken for lexical ones.
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        String.StandardComparator.self, from: Data(#"{"options": 0, "isLocalized": true, "order": true}"#.utf8))
    }
  }

  @Test func windows() throws {
    let sorted = quakes.sorted(by: \.time)
    #expect(try sorted.limit(2).values(of: \.code) == ["ak2", "us4"])
    #expect(try sorted.offset(3).values(of: \.code) == ["us1", "nc5"])
    #expect(try sorted.limit(2).offset(1).values(of: \.code) == ["us4", "ci3"])
    #expect(try sorted.offset(1).limit(2).limit(1).values(of: \.code) == ["us4"])
    #expect(try sorted.limit(-1).count == 0)
    #expect(try sorted.offset(.max).offset(.max).isEmpty)
  }

  @Test func thinsOut() throws {
    #expect(try quakes.distinct(by: \.place.name).values(of: \.code) == ["us1", "ak2", "ci3"])
    #expect(try quakes.distinct(by: "magnitude").count == 4)
    #expect(try quakes.distinct(by: "magnitude, code").count == 5)
  }

  @Test func positions() throws {
    #expect(try quakes.first?.code == "us1")
    #expect(try quakes.last?.code == "nc5")
    #expect(try quakes[3].code == "us4")
    #expect(throws: IndexOutOfRange(index: 5, count: 5)) { try quakes[5] }
    #expect(throws: IndexOutOfRange(index: -1, count: 5)) { try quakes[-1] }
    #expect(try quakes.filter("FALSEPREDICATE").first == nil)
    #expect(try quakes.filter("FALSEPREDICATE").isEmpty)
    #expect(try !quakes.isEmpty)
  }

  /// Places among all objects are those among the objects that were found, whatever was deleted before them.
  @Test func placesAmongAll() throws {
    let store = try Store.inMemory(
      schema: Schema(entities: [
        Entity(name: "Thing", properties: [Property(name: "x", type: .scalar(.int))])
      ]))
    func expectPlaces() throws {
      let all = try store.objects("Thing")
      let expected = try store.objects("Thing").filter("x >= 0").objects().map { $0["x"] }
      #expect(try all.count == expected.count)
      for place in expected.indices { #expect(try all[place]["x"] == expected[place]) }
      #expect(try all.last?["x"] == expected.last)
      #expect(throws: IndexOutOfRange(index: expected.count, count: expected.count)) { try all[expected.count] }
      #expect(throws: IndexOutOfRange(index: -1, count: expected.count)) { try all[-1] }
      try store.snapshot { snapshot in
        let all = try snapshot.objects("Thing")
        for place in expected.indices.reversed() { #expect(try all[place]["x"] == expected[place]) }
      }
    }
    try expectPlaces()
    try store.write { tx in
      let inserter = try tx.inserter(for: "Thing")
      for x in 0..<1500 { _ = try inserter.append([.int(Int64(x))]) }
    }
    try expectPlaces()
    // The second cluster goes, all but the last object of the fourth, and some of the others.
    for filter in ["x BETWEEN {256, 511}", "x BETWEEN {768, 1022}", "modulus:by:(x, 7) == 3 OR x > 1490"] {
      try store.write { tx in _ = try tx.delete(try tx.objects("Thing").filter(filter)) }
      try expectPlaces()
    }
    try store.write { tx in
      _ = try tx.delete(try tx.objects("Thing").limit(1))
      #expect(try tx.objects("Thing")[0]["x"] == .int(1))
      #expect(try tx.objects("Thing").last?["x"] == .int(1490))
    }
    try store.write { tx in _ = try tx.delete(try tx.objects("Thing")) }
    try expectPlaces()
  }

  @Test func values() throws {
    #expect(try quakes.values(of: \.felt) == [60, nil, 3, nil, 3])
    #expect(try quakes.values(of: \.place).map(\.latitude) == [24.1, 61, 34, 60, 38])
    #expect(try quakes.values(of: \.origin).map { $0?.name } == [nil, "Anchorage", nil, nil, "Napa"])
    #expect(try quakes.values(of: \.origin?.name) == [nil, "Anchorage", nil, nil, "Napa"])
    #expect(try quakes.values(of: \.place.name).last == "California")
  }

  @Test func aggregates() throws {
    #expect(try quakes.max(of: \.magnitude) == 6.4)
    #expect(try quakes.min(of: \.magnitude) == 1.5)
    #expect(try quakes.max(of: \.felt) == 60)
    #expect(try quakes.min(of: \.code) == "ak2")
    #expect(try quakes.max(of: \.time) == Date(timeIntervalSinceReferenceDate: 500))
    #expect(try quakes.sum(of: \.felt) == 66)
    #expect(try quakes.sum(of: \.magnitude) == 18)
    #expect(try quakes.average(of: \.magnitude) == 3.6)
    #expect(try quakes.average(of: \.felt) == 22)
    let none = try quakes.filter("magnitude > 9")
    #expect(try none.max(of: \.magnitude) == nil)
    #expect(try none.average(of: \.magnitude) == nil)
    #expect(try none.sum(of: \.felt) == 0)
  }

  /// The nearest Double to the exact sum, which adding one after the other is not: 0.9999999999999999, or 0.
  @Test(
    arguments: [
      (Array(repeating: 0.1, count: 10), 1.0), ([1e16, 1, -1e16], 1), ([1e308, 1e308, -1e308], 1e308),
      ([-0.0, -0.0], 0),
    ] as [([Double], Double)])
  func totalsAreExact(magnitudes: [Double], sum: Double) throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add(magnitudes.enumerated().map { Quake("q\($0.offset)", $0.element, felt: 1) })
    }
    let average = sum / Double(magnitudes.count)
    for quakes in [store.objects(Quake.self), try store.objects(Quake.self).filter("felt == 1")] {
      #expect(try quakes.sum(of: \.magnitude).bitPattern == sum.bitPattern)
      #expect(try quakes.average(of: \.magnitude)?.bitPattern == average.bitPattern)
      let groups = try quakes.grouped(by: \.felt).select {
        [$0.sum(of: \.magnitude)?.bitPattern, $0.average(of: \.magnitude)?.bitPattern]
      }
      #expect(groups == [[sum.bitPattern, average.bitPattern]])
    }
  }

  @Test func walks() throws {
    var codes: [String] = []
    try quakes.sorted(by: \.time).forEach { codes.append($0.code) }
    #expect(codes == ["ak2", "us4", "ci3", "us1", "nc5"])
  }

  @Test func whatIsFoundIsKeptForItsVersion() throws {
    let strong = try quakes.filter("magnitude > 5")
    let found = try strong.ids
    #expect(try strong.ids == found)
    try store.write { tx in _ = try tx.add(Quake("new", 8)) }
    #expect(try strong.count == 3)
    #expect(try strong.last?.code == "new")
    #expect(try strong[2].magnitude == 8)
  }

  @Test func wrongTextIsRefusedWhereItIsGiven() throws {
    let error = #expect(throws: QueryError.self) { try quakes.filter("magnitud > 5") }
    #expect(error?.code == "unknown-property")
    #expect(error?.range == SourceRange(0, 8))
    #expect(throws: QueryError.self) { try quakes.filter("magnitude > ") }
    #expect(throws: QueryError.self) { try quakes.filter("magnitude > 'five'") }
    #expect(throws: QueryError.self) { try quakes.filter("magnitude > %@") }
    #expect(throws: QueryError.self) { try quakes.filter("magnitude > %@", 5, 6) }
    #expect(throws: QueryError.self) { try quakes.sorted(by: "depth") }
    #expect(throws: QueryError.self) { try quakes.sorted(by: "time) LIMIT(1") }
    #expect(throws: QueryError.self) { try quakes.distinct(by: "depth") }
    #expect(throws: QueryError.self) { try quakes.sorted(by: \.code.count).count }
  }

  @Test func wordsAndPlans() throws {
    let strong = try quakes.filter("magnitude > %@", 5).sorted(by: \.time, .reverse).limit(3)
    #expect(strong.predicateFormat == "magnitude > 5 SORT(time DESC) LIMIT(3)")
    #expect(strong.description == "Quake WHERE magnitude > 5 SORT(time DESC) LIMIT(3)")
    #expect(try !strong.explain().text.isEmpty)
    #expect(try strong.analyze().text.contains("actual"))
    #expect(try strong.explain().json.hasPrefix("{"))
  }

  @Test func cancels() throws {
    let cancellation = Cancellation()
    let all = quakes.cancellable(by: cancellation).sorted(by: \.magnitude)
    #expect(try all.count == 5)
    cancellation.cancel()
    #expect(throws: QueryCancelled.self) { try all.filter("magnitude * 2 > 3").ids }
    // Nor is an object found by its place, by a way around it.
    let each = quakes.cancellable(by: cancellation)
    #expect(throws: QueryCancelled.self) { try each.first }
    #expect(throws: QueryCancelled.self) { try each[0] }
    #expect(throws: QueryCancelled.self) { try each.last }
  }

  @Test func aDeadlinePasses() async throws {
    let cancellation = Cancellation(after: .milliseconds(1))
    try await _Concurrency.Task.sleep(for: .milliseconds(5))
    #expect(cancellation.isCancelled)
    #expect(!Cancellation(after: .seconds(3600)).isCancelled)
  }

  @Test func manyObjectsInAnyOrder() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      for number in 0..<3000 {
        let felt = number.isMultiple(of: 7) ? number : nil
        try tx.add(Quake("q\(number)", Double(number * 7919 % 3000), in: Place("p\(number % 5)"), felt: felt))
      }
      // Leaves holes in clusters.
      for number in stride(from: 1, through: 3000, by: 3) {
        try tx.delete(ObjectID<Quake>(ObjectNumber(UInt64(number))))
      }
    }
    let sorted = store.objects(Quake.self).sorted(by: \.magnitude)
    let read = try sorted.objects()
    #expect(read.count == 2000)
    #expect(read.map(\.magnitude) == read.map(\.magnitude).sorted())
    for quake in read {
      let number = try #require(Int(quake.code.dropFirst()))
      #expect(quake.magnitude == Double(number * 7919 % 3000))
      #expect(quake.place.name == "p\(number % 5)")
      #expect(quake.felt == (number.isMultiple(of: 7) ? number : nil))
      #expect(quake.objectID == ObjectID(ObjectNumber(UInt64(number + 1))))
    }
    #expect(try sorted.values(of: \.felt) == read.map(\.felt))
    #expect(try sorted[1234] == read[1234])
  }

  @Test func theDefaultStore() throws {
    Store.default = store
    defer { Store.default = nil }
    #expect(try Store.objects(Quake.self).filter("magnitude > 5").count == 2)
    #expect(try Store.objects("Quake").count == 5)
    Store.default = nil
    #expect(throws: StoreError.self) { try Store.objects(Quake.self) }
  }
}
