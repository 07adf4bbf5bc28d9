import Foundation
import ObjectStore
import Testing

enum Status: String, PersistableEnum, Codable { case open, waiting, done }

/// A value of no model, kept encoded.
struct Meta: Codable, Hashable { var source = "", tags: [String] = [] }

/// Properties of all the types that are kept as something else.
@Model struct Chore: Codable {
  enum Rank: Int8, PersistableEnum, Codable { case low = -1, high = 1 }

  #Index<Chore>([\.status, \.name])
  @Attribute(.unique) var name: String
  var status = Status.open, rank: Chore.Rank? = .low, earlier: [Status] = [], wanted: Set<Status> = [.done]
  var inner = Chore.Rank.high
  var byPerson: [String: Status] = [:]
  var site: URL?, tiny: UInt8 = 7, big: UInt64 = 0
  @Attribute(.codable, originalName: "info") var meta = Meta()
  @Attribute(.codable) var extra: Meta?
  @Transient var cache = 0
  @Transient private var seen: Date?
  var next: Link<Chore>?
  @Relationship(deleteRule: .deny, inverse: \Chore.next) var before: LinkingObjects<Chore>
}

@Suite struct ValueTests {
  private func store() throws -> (store: Store, chores: Results<Chore>) {
    let store = try Store.inMemory(Chore.self)
    try store.write { tx in
      var paint = Chore(name: "paint", status: .done, site: URL(string: "https://example.org"), cache: 5)
      paint.meta.tags = ["a"]
      let id = try tx.add(paint)
      try tx.add(Chore(name: "dig", earlier: [.waiting, .open], extra: Meta(source: "b"), next: id.asLink))
    }
    return (store, store.objects(Chore.self))
  }

  @Test func comeBack() throws {
    let paint = try #require(try store().chores.first)
    #expect(paint.status == .done)
    #expect(paint.rank == .low)
    #expect(paint.inner == .high)
    #expect(paint.wanted == [.done])
    #expect(paint.site?.host == "example.org")
    #expect(paint.tiny == 7)
    #expect(paint.meta == Meta(tags: ["a"]))
    #expect(paint.extra == nil)
    #expect(paint.cache == 0)
    let dig = try #require(try store().chores.last)
    #expect(dig.status == .open)
    #expect(dig.earlier == [.waiting, .open])
    #expect(dig.extra == Meta(source: "b"))
  }

  @Test func areArguments() throws {
    let chores = try store().chores
    #expect(try chores.filter("status == %@ AND name != ''", Status.done).values(of: \.name) == ["paint"])
    #expect(try chores.filter("ANY earlier == %@", Status.waiting).values(of: \.name) == ["dig"])
    #expect(try chores.sorted(by: \.status).values(of: \.status) == [.done, .open])
    #expect(try chores.max(of: \.rank) == .low)
  }

  @Test func defaultsOfEnumsAreConstant() {
    let columns = Chore.modelDefinition.columns
    #expect(columns.first { $0.path == "status" }?.defaultValue == .string("open"))
    #expect(columns.first { $0.path == "inner" }?.defaultValue == .int(1))
    #expect(columns.first { $0.path == "rank" }?.defaultValue == .int(-1))
    #expect(columns.map(\.path).contains("cache") == false)
    #expect(Chore.modelDefinition.entity.property(named: "meta")?.originalNames == ["info"])
  }

  @Test func inversesAreNamedByRelationships() throws {
    let (store, chores) = try store()
    #expect(try chores.first?.before.objects().map(\.name) == ["dig"])
    try store.write { tx in
      #expect(throws: StoreError.self) { try tx.delete(tx.objects(Chore.self).filter("name == 'paint'")) }
    }
  }

  @Test func modelsAreCodable() throws {
    let dig = try #require(try store().chores.last)
    let data = try JSONEncoder().encode(dig)
    #expect(try JSONDecoder().decode(Chore.self, from: data) == dig)
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["next"] as? Int == 1)
    #expect(json["before"] == nil && json["_objectID"] == nil)
  }

  @Test func arePrinted() throws {
    let dig = try #require(try store().chores.last)
    #expect(
      "\(dig)"
        == #"Chore(name: "dig", status: open, rank: low, earlier: [waiting, open], wanted: [done], inner: high, "#
        + #"byPerson: [:], site: nil, tiny: 7, big: 0, meta: Meta(source: "", tags: []), "#
        + #"extra: Meta(source: "b", tags: []), next: Chore@1)"#)
  }
}
