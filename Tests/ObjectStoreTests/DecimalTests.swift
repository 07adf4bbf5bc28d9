import Foundation
import ObjectStore
import Testing

/// Decimal numbers wherever a property may have them.
@Model struct Fee {
  @Attribute(.unique) var code: Decimal
  @Attribute(.indexed) var amount: Decimal = 0
  var rebate: Decimal?, spare = Decimal(2), unknown = Decimal.nan
  var tiers: [Decimal] = [], codes: Set<Decimal> = [], byPlace: [String: Decimal] = [:]
}

@Suite struct DecimalTests {
  @Test func decimalsAreExact() throws {
    let store = try Store.inMemory(Fee.self)
    let tenth = try #require(Decimal(string: "0.1"))
    let long = try #require(Decimal(string: "12345678901234567890.12345"))
    try store.write { tx in
      try tx.add(Fee(code: 1, amount: tenth, rebate: long, tiers: [tenth], codes: [tenth], byPlace: ["x": long]))
      try tx.add(Fee(code: 2, amount: 0.2))
    }
    let fees = store.objects(Fee.self)
    let first = try #require(try fees.first)
    #expect(first.rebate == long && first.spare == 2 && first.unknown.isNaN && first.byPlace == ["x": long])
    #expect(try fees.sum(of: \.amount) == Decimal(string: "0.3"))
    #expect(try fees.filter("amount == 0.1 AND rebate == %@", long).count == 1)
    #expect(try fees.where { $0.amount > tenth && $0.rebate == nil }.count == 1)
    #expect(try fees.filter(try Query(#Predicate<Fee> { $0.amount == tenth && $0.tiers.contains(tenth) })).count == 1)
    #expect(throws: StoreError.self) { try store.add(Fee(code: 1)) }
  }
}
