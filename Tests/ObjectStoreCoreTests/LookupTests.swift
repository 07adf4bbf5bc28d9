import Foundation
import PredicateLanguage
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// What `@Model` writes, by hand: a model with unique properties of every type that is looked up directly, and one that
/// is not.
private struct Badge: Model {
  var key: UUID
  var number: Int?
  var small: Int8
  var moment: Date
  var owner: Place
  private var _objectID = ObjectIdentity<Badge>()

  init(_ number: Int?, small: Int8, moment: Double, owner: String) {
    key = Self.key(number ?? -1)
    self.number = number
    self.small = small
    self.moment = Date(timeIntervalSinceReferenceDate: moment)
    self.owner = Place(owner)
  }

  static func key(_ number: Int) -> UUID { UUID(UUIDBytes(high: 7, low: UInt64(bitPattern: Int64(number)))) }

  static let modelDefinition = ModelDefinition(of: Badge.self, name: "Badge") { model in
    model.property("key", \Badge.key, \Badge?.?.key, indexes: [.unique])
    model.property("number", \Badge.number, \Badge?.?.number, indexes: [.unique])
    model.property("small", \Badge.small, \Badge?.?.small, indexes: [.unique])
    model.property("moment", \Badge.moment, \Badge?.?.moment, indexes: [.unique])
    model.property("owner", \Badge.owner, \Badge?.?.owner)
    model.index(.unique, [\.owner.name])
  }

  var objectID: ObjectID<Badge>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Badge> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    key = try row.next()
    number = try row.next()
    small = try row.next()
    moment = try row.next()
    owner = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    key.encode(into: &row)
    number.encode(into: &row)
    small.encode(into: &row)
    moment.encode(into: &row)
    owner.encode(into: &row)
  }
}

/// One object by the value of a unique property, with a query and without one.
@Suite struct LookupTests {
  @Test func everyTypeIsLookedUp() throws {
    let store = try Store.inMemory(Badge.self)
    try store.write { tx in
      for number in 0..<100 {
        try tx.add(
          Badge(number == 50 ? nil : number, small: Int8(number - 50), moment: Double(number), owner: "o\(number)"))
      }
    }
    let seven = try #require(try store.object(Badge.self, where: \.key, is: Badge.key(7)))
    #expect(seven.number == 7 && seven.objectID == ObjectID(ObjectNumber(8)))
    #expect(try store.object(Badge.self, where: \.number, is: 7) == seven)
    #expect(try store.object(Badge.self, where: \.small, is: -43) == seven)
    #expect(try store.object(Badge.self, where: \.moment, is: Date(timeIntervalSinceReferenceDate: 7)) == seven)
    #expect(try store.object(Badge.self, where: \.owner.name, is: "o7") == seven)
    #expect(try store.object(Badge.self, where: \.number, is: 50) == nil)
    #expect(try store.object(Badge.self, where: \.small, is: 99) == nil)
    #expect(try store.object(Badge.self, where: \.owner.name, is: "") == nil)
    try store.snapshot { snapshot throws in
      #expect(try snapshot.object(Badge.self, where: \.number, is: 7) == seven)
      #expect(try snapshot.value(of: \Badge.small, where: \.key, is: Badge.key(9)) == -41)
      #expect(try snapshot.value(of: \Badge.owner, where: \.key, is: Badge.key(9)) == Place("o9"))
      #expect(try snapshot.value(of: \Badge.number, where: \.owner.name, is: "o50") == .some(nil))
      #expect(try snapshot.value(of: \Badge.number, where: \.owner.name, is: "nobody") == nil)
    }
    for (filter, argument) in [
      ("number == %@", 7 as any QueryArgument), ("small == %@", -43), ("owner.name == %@", "o7"),
    ] {
      for _ in 0..<2 { #expect(try store.objects(Badge.self).filter(filter, argument).first == seven) }
    }
    #expect(try store.objects(Badge.self).filter("small == %@", 1_000).count == 0)
    #expect(try store.objects(Badge.self).filter("number == %@", nil).first?.owner.name == "o50")
  }

  @Test func whatIsNotUniqueIsRefused() throws {
    let store = try Quake.store()
    #expect(throws: StoreError.self) { try store.object(Quake.self, where: \.magnitude, is: 2.5) }
    #expect(throws: StoreError.self) { try store.object(Quake.self, where: \.felt, is: 3) }
    #expect(throws: QueryError.self) { try store.object(Quake.self, where: \.code.count, is: 3) }
    #expect(throws: QueryError.self) {
      try store.snapshot { try $0.value(of: \Quake.code.count, where: \.code, is: "us1") }
    }
  }

