import Foundation
import ObjectStoreCore
import Testing

/// What `@Model` writes for decimal numbers, by hand.
struct Price: Model {
  var name: String
  var amount: Decimal
  var rebate: Decimal?
  var tiers: [Decimal] = []
  var by: [String: Decimal] = [:]
  var codes: Set<Decimal> = []
  private var _objectID = ObjectIdentity<Price>()

  init(_ name: String, _ amount: Decimal, rebate: Decimal? = nil) {
    (self.name, self.amount, self.rebate) = (name, amount, rebate)
  }

  static let modelDefinition = ModelDefinition(of: Price.self, name: "Price") { model in
    model.property("name", \Price.name, \Price?.?.name)
    model.property("amount", \Price.amount, \Price?.?.amount, indexes: [.unique])
    model.property("rebate", \Price.rebate, \Price?.?.rebate)
    model.property("tiers", \Price.tiers, \Price?.?.tiers)
    model.property("by", \Price.by, \Price?.?.by)
    model.property("codes", \Price.codes, \Price?.?.codes)
  }

  var objectID: ObjectID<Price>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    amount = try row.next()
    rebate = try row.next()
    tiers = try row.next()
    by = try row.next()
    codes = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    amount.encode(into: &row)
    rebate.encode(into: &row)
    tiers.encode(into: &row)
    by.encode(into: &row)
    codes.encode(into: &row)
  }
}

