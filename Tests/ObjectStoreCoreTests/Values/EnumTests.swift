import Foundation
import ObjectStoreCore
import Testing

/// Enums as properties: kept, compared and found by their raw values.
@Suite struct EnumTests {
  @Test func comesBackAsItWasStored() throws {
    let paint = try #require(try Chore.store().objects(Chore.self).first(where: "name == 'paint'"))
    #expect(paint.status == .done)
    #expect(paint.rank == .high)
    #expect(paint.history == [.open, .waiting, .open])
    #expect(paint.wanted == [.open, .done])
    #expect(paint.byPerson == ["Ada": .waiting, "Bo": .done])
    #expect(paint.steps.map(\.status) == [.done, .waiting])
    let sow = try #require(try Chore.store().objects(Chore.self).first(where: "name == 'sow'"))
    #expect(sow.rank == nil)
  }

  @Test func isARawValueInTheSchema() {
    let columns = Chore.modelDefinition.columns
    #expect(columns.first { $0.path == "status" }?.kind == .scalar(.string))
    #expect(columns.first { $0.path == "status" }?.defaultValue == .string("open"))
    #expect(columns.first { $0.path == "rank" }?.kind == .scalar(.int8))
    #expect(columns.first { $0.path == "wanted" }?.kind == .collection(.set, .string))
  }

  @Test(arguments: [
    ("status == %@", ["dig", "mow"]), ("status != %@", ["paint", "sow"]), ("status == 'open'", ["dig", "mow"]),
    ("history CONTAINS %@", ["paint"]), ("ANY wanted == %@", ["paint"]), ("byPerson['Ada'] == %@", []),
    ("NONE history == %@", ["dig", "sow", "mow"]),
  ])
  func isAnArgument(_ text: String, names: [String]) throws {
    let chores = try Chore.store().objects(Chore.self)
    let found = try text.contains("%@") ? chores.filter(text, Status.open) : chores.filter(text)
    #expect(try found.values(of: \.name) == names)
  }

  @Test func areArgumentsTogether() throws {
    let chores = try Chore.store().objects(Chore.self)
    #expect(try chores.filter("status IN %@", [Status.done, .waiting]).values(of: \.name) == ["paint", "sow"])
    #expect(try chores.filter("status IN %@", [Status.done, .waiting] as Set).values(of: \.name) == ["paint", "sow"])
    #expect(try chores.filter("rank >= %@", Rank.middle).values(of: \.name) == ["paint", "mow"])
    #expect(try chores.filter("rank == %@", nil as Rank?).values(of: \.name) == ["sow"])
    #expect(try chores.filter("status == $wanted", ["wanted": Status.waiting]).values(of: \.name) == ["sow"])
    #expect(try chores.filter("ANY steps.status == %@", Status.waiting).values(of: \.name) == ["paint"])
  }

  @Test func isFoundByItsIndex() throws {
    let store = try Chore.store()
    try store.write { tx in for number in 0..<3_000 { try tx.add(Chore("done \(number)", .done)) } }
    let open = try store.objects(Chore.self).filter("status == %@", Status.open)
    let plan = "\(try open.explain())"
    #expect(plan.contains("via index status"), "\(plan)")
    #expect(try open.values(of: \.name) == ["dig", "mow"])
  }

  @Test func aggregatesAndSorts() throws {
    let chores = try Chore.store().objects(Chore.self)
    #expect(try chores.values(of: \.status) == [.done, .open, .waiting, .open])
    #expect(try chores.values(of: \.rank) == [.high, .low, nil, .middle])
    #expect(try chores.max(of: \.rank) == .high)
    #expect(try chores.min(of: \.rank) == .low)
    #expect(try chores.min(of: \.status) == .done)
    #expect(try chores.sorted(by: \.rank).values(of: \.name) == ["sow", "dig", "mow", "paint"])
    #expect(try chores.distinct(by: \.status).values(of: \.status) == [.done, .open, .waiting])
  }

  @Test func setsOfArgumentsAreInOrder() {
    #expect(([Status.waiting, .done, .open] as Set).queryValue == [Status.done, .open, .waiting].queryValue)
    let objects = [3, 1, 2].map { ObjectID<Chore>(ObjectNumber($0)) }
    #expect(Set(objects).queryValue == objects.sorted().queryValue)
  }
}

/// Raw values that another version of the program wrote, of cases this one lacks.
@Suite struct UnknownRawValueTests {
  /// A store whose first object has a value that `Status` lacks, written where `statement` says.
  private func store(_ statement: String) throws -> Store {
    let store = try Chore.store()
    _ = try store.run(statement)
    return store
  }

  private func expect(
    _ path: String, value: Value, object: ObjectNumber?, _ read: () throws -> some Any
  ) {
    #expect {
      _ = try read()
    } throws: { error in
      error as? StoreError
        == .unreadableValue(entity: "Chore", path: path, object: object, type: "Status", value: value)
    }
  }

  @Test func throwsWhereItIsRead() throws {
    let store = try store("UPDATE Chore SET status = 'paused' WHERE name == 'dig'")
    let chores = store.objects(Chore.self)
    let dig = try chores.filter("name == 'dig'").ids[0]
    expect("status", value: .string("paused"), object: dig.number) { try chores.objects() }
    expect("status", value: .string("paused"), object: dig.number) { try store.object(dig) }
    expect("status", value: .string("paused"), object: dig.number) { try chores.values(of: \.status) }
    expect("status", value: .string("paused"), object: nil) { try chores.filter("name != 'sow'").max(of: \.status) }
    expect("status", value: .string("paused"), object: nil) { try chores.sectioned(by: \.status).sections() }
    expect("status", value: .string("paused"), object: nil) { try chores.grouped(by: \.status).counts() }
    expect("status", value: .string("paused"), object: nil) { try chores.grouped(by: \.name, \.status).counts() }
    expect("status", value: .string("paused"), object: nil) {
      try chores.grouped(by: \.name).select { $0.max(of: \.status) }
    }
    expect("status", value: .string("paused"), object: dig.number) {
      try store.write { tx in try tx.update(dig) { $0.rank = .high } }
    }
    // Queries still see it, and what does not read it works.
    #expect(try chores.filter("status == 'paused'").count == 1)
    #expect(try chores.values(of: \.name).count == 4)
    #expect(try chores.filter("name == 'sow'").first?.status == .waiting)
  }

  @Test(arguments: [
    ("history", "UPDATE Chore SET history = {'open', 'paused'}"),
    ("wanted", "UPDATE Chore SET wanted = {'open', 'paused'}"),
    ("byPerson", #"UPDATE Chore SET byPerson = {"Bo": 'paused'}"#),
    (
      "steps.status",
      #"UPDATE Chore SET steps = [{"title": "a", "status": "open"}, {"title": "b", "status": "paused"}]"#
    ),
  ])
  func namesTheProperty(path: String, statement: String) throws {
    let store = try store(statement + " WHERE name == 'dig'")
    let dig = try store.objects(Chore.self).filter("name == 'dig'")
    expect(path, value: .string("paused"), object: try dig.ids[0].number) { try dig.first }
  }

  @Test func saysWhatToDo() {
    let error = StoreError.unreadableValue(
      entity: "Chore", path: "status", object: ObjectNumber(2), type: "Status", value: .string("paused"))
    #expect(
      error.description == #"Chore.status of number 2 is "paused", which is not a value of Status; "#
        + "let the type have that value, or give the object another one")
  }
}