  @Test func writesAreSeen() throws {
    let store = try Quake.store()
    let find = { try store.object(Quake.self, where: \.code, is: "new")?.magnitude }
    let ask = { try store.objects(Quake.self).filter("code == %@", "new").first?.magnitude }
    for _ in 0..<2 {
      #expect(try find() == nil)
      #expect(try ask() == nil)
    }
    try store.write { tx in
      let id = try tx.add(Quake("new", 1))
      #expect(try tx.object(Quake.self, where: \.code, is: "new")?.magnitude == 1)
      #expect(try tx.objects(Quake.self).filter("code == %@", "new").count == 1)
      #expect(try find() == 1)
      // Until the write ends two may have it, and both are found.
      let other = try tx.add(Quake("other", 2))
      try tx.update(other) { $0.code = "new" }
      #expect(try tx.objects(Quake.self).filter("code == %@", "new").count == 2)
      #expect(try tx.object(Quake.self, where: \.code, is: "new")?.objectID == id)
      try tx.delete(other)
    }
    #expect(try find() == 1)
    #expect(try ask() == 1)
    let results = try store.objects(Quake.self).filter("code == %@", "new")
    #expect(try results.count == 1)
    try store.write { tx in try tx.update(try #require(results.first?.objectID)) { $0.code = "old" } }
    #expect(try find() == nil)
    #expect(try results.count == 0)
    #expect(try results.isEmpty)
  }

  /// However it is asked, the object is that of a dictionary kept beside the store.
  @Test func randomLookupsFindWhatIsThere() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let store = try Store.inMemory(Quake.self)
    var known: [String: ObjectID<Quake>] = [:]
    // Some are too long to be keys as they are, and alike as far as keys go.
    let long = String(repeating: "x", count: 600)
    let codes = (0..<120).map { $0 % 5 == 0 ? "\(long)\($0)" : $0 % 7 == 0 ? "é\0\($0)" : "q\($0)" }
    for round in 0..<12 {
      try store.write { tx in
        for _ in 0..<20 {
          let code = codes[Int.random(in: 0..<codes.count, using: &random)]
          if let id = known[code] {
            if Bool.random(using: &random) {
              try tx.delete(id)
              known[code] = nil
            } else {
              let other = codes[Int.random(in: 0..<codes.count, using: &random)]
              if known[other] != nil { continue }
              try tx.update(id) { $0.code = other }
              known[code] = nil
              known[other] = id
            }
          } else if round > 3 || code.utf8.count < 100 {
            known[code] = try tx.add(Quake(code, Double(round)))
          }
        }
      }
      for code in codes.shuffled(using: &random).prefix(12) {
        let expected = known[code]
        #expect(try store.object(Quake.self, where: \.code, is: code)?.objectID == expected)
        let found = try [
          store.objects(Quake.self).filter("code == %@", code), store.objects(Quake.self).filter("code == $0", code),
          store.objects(Quake.self).filter("code == $code", ["code": code]),
          store.objects(Quake.self).filter("code == \"\(code)\""),
        ]
        for results in found {
          #expect(try results.first?.objectID == expected)
          #expect(try results.ids == [expected].compactMap(\.self))
          #expect(try results.count == (expected == nil ? 0 : 1))
          #expect(try results.isEmpty == (expected == nil))
          #expect(try results.objects().map(\.code) == (expected == nil ? [] : [code]))
          #expect(try results.values(of: \.code) == (expected == nil ? [] : [code]))
          #expect(try results.limit(1).last?.objectID == expected)
          #expect(try results.filter("magnitude >= 0").count == (expected == nil ? 0 : 1))
          #expect(
            try results.predicateFormat
              == store.objects(Quake.self).filter("code == %@ OR code == %@", code, code)
              .predicateFormat.components(separatedBy: " OR ")[0])
        }
        #expect(try store.objects("Quake").filter("code == %@", code).first?.id == expected?.number)
      }
    }
  }

  /// A look-up that was asked with another argument before reads no text and looks up no name.
  @Test(arguments: ["code == %@", "code == $0"]) func anotherArgumentIsOnlyLookedUp(_ filter: String) throws {
    let store = try Quake.store()
    let quakes = store.objects(Quake.self)
    #expect(try quakes.filter(filter, "us1").first?.code == "us1")
    let steps = try StepCounter.count { () throws in
      #expect(try quakes.filter(filter, "nc5").first?.code == "nc5")
      #expect(try quakes.filter(filter, "zz").count == 0)
      #expect(try quakes.filter(filter, "us4").objects().count == 1)
    }
    #expect(steps ?? 0 == 0)
    let named = try quakes.filter("code == $code", ["code": "us1"])
    #expect(try named.count == 1)
    let more = try StepCounter.count { () throws in
      #expect(try quakes.filter("code == $code", ["code": "ci3"]).first?.code == "ci3")
    }
    #expect(more ?? 0 == 0)
  }

  @Test func anIndexThatGoesIsNotUsed() throws {
    let store = try Quake.store()
    let results = try store.objects(Quake.self).filter("code == %@", "us4")
    let again = try store.objects(Quake.self).filter("code == %@", "us4")
    #expect(try results.count == 1)
    var schema = try store.schema
    let quake = try #require(schema.entities.firstIndex { $0.name == "Quake" })
    schema.entities[quake].indexes = []
    try store.declare(schema, removing: ["@unique Quake.code", "@indexed Quake.magnitude+time"])
    #expect(try results.count == 1)
    #expect(try again.first?.code == "us4")
    #expect(try store.objects(Quake.self).filter("code == %@", "us1").count == 1)
    #expect(throws: StoreError.self) { try store.object(Quake.self, where: \.code, is: "us1") }
    schema.entities[quake].properties.removeAll { $0.name == "code" }
    try store.declare(schema, removing: ["Quake.code"])
    #expect(throws: QueryError.self) { try again.count }
  }

  @Test func aCancelledLookUpThrows() throws {
    let store = try Quake.store()
    let cancelled = Cancellation()
    cancelled.cancel()
    for _ in 0..<2 {
      let results = try store.objects(Quake.self).filter("code == %@", "us1").cancellable(by: cancelled)
      #expect(throws: QueryCancelled.self) { try results.ids }
    }
  }
}
