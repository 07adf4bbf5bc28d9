import Foundation
import ObjectStoreCore
import Testing

/// Values of `Codable` types that are no models, kept encoded.
@Suite struct EncodedValueTests {
  private func store() throws -> (store: Store, objects: Results<Offer>) {
    let store = try Store.inMemory(Offer.self)
    try store.write { tx in _ = try tx.add([try Offer.full, Offer("none")]) }
    return (store, store.objects(Offer.self))
  }

  @Test func comesBackAsItWasStored() throws {
    let offers = try store().objects.objects()
    #expect(offers[0].meta == Meta(source: "shop/1", weight: -.infinity, tags: ["a", "é"], nested: ["x": [1, 2]]))
    #expect(offers[0].extra == Meta(source: "more"))
    #expect(offers[1].meta == Meta())
    #expect(offers[1].extra == nil)
  }

  @Test func isDataInTheFile() throws {
    let columns = Offer.modelDefinition.columns
    #expect(columns.first { $0.path == "meta" }?.kind == .scalar(.data))
    #expect(columns.first { $0.path == "meta" }?.isOptional == false)
    #expect(columns.first { $0.path == "extra" }?.isOptional == true)
    #expect(try store().objects.filter("extra == nil").values(of: \.name) == ["none"])
  }

  @Test func changesWithItsObject() throws {
    let (store, offers) = try store()
    try store.write { tx in
      try tx.update(offers) {
        $0.meta.tags.append("new")
        $0.extra = nil
      }
    }
    #expect(try offers.objects().map(\.meta.tags) == [["a", "é", "new"], ["new"]])
    #expect(try offers.filter("extra == nil").count == 2)
  }

  @Test func noQueryLeadsIntoIt() throws {
    let offers = try store().objects
    #expect {
      _ = try offers.filter("meta.source == 'shop'").count
    } throws: { error in
      let diagnostic = (error as? QueryError)?.diagnostics.first
      return diagnostic?.message == "'meta' is Data, so it has no property 'source'"
        && diagnostic?.notes == ["no path leads into Data: a struct with properties is an '@Model' struct"]
    }
    #expect {
      _ = try offers.sorted(by: \.meta).count
    } throws: { error in
      (error as? QueryError)?.diagnostics.first?.message == "Offer.meta is kept encoded, so no query can use it"
    }
  }

  @Test func whatIsEncodedOtherwiseThrows() throws {
    let (store, offers) = try store()
    _ = try store.run(#"UPDATE Offer SET meta = binary("{\"source\":1}") WHERE name == 'none'"#)
    #expect {
      _ = try offers.objects()
    } throws: { error in
      guard case .unreadableValue("Offer", "meta", let object, let type, let value)? = error as? StoreError else {
        return false
      }
      return object == (try? offers.ids[1].number) && type == "Meta ('source' has another type)"
        && value == .string(#"{"source":1}"#)
    }
    #expect(try offers.values(of: \.name) == ["tent", "none"])
  }

  @Test func whatCannotBeEncodedIsRefused() throws {
    let store = try Store.inMemory(Stubborn.self)
    try store.write { tx in
      #expect(throws: StoreError.unsupported("Stubborn.value can't be stored: it can't be encoded: it refuses")) {
        try tx.add(Stubborn(value: Refusing()))
      }
    }
    #expect(try store.objects(Stubborn.self).isEmpty)
  }
}

/// A value that can't be encoded.
private struct Refusing: Codable, Hashable {
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "it refuses"))
  }
}

private struct Stubborn: Model {
  var value: Refusing
  var objectID: ObjectID<Stubborn>?

  init(value: Refusing) { self.value = value }

  static let modelDefinition = ModelDefinition(of: Stubborn.self, name: "Stubborn") { model in
    model.codable("value", \Stubborn.value)
  }

  init(from row: inout RowDecoder) throws { value = try row.nextEncoded() }

  func encode(into row: inout RowEncoder) { row.append(encoding: value) }
}
