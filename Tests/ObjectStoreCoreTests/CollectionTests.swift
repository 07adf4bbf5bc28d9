import Foundation
import ObjectStoreCore
import Testing

/// Collections of single values in models, dynamic objects and statements.
@Suite struct CollectionTests {
  private func filled() throws -> Store {
    let store = try Store.inMemory(Sample.self)
    try store.write { tx in _ = try tx.add(Sample.three) }
    return store
  }

  @Test func whatIsAddedIsReadBackEqual() throws {
    let store = try filled()
    #expect(try store.objects(Sample.self).objects() == Sample.three)
    #expect(try store.objects(Sample.self).values(of: \.labels) == Sample.three.map(\.labels))
    #expect(try store.objects(Sample.self).values(of: \.flags) == [nil, [true, false, true], []])
    #expect(try store.objects(Sample.self).values(of: \.notes.words) == [[], ["one", "two"], []])
    #expect(try store.check().isWhole)
  }

  @Test func updatesAndUpserts() throws {
    let store = try filled()
    try store.write { tx in
      try tx.update(ObjectID<Sample>(ObjectNumber(2))) {
        $0.counts.append(7)
        $0.labels.remove("z")
        $0.shares["new"] = 2
        $0.keys = nil
        $0.remarks?.words = ["said"]
      }
      var large = Sample("large")
      large.counts = [1]
      try tx.upsert(large)
    }
    let small = try store.objects(Sample.self)[1]
    #expect(small.counts == [3, -1, 3, .max, 7])
    #expect(small.labels == ["", "é", "A"])
    #expect(small.shares == ["": .infinity, "b": 0, "a": 0.1, "new": 2])
    #expect(small.keys == nil && small.remarks?.words == ["said"])
    #expect(try store.objects(Sample.self)[2].counts == [1])
    #expect(try store.check().isWhole)
  }

  @Test func zerosAreKeptWithTheirSign() throws {
    let store = try Quake.store()
    try store.write { tx in try tx.upsert(Quake("ak2", 0)) }
    try store.write { tx in try tx.upsert(Quake("ak2", -0.0)) }
    #expect(try store.objects(Quake.self)[1].magnitude.sign == .minus)
    try store.write { tx in
      let rows = try tx.inserter(for: "Quake", upsertKey: "code")
      var row = try tx.objects("Quake")[1].values
      row[1] = .double(0)
      try rows.append(row)
    }
    #expect(try store.objects(Quake.self)[1].magnitude.sign == .plus)
  }

  @Test func dynamicObjects() throws {
    let store = try filled()
    let small = try store.objects("Sample")[1]
    #expect(small["counts"] == .list([.int(3), .int(-1), .int(3), .int(.max)]))
    #expect(small["labels"] == .list([.string(""), .string("A"), .string("z"), .string("é")]))
    #expect(small["notes.words"] == .list([.string("one"), .string("two")]))
    #expect("\(small)".contains("counts: {3, -1, 3, "))
    #expect(try store.objects("Sample").rows(["code", "flags"])[0] == [.string("empty"), .null])
    try store.write { tx in
      try tx.update(ObjectNumber(1), of: "Sample", ["labels": .list([.string("x"), .string("a"), .string("x")])])
    }
    #expect(try store.objects(Sample.self)[0].labels == ["x", "a"])
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.update(ObjectNumber(1), of: "Sample", ["labels": .list([.int(1)])]) }
    }
  }

  @Test func insertsAndTheirMistakes() throws {
    let store = try filled()
    _ = try store.run(
      #"""
      INSERT Sample {"code": "j", "counts": [1, 2], "labels": ["y", "x", "y"], "shares": {"p": 1, "q": "nan"},
        "moments": ["2018-02-07"], "flags": null, "notes": {"words": ["w"]}}
      """#)
    let new = try #require(try store.objects(Sample.self).filter("code == 'j'").first)
    #expect(
      new.counts == [1, 2] && new.labels == ["x", "y"] && new.shares["p"] == 1 && new.shares["q"]?.isNaN == true)
    #expect(new.moments.count == 1 && new.flags == nil && new.notes.words == ["w"] && new.remarks == nil)
    _ = try store.run(#"INSERT Sample {"code": "k"}"#)
    let bare = try #require(try store.objects(Sample.self).filter("code == 'k'").first)
    #expect(bare.counts == [] && bare.labels == ["a", "b"] && bare.shares == ["k": 0.5] && bare.moments == [])
    let wrong = [
      #"{"code": "a", "counts": 5}"#: "'counts' is of type [Int], which this is not",
      #"{"code": "a", "counts": [1, "x"]}"#: "'counts[1]' is of type Int, which this is not",
      #"{"code": "a", "counts": [null]}"#: "'counts[0]' is of type Int, which this is not",
      #"{"code": "a", "counts": null}"#: "'counts' needs a value",
      #"{"code": "a", "shares": [1]}"#: "'shares' is of type [String: Double], which this is not",
      #"{"code": "a", "shares": {"p": true}}"#: "'shares.p' is of type Double, which this is not",
    ]
    for (object, message) in wrong {
      #expect {
        try store.run("INSERT Sample \(object)")
      } throws: { "\($0)".contains(message) }
    }
  }

  @Test func addedToAStoreThatIsThere() throws {
    let store = try Store.inMemory()
    try store.declare(try SchemaText.parse("@Model struct Thing { var n: Int }"))
    _ = try store.run(#"INSERT Thing {"n": 1}"#)
    try store.declare(
      try SchemaText.parse(
        #"@Model struct Thing { var n: Int; var tags: Set<String> = ["b", "a"], marks: [Int]?, by: [String: Int] = [:] }"#
      ))
    #expect(
      try store.objects("Thing")[0].values == [
        .int(1), .list([.string("a"), .string("b")]), .null, .embedded([]),
      ])
    #expect(throws: (any Error).self) {
      try store.declare(try SchemaText.parse("@Model struct Other { @Attribute(.indexed) var tags: Set<String> }"))
    }
  }
}
