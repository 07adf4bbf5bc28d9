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

  // MARK: More than the type knows

  private static let wide = #"{"tags":[1.50,"x"],"text":"a","more":{"deep":"d","known":1}, "caf\u00e9":2}"#

  private func wideStore() throws -> Store {
    let store = try Store.inMemory(Narrow.self)
    try store.add(Narrow(t: 1, note: Narrow.Note(text: "a", more: Narrow.More(known: 1))))
    try write(Self.wide, in: store)
    return store
  }

  private func write(_ note: String, in store: Store) throws {
    _ = try store.run("UPDATE Doc SET note = $note", arguments: Arguments(named: ["note": .data([UInt8](note.utf8))]))
  }

  private func note(in store: Store) throws -> String {
    guard case .data(let bytes)? = try store.objects("Doc").rows(["note"]).first?.first else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Another program's type has more: what it stored stays when this one changes other properties.
  @Test func whatTheTypeLacksStays() throws {
    let store = try wideStore()
    var doc = try #require(try store.objects(Narrow.self).first)
    doc.t = 2
    try store.save(&doc)
    #expect(try note(in: store) == Self.wide)
    try store.write { tx in try tx.update(doc) { $0.t = 3 } }
    #expect(try note(in: store) == Self.wide)
    #expect(try store.objects("Doc").rows(["t"]) == [[.int(3)]])
  }

  /// Changing the value itself keeps it too.
  @Test func whatTheTypeLacksStaysInAChangedValue() throws {
    let store = try wideStore()
    var doc = try #require(try store.objects(Narrow.self).first)
    doc.note.text = "b"
    doc.note.more = Narrow.More(known: 2)
    try store.save(&doc)
    #expect(
      try note(in: store)
        == #"{"more":{"known":2,"deep":"d"},"text":"b","tags":[1.50,"x"],"caf\u00e9":2}"#)
    // What the type knows goes with its value.
    doc.note.more = nil
    try store.save(&doc)
    #expect(try note(in: store) == #"{"text":"b","tags":[1.50,"x"],"caf\u00e9":2}"#)
    #expect(try store.objects(Narrow.self).first == doc)
  }

  /// Elements of an array are known again by what the type has of them.
  @Test func unchangedElementsKeepTheirs() throws {
    let store = try Store.inMemory(Narrow.self)
    try store.add(Narrow(t: 1, note: Narrow.Note()))
    try write(#"{"list":[{"known":1,"x":"p"},{"known":2,"x":"q"}],"text":""}"#, in: store)
    var doc = try #require(try store.objects(Narrow.self).first)
    doc.note.list?.removeFirst()
    doc.note.list?.append(Narrow.More(known: 3))
    try store.save(&doc)
    #expect(try note(in: store) == #"{"list":[{"known":2,"x":"q"},{"known":3}],"text":""}"#)
  }

  /// What another program changed since is not written over by a value of which nobody knows whether it was changed.
  @Test func aChangeOfWhatTheTypeLacksIsNotWrittenOver() throws {
    let store = try wideStore()
    var doc = try #require(try store.objects(Narrow.self).first)
    let changed = #"{"tags":[],"text":"c"}"#
    try write(changed, in: store)
    doc.t = 2
    #expect {
      try store.save(&doc)
    } throws: { error in
      guard case .changedSince(_, properties: let properties)? = error as? StoreError else { return false }
      return properties == ["note"]
    }
    #expect(try note(in: store) == changed)
    // Nor where it only spells the value otherwise.
    try write(#"{"text": "a"}"#, in: store)
    doc = try #require(try store.objects(Narrow.self).first)
    try write(#"{"text":"b"}"#, in: store)
    doc.t = 3
    #expect(throws: StoreError.self) { try store.save(&doc) }
    #expect(try note(in: store) == #"{"text":"b"}"#)
    // Of types that know it all, each keeps the change of a property of its own.
    try write(#"{"text":"a"}"#, in: store)
    doc = try #require(try store.objects(Narrow.self).first)
    try write(#"{"text":"d"}"#, in: store)
    doc.t = 4
    try store.save(&doc)
    #expect(try note(in: store) == #"{"text":"d"}"#)
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

/// A model whose type for `note` has less than what another program stores there.
private struct Narrow: Model {
  struct More: Codable, Hashable {
    var known = 0
  }
  struct Note: Codable, Hashable {
    var text = ""
    var more: More?
    var list: [More]?
  }

  var t: Int
  var note: Note
  private var _objectID = ObjectIdentity<Narrow>()

  init(t: Int, note: Note) {
    self.t = t
    self.note = note
  }

  static let modelDefinition = ModelDefinition(of: Narrow.self, name: "Doc") { model in
    model.property("t", \Narrow.t, \Narrow?.?.t)
    model.codable("note", \Narrow.note)
  }

  var objectID: ObjectID<Narrow>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Narrow> {
    get { _objectID }
    set { _objectID = newValue }
  }

  static func == (left: Narrow, right: Narrow) -> Bool { left.t == right.t && left.note == right.note }

  func hash(into hasher: inout Hasher) { hasher.combine(t) }

  init(from row: inout RowDecoder) throws {
    t = try row.next()
    note = try row.nextEncoded()
  }

  func encode(into row: inout RowEncoder) {
    t.encode(into: &row)
    row.append(encoding: note)
  }
}