@Suite struct DecimalPropertyTests {
  private static func number(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  private func store() throws -> (store: Store, prices: Results<Price>) {
    let store = try Store.inMemory(Price.self)
    var full = Price(
      "full", try Self.number("0.1"), rebate: try Self.number("12345678901234567890123456789.0123456789"))
    full.tiers = [try Self.number("0.3"), 5, .nan]
    full.by = ["a": try Self.number("-0.7")]
    full.codes = [1, 2, try Self.number("1.50")]
    try store.write { tx in
      _ = try tx.add([full, Price("two", 0.2), Price("large", .greatestFiniteMagnitude, rebate: -1)])
    }
    return (store, store.objects(Price.self))
  }

  @Test func comesBackExactly() throws {
    let read = try #require(try store().prices.first)
    #expect(read.amount == (try Self.number("0.10")))
    #expect(read.rebate == (try Self.number("12345678901234567890123456789.0123456789")))
    #expect(try read.tiers.prefix(2) == [Self.number("0.3"), 5])
    #expect(read.tiers[2].isNaN)
    #expect(read.by == ["a": try Self.number("-0.7")])
    #expect(read.codes == [1, 2, try Self.number("1.5")])
    #expect(try store().prices.last?.amount == Decimal.greatestFiniteMagnitude)
    #expect(try store().prices.last?.tiers.isEmpty == true)
  }

  @Test func queriesTakeDecimals() throws {
    let prices = try store().prices
    let tenth = try Self.number("0.1")
    #expect(try prices.filter("amount == %@", tenth).count == 1)
    #expect(try prices.filter("amount == 0.1").count == 1)
    #expect(try prices.filter("amount == %@", 0.1).count == 1)
    #expect(
      try prices.filter("amount + 0 == %@ AND amount + %@ == %@", tenth, tenth, try Self.number("0.2")).count == 1)
    #expect(try prices.filter("amount IN %@", [tenth, 7]).count == 1)
    #expect(try prices.filter("amount BETWEEN %@", tenth...1).count == 2)
    #expect(try prices.filter("ANY tiers == 0.3 AND by['a'] < 0 AND codes CONTAINS 1.5").count == 1)
    #expect(try prices.filter("tiers.@sum > 5.2 AND tiers.@avg == 2.65").count == 1)
    #expect(try prices.filter("rebate == %@", try Self.number("12345678901234567890123456789.0123456789")).count == 1)
    #expect(try prices.sorted(by: \.amount, order: .reverse).values(of: \.name) == ["large", "two", "full"])
    #expect(try prices.where { $0.amount > 0.15 && $0.rebate == nil }.values(of: \.name) == ["two"])
    #expect(try prices.where { $0.amount + $0.amount == 0.4 }.values(of: \.name) == ["two"])
    let small = try prices.filter(try Query(#Predicate<Price> { $0.amount < 1 && $0.amount * 2 > 0.3 }))
    #expect(try small.values(of: \.name) == ["two"])
  }

  @Test func sumsAreExact() throws {
    let prices = try store().prices.filter("amount < 1")
    #expect(try prices.sum(of: \.amount) == (try Self.number("0.3")))
    #expect(try prices.average(of: \.amount) == (try Self.number("0.15")))
    #expect(try prices.max(of: \.amount) == (try Self.number("0.2")))
    #expect(try prices.min(of: \.amount) == (try Self.number("0.1")))
    #expect(try prices.filter("amount > 7").average(of: \.rebate) == nil)
    #expect(try store().prices.sum(of: \.amount) == nil)
    let groups = try prices.grouped(by: \.rebate).select { ($0.key, $0.sum(of: \.amount), $0.average(of: \.amount)) }
    #expect(groups.count == 2 && groups[1].0 == nil)
    #expect(try groups[1].1 == Self.number("0.2"))
  }

  @Test func aUniqueNumberIsOneHoweverItIsWritten() throws {
    let (store, prices) = try store()
    #expect(throws: StoreError.self) { try store.add(Price("again", try Self.number("0.10"))) }
    try store.write { tx in _ = try tx.upsert(Price("changed", try Self.number("0.100"))) }
    #expect(try prices.filter("amount == 0.1").values(of: \.name) == ["changed"])
    #expect(try store.check().problems == [])
  }

  @Test func statementsTakeThem() throws {
    let store = try Store.inMemory(Price.self)
    _ = try store.run(#"INSERT Price {"name": "a", "amount": 12345678901234567890.125, "rebate": "0.10"}"#)
    _ = try store.run(#"INSERT Price {"name": "b", "amount": 5, "rebate": null, "tiers": [1, 2.5, "1e3"]}"#)
    _ = try store.run("UPDATE Price SET amount = amount * 2 + 0 WHERE name == 'b'")
    _ = try store.run("UPDATE Price SET rebate = 0.3 WHERE rebate == nil")
    let read = try store.objects(Price.self).array
    #expect(read.map(\.amount) == [try Self.number("12345678901234567890.125"), 10])
    #expect(read.map(\.rebate) == [try Self.number("0.1"), try Self.number("0.3")])
    #expect(read[1].tiers == [1, try Self.number("2.5"), 1000])
    #expect(throws: (any Error).self) { try store.run("UPDATE Price SET amount = amount / 0") }
    // A Double would lose digits.
    for text in ["amount = 1234567890.12345678901", "tiers = {1, 0.1234567890123456789}"] {
      #expect(throws: DiagnosticError.self) { try store.run("UPDATE Price SET \(text)") }
    }
  }

  @Test func wholeNumbersBecomeDecimalsAndBack() throws {
    let folder = try TemporaryFolder()
    func open(_ type: String) throws -> Store {
      let text = "@Model struct A { @Attribute(.indexed) var a: \(type); var b: [\(type)] = [] }"
      return try Store.openDynamic(folder.path("store"), mode: .create, schema: SchemaText.parse(text))
    }
    try {
      let store = try open("Int")
      _ = try store.run(#"INSERT A {"a": 9223372036854775807, "b": [1, -2]}"#)
    }()
    try {
      let store = try open("Decimal")
      #expect(try store.objects("A").rows(["a"]) == [[.decimal(DecimalValue(Int64.max))]])
      #expect(try store.objects("A").filter("a > 5 AND ANY b == -2").count == 1)
      #expect(try store.check().problems == [])
    }()
    try {
      let store = try open("Int")
      #expect(try store.objects("A").rows(["a", "b"]) == [[.int(.max), .list([.int(1), .int(-2)])]])
    }()
    try {
      _ = try open("Decimal").run("UPDATE A SET a = 2.5")
    }()
    #expect(throws: StoreError.self) { try open("Int") }
  }
}
