import Foundation
import ObjectStoreCore
import SortDescriptors
import Testing

@Suite struct SectionsTests {
  @Test func resultsInSectionsOfAProperty() throws {
    let quakes = try Quake.store().objects(Quake.self).sorted(by: \.magnitude, order: .reverse)
    let sections = try quakes.sectioned(by: \.place.name).sections()
    #expect(sections.map(\.key) == ["Hualien", "Alaska", "California"])
    #expect(sections.map(\.count) == [1, 2, 2])
    #expect(try sections[1].objects.map(\.code) == ["us4", "ak2"])
    #expect(try sections[1].ids == quakes.filter("place.name == 'Alaska'").ids)
    #expect(try sections[2].results.filter("time > %@", Date(timeIntervalSinceReferenceDate: 400)).count == 1)
    let ordered = try quakes.sectioned(by: \.place.name, order: .forward).sections()
    #expect(ordered.map(\.key) == ["Alaska", "California", "Hualien"])
    #expect(ordered.map(\.id) == ordered.map(\.key))
    let reversed = try quakes.sectioned(by: \.felt, order: .reverse).sections()
    #expect(reversed.map(\.key) == [60, 3, nil])
    #expect(try quakes.filter(.none).sectioned(by: \.felt).sections().isEmpty)
  }

  @Test func resultsInSectionsOfAnExpression() throws {
    let quakes = try Quake.store().objects(Quake.self).sorted(by: \.code)
    let sections = try quakes.sectioned(by: "firstLetter(code)").sections()
    #expect(sections.map(\.key) == [.string("a"), .string("c"), .string("n"), .string("u")])
    #expect(sections.map(\.count) == [1, 1, 1, 2])
    #expect(try quakes.limit(2).sectioned(by: "felt").sections().map(\.key) == [.null, .int(3)])
  }

  @Test func sectionsOfTextsThatAreTakenForOne() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add(
        ["éa", "Eb", "us", "ea", "1"].map { Quake($0, 1, in: Place($0.lowercased() == "us" ? "US" : "us")) })
    }
    let all = store.objects(Quake.self)
    let letters = try all.sectioned(byFirstLetterOf: \.code).sections()
    #expect(letters.map(\.key) == ["E", "U", "1"])
    #expect(try letters[0].objects.map(\.code) == ["éa", "Eb", "ea"])
    #expect(try all.sectioned(byFirstLetterOf: \.code, order: .forward).sections().map(\.key) == ["1", "E", "U"])
    #expect(try all.sectioned(byFirstLetterOf: \.code, options: []).sections().map(\.key) == ["é", "E", "u", "e", "1"])
    #expect(try all.sectioned(byFirstLetterOf: \.origin?.name).sections().map(\.key) == [nil])
    let texts = try all.sectioned(by: "firstLetter(code)[cd]").sections()
    #expect(texts.map(\.key) == [.string("E"), .string("U"), .string("1")])
    #expect(try all.sectioned(by: "firstLetter(code)[d]").sections().count == 4)
    #expect(try all.sectioned(by: \.place.name, options: .caseInsensitive).sections().map(\.key) == ["US"])
    #expect(throws: QueryError.self) { try all.sectioned(by: "code[numeric]") }
    #expect(throws: QueryError.self) { try all.sectioned(by: \.felt, options: .caseInsensitive).sections() }
    let run = try store.run("Quake SORT BY code[cd] SECTIONS BY firstLetter(code)[cd]")
    guard case .sections(let sections) = run else { throw StoreError.finished }
    #expect(try sections.sections().map(\.key) == [.string("1"), .string("E"), .string("U")])
  }

  @Test func sectionsOfWhatAListLinksTo() throws {
    let store = try Project.store()
    let project = try #require(try store.objects(Project.self).first(where: "name == 'fiesta'"))
    let sections = try project.tasks.results.sectioned(by: \.priority, order: .forward).sections()
    #expect(sections.map(\.key) == [0, 1, 2, 3])
    #expect(sections.map(\.count) == [1, 2, 2, 1])
  }

  @Test func whatIsWrongIsThrown() throws {
    let quakes = try Quake.store().objects(Quake.self)
    let name = #expect(throws: QueryError.self) { try quakes.sectioned(by: "cod") }
    #expect(name?.code == "unknown-property")
    #expect(throws: QueryError.self) { try quakes.sectioned(by: "code, felt") }
    #expect(throws: QueryError.self) { try quakes.sectioned(by: \.place).sections() }
  }

  @Test func descriptorsAreFetched() throws {
    let store = try Quake.store()
    var descriptor = FetchDescriptor<Quake>(
      predicate: #Predicate { $0.magnitude > 2 }, sortBy: [SortDescriptor(\.magnitude, order: .reverse)])
    #expect(try store.fetch(descriptor).map(\.code) == ["us1", "us4", "ci3", "nc5"])
    descriptor.fetchOffset = 1
    descriptor.fetchLimit = 2
    #expect(try store.fetch(descriptor).map(\.code) == ["us4", "ci3"])
    #expect(try store.fetchCount(descriptor) == 2)
    #expect(try store.fetchIdentifiers(descriptor) == store.fetch(descriptor).compactMap(\.objectID))
    descriptor.fetchLimit = nil
    descriptor.query = try descriptor.query && Query("felt == nil")
    var codes: [String] = []
    try store.enumerate(descriptor, batchSize: 1) { codes.append($0.code) }
    #expect(codes == [])
    descriptor.fetchOffset = 0
    try store.enumerate(descriptor, batchSize: 1) { codes.append($0.code) }
    #expect(codes == ["us4"])
    #expect(try store.snapshot { try $0.fetch(FetchDescriptor(Query<Quake> { $0.felt == 3 })) }.count == 2)
    #expect(try store.fetchCount(FetchDescriptor<Quake>()) == 5)
  }

  @Test func propertiesThatAreFetchedAreStored() throws {
    let store = try Quake.store()
    var descriptor = FetchDescriptor<Quake>(sortBy: [SortDescriptor(\.code)])
    descriptor.propertiesToFetch = [\.magnitude, \.place, \.place.name, \.origin]
    #expect(try store.fetch(descriptor).map(\.code) == ["ak2", "ci3", "nc5", "us1", "us4"])
    descriptor.propertiesToFetch.append(\.code.count)
    let error = #expect(throws: QueryError.self) { try store.fetch(descriptor) }
    #expect(
      error.map { "\($0)".contains("leads to no stored property of Quake") } == true, "\(error.map { "\($0)" } ?? "")")
    #expect(throws: QueryError.self) { try store.fetchCount(descriptor) }
    #expect(throws: QueryError.self) { try store.fetchIdentifiers(descriptor) }
    #expect(throws: QueryError.self) { try store.enumerate(descriptor) { _ in } }
    #expect(throws: QueryError.self) { try store.snapshot { try $0.fetch(descriptor) } }
  }
}

