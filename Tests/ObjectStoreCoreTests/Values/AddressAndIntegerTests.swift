import Foundation
import ObjectStoreCore
import Testing

/// Addresses, which are kept as text, and integers of widths that the store has no column for.
@Suite struct AddressAndIntegerTests {
  private func store() throws -> (store: Store, objects: Results<Offer>) {
    let store = try Store.inMemory(Offer.self)
    var plain = Offer("boat")
    plain.site = URL(string: "http://example.com/boats")
    try store.write { tx in _ = try tx.add([try Offer.full, plain, Offer("none")]) }
    return (store, store.objects(Offer.self))
  }

  @Test func comesBackAsItWasStored() throws {
    let read = try #require(try store().objects.first)
    #expect(read == (try Offer.full))
    #expect(read.site?.query == "size=3")
    let none = try #require(try store().objects.last)
    #expect(none.site == nil)
  }

  @Test func addressesAreTextToQueries() throws {
    let offers = try store().objects
    let site = try #require(try Offer.full.site)
    #expect(try offers.filter("site == %@", site).values(of: \.name) == ["tent"])
    #expect(try offers.filter("site == 'http://example.com/boats'").values(of: \.name) == ["boat"])
    #expect(try offers.filter("site CONTAINS 'example' AND site BEGINSWITH 'https:'").count == 1)
    #expect(try offers.filter("site IN %@", [site]).count == 1)
    #expect(try offers.filter("site == nil").values(of: \.name) == ["none"])
    #expect(try offers.filter("ANY links == %@", try #require(URL(string: "file:///tmp/a%20b"))).count == 1)
    #expect(try offers.sorted(by: \.site).values(of: \.name) == ["none", "boat", "tent"])
    #expect(try offers.max(of: \.site) == site)
  }

  @Test func aRelativeAddressIsKeptWhole() throws {
    let (store, offers) = try store()
    var offer = Offer("relative")
    offer.site = URL(string: "a/b", relativeTo: URL(string: "https://example.org/x/"))
    try store.write { tx in _ = try tx.add(offer) }
    #expect(try offers.last?.site == URL(string: "https://example.org/x/a/b"))
  }

  @Test func textThatIsNoAddressThrows() throws {
    let (store, offers) = try store()
    _ = try store.run("UPDATE Offer SET site = '' WHERE name == 'boat'")
    #expect(
      throws: StoreError.unreadableValue(
        entity: "Offer", path: "site", object: try offers.ids[1].number, type: "URL", value: .string(""))
    ) { try offers.objects() }
  }

  @Test func integersCompareAsNumbers() throws {
    let offers = try store().objects
    #expect(try offers.filter("tiny == %@ AND small > %@", UInt8.max, 3 as UInt16).count == 1)
    #expect(try offers.filter("big BETWEEN %@", 1...UInt64(Int64.max)).count == 1)
    #expect(try offers.filter("big IN %@", (0 as UInt64)..<1).count == 2)
    #expect(try offers.filter("big < %@", UInt64.max).count == 3)
    #expect(try offers.filter("big == %@", UInt64.max).count == 0)
    #expect(try offers.sum(of: \.medium) == Int(UInt32.max))
    #expect(try offers.max(of: \.whole) == UInt(Int.max))
    #expect(try offers.filter("share == %@", 0.1 as Float).count == 1)
  }

  @Test func whatIsTooLargeIsRefused() throws {
    let (store, offers) = try store()
    var one = Offer("one"), many = Offer("many"), whole = Offer("whole")
    one.big = .max
    many.bigs = [1, UInt64(Int64.max) + 1]
    whole.whole = .max
    for (offer, path) in [(one, "big"), (many, "bigs"), (whole, "whole")] {
      #expect {
        try store.write { tx in _ = try tx.add(offer) }
      } throws: { error in
        guard case .wrongType(entity: "Offer", path: path, _, let got)? = error as? StoreError else { return false }
        return got.contains("e+1")
      }
    }
    #expect(try offers.count == 3)
  }

  @Test(arguments: [("tiny", 256, "UInt8"), ("medium", -1, "UInt32"), ("big", -1, "UInt64"), ("whole", -5, "UInt")])
  func whatDoesNotFitThrowsWhenItIsRead(path: String, number: Int, type: String) throws {
    let (store, offers) = try store()
    _ = try store.run("UPDATE Offer SET \(path) = \(number) WHERE name == 'boat'")
    #expect(
      throws: StoreError.unreadableValue(
        entity: "Offer", path: path, object: try offers.ids[1].number, type: type, value: .int(Int64(number)))
    ) { try offers.objects() }
  }
}
