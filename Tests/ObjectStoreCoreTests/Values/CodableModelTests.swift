import Foundation
import ObjectStoreCore
import Testing

/// Models that are `Codable`, as JSON.
@Suite struct CodableModelTests {
  private func stored() throws -> (store: Store, offer: Offer) {
    let store = try Store.inMemory(Offer.self)
    try store.write { tx in
      let others = try tx.add([Offer("a"), Offer("b")])
      var offer = try Offer.full
      offer.meta.weight = 1
      offer.rival = Link(others[1])
      offer.related = [others[1], others[0]]
      try tx.add(offer)
    }
    return (store, try #require(try store.objects(Offer.self).last))
  }

  @Test func roundTrips() throws {
    let (_, offer) = try stored()
    let read = try JSONDecoder().decode(Offer.self, from: JSONEncoder().encode(offer))
    #expect(read == offer)
    #expect(read.objectID == nil)
    #expect(read.rival == offer.rival)
    #expect(read.related.ids == offer.related.ids)
  }

  @Test func hasLinksAsNumbersAndNothingElse() throws {
    let (_, offer) = try stored()
    let json = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(offer)) as? [String: Any])
    #expect(json["rival"] as? Int == 2)
    #expect(json["related"] as? [Int] == [2, 1])
    #expect(json["_objectID"] == nil)
    #expect(json["rivals"] == nil)
    #expect(json["name"] as? String == "tent")
  }

  @Test func newObjectsHaveNoNumber() throws {
    var offer = Offer("new")
    offer.related = [Offer("other")]
    #expect {
      _ = try JSONEncoder().encode(offer)
    } throws: { error in
      guard case EncodingError.invalidValue(_, let context) = error else { return false }
      return context.debugDescription == "the link leads to a new Offer: add it to a store first"
    }
  }
}