@Suite struct GroupsTests {
  @Test func groupsAreCountedAndReduced() throws {
    let quakes = try Quake.store().objects(Quake.self).sorted(by: \.code)
    let groups = try quakes.grouped(by: \.place.name)
    let all = try groups.select {
      ($0.key, $0.count, $0.average(of: \.magnitude), $0.max(of: \.felt), $0.sum(of: \.felt))
    }
    #expect(all.map(\.0) == ["Alaska", "California", "Hualien"])
    #expect(all.map(\.1) == [2, 2, 1])
    #expect(all.map(\.2) == [3.3, 2.5, 6.4])
    #expect(all.map(\.3) == [nil, 3, 60])
    #expect(all.map(\.4) == [0, 6, 60])
    let some = try groups.having { $0.count > 1 && $0.average(of: \.magnitude) < 3 }.having { $0.key != "x" }
    #expect(try some.select { "\($0.key) \($0.count) \($0.min(of: \.magnitude) ?? 0)" } == ["California 2 2.5"])
    #expect(try groups.counts().map(\.count) == [2, 2, 1])
    #expect(try quakes.limit(1).grouped(by: \.felt).select { $0.key } == [nil])
  }

  /// A sum may be wider than what is summed.
  @Test func sumsOfNarrowNumbersFit() throws {
    let store = try Store.inMemory(Offer.self)
    try store.write { tx in
      for (name, tiny, big, share) in [("a", 200, UInt64(Int64.max), 0.5), ("a", 250, 1, 0.25), ("b", 7, 2, 1)] {
        var offer = Offer(name)
        (offer.tiny, offer.big, offer.share) = (UInt8(tiny), big, Float(share))
        try tx.add(offer)
      }
    }
    let groups = store.objects(Offer.self).grouped(by: \.name)
    let sums = try groups.select { ($0.sum(of: \.tiny), $0.sum(of: \.big), $0.sum(of: \.share)) }
    #expect(sums.map(\.0) == [450, 7])
    #expect(sums.map(\.1) == [nil, 2])
    #expect(sums.map(\.2) == [0.75, 1])
    #expect(try groups.having { $0.sum(of: \.tiny) > 300 }.counts().map(\.key) == ["a"])
    #expect(try groups.having { $0.sum(of: \.share) > 0.8 }.counts().map(\.key) == ["b"])
    #expect(try groups.sorted(by: { $0.sum(of: \.tiny) }).counts().map(\.key) == ["b", "a"])
    // So may those of all results.
    #expect(try store.objects(Offer.self).sum(of: \.tiny) == 457)
    #expect(try store.objects(Offer.self).sum(of: \.share) == 1.75)
  }

  /// The key may be a link, which is followed like any other.
  @Test func linksAreKeys() throws {
    let store = try Store.inMemory(Task.self)
    let (alex, kim) = try store.write { tx in
      let people = (try tx.add(Person("Alex")), try tx.add(Person("Kim")))
      for (name, owner) in [("a", people.1), ("b", people.0), ("c", people.1)] {
        try tx.add(Task(name, priority: 2, owner: Link(owner)))
      }
      try tx.add(Task("d"))
      return people
    }
    let tasks = store.objects(Task.self).sorted(by: \.name)
    let groups = try tasks.grouped(by: \.owner).counts()
    #expect(groups.map(\.key) == [Link(kim), Link(alex), nil] && groups.map(\.count) == [2, 1, 1])
    #expect(try groups.map { try $0.key?.object().name } == ["Kim", "Alex", nil])
    let two = try tasks.grouped(by: \.priority, \.owner).select { ($0.key.1, $0.count) }
    #expect(two.map(\.0) == [Link(kim), Link(alex), nil] && two.map(\.1) == [2, 1, 1])
    let sections = try tasks.sectioned(by: \.owner).sections()
    #expect(sections.map(\.key) == [Link(kim), Link(alex), nil])
    #expect(try sections.map { try $0.key?.object().name } == ["Kim", "Alex", nil])
    #expect(try sections[0].objects.map(\.name) == ["a", "c"])
  }

  @Test func whatIsNoStoredPropertyThrows() throws {
    let quakes = try Quake.store().objects(Quake.self)
    #expect(throws: QueryError.self) { try quakes.grouped(by: \.code.count).select { $0.key } }
    #expect(throws: QueryError.self) { try quakes.grouped(by: \.code).select { $0.average(of: \.code.count) } }
    #expect(throws: QueryError.self) {
      try quakes.grouped(by: \.code).having { $0.average(of: \.code.count) > 1 }.counts()
    }
  }
}
