import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

@Suite struct QueryValueTests {
  private func codes(_ query: Query<Quake>) throws -> [String] {
    try Quake.store().objects(Quake.self).filter(query).array.map(\.code)
  }

  @Test func aQueryIsMadeOfATextAndItsArguments() throws {
    let query = try Query<Quake>("magnitude > %@ AND place.name == %@", 2, "California")
    #expect(query.predicateFormat == #"magnitude > 2 AND place.name == "California""#)
    #expect("\(query)" == query.predicateFormat)
    #expect(try codes(query) == ["ci3", "nc5"])
  }

  @Test func aQuoteInAnArgumentStaysAText() throws {
    let query = try Query<Quake>("code == %@", #"a" OR TRUEPREDICATE OR code == ""#)
    #expect(try codes(query) == [])
    #expect(try Query<Quake>(query.predicateFormat) == query)
  }

  @Test func queriesAreJoined() throws {
    let strong = try Query<Quake>("magnitude > 5")
    let felt = try Query<Quake>("felt != nil")
    let alaska = try Query<Quake>("place.name == 'Alaska'")
    #expect(
      (strong && (felt || !alaska)).predicateFormat
        == #"magnitude > 5 AND (felt != nil OR NOT place.name == "Alaska")"#)
    #expect(try codes(strong && felt) == ["us1"])
    #expect(try codes(!(strong || felt)) == ["ak2"])
    #expect(((strong && felt) && alaska) == (strong && (felt && alaska)))
    #expect(CompoundQuery(type: .and, subqueries: [strong, felt]) == (strong && felt))
    #expect(CompoundQuery(type: .or, subqueries: [strong, felt]) == (strong || felt))
    #expect(CompoundQuery(type: .not, subqueries: [strong]) == !strong)
    #expect([strong, felt].conjunction() == (strong && felt))
    #expect([strong, felt].disjunction() == (strong || felt))
  }

  @Test func allAndNone() throws {
    #expect(try codes(.all).count == 5)
    #expect(try codes(.none) == [])
    #expect([Query<Quake>]().conjunction() == .all)
    #expect([Query<Quake>]().disjunction() == .none)
    let strong = try Query<Quake>("magnitude > 5")
    #expect((.all && strong) == strong)
    #expect((.none || strong) == strong)
    #expect(try codes(.all || strong).count == 5)
    #expect(Query<Quake>.all.predicateFormat == "TRUEPREDICATE")
  }

  /// A loop that forgets to stop gets an error, and does not end the program.
  @Test func aQueryThatIsJoinedWithoutEndIsAnError() throws {
    let store = try Quake.store()
    let strong = try Query<Quake>("magnitude > 5"), felt = try Query<Quake>("felt != nil")
    for fold: (Query<Quake>) -> Query<Quake> in [{ !$0 }, { $0 && felt || strong }, { !($0 && felt) }] {
      var query = strong
      for _ in 0..<100 { query = fold(query) }
      let fine = query
      for _ in 0..<100_000 { query = fold(query) }
      let error = #expect(throws: QueryError.self) { try store.objects(Quake.self).filter(query) }
      #expect(error?.code == "nesting-too-deep")
      let other = query
      #expect(query == other && query != fine && Set([query, other]).count == 1)
    }
    // A chain is not nested, however long it is.
    var chain = strong
    for number in 0..<500 { chain = try chain || Query("felt == %@", number) }
    #expect(try store.objects(Quake.self).filter(chain).count == store.objects(Quake.self).filter(strong || felt).count)
  }

  @Test func textsAreJoinedToo() throws {
    let a = try Query<Quake>("magnitude > 5"), b = try Query<Quake>("felt == 60")
    #expect(try Query<Quake>(a.predicateFormat + " AND " + b.predicateFormat) == (a && b))
  }

  @Test func aQueryIsStoredAsItsText() throws {
    let query = try Query<Quake>("magnitude > %@ AND time < %@", 2.5, Date(timeIntervalSinceReferenceDate: 450.25))
    let bytes = try JSONEncoder().encode([query])
    #expect(try JSONDecoder().decode([Query<Quake>].self, from: bytes) == [query])
    let error = #expect(throws: QueryError.self) {
      try JSONDecoder().decode([Query<Quake>].self, from: Data(#"["magnitude >"]"#.utf8))
    }
    #expect(error?.code == "expected-value")
  }

  @Test func equalQueriesHashAlike() throws {
    let queries: Set = [try Query<Quake>("magnitude>5"), try Query<Quake>("magnitude > %@", 5), .all]
    #expect(queries.count == 2)
  }

  @Test func namesAreBoundLater() throws {
    let query = try Query<Quake>("magnitude > $min AND magnitude < $max")
    let half = try query.bind(["min": 2])
    #expect(half.predicateFormat == "magnitude > 2 AND magnitude < $max")
    #expect(try codes(half.bind(["max": 6])) == ["ci3", "us4", "nc5"])
    let missing = #expect(throws: QueryError.self) { try codes(half) }
    #expect(missing?.code == "missing-argument")
    let unknown = #expect(throws: QueryError.self) { try query.bind(["mim": 2]) }
    #expect(unknown?.diagnostics.first?.notes == ["did you mean 'min'?"])
    #expect(try Quake.store().objects(Quake.self).filter(named: "magnitude > $min", ["min": 5]).count == 2)
  }

  @Test func errorsOfTheTextAreThrownWithTheirPlace() throws {
    let syntax = #expect(throws: QueryError.self) { try Query<Quake>("magnitude >") }
    #expect(syntax?.code == "expected-value")
    let missing = #expect(throws: QueryError.self) { try Query<Quake>("magnitude > %@") }
    #expect(missing?.code == "missing-argument")
    let extra = #expect(throws: QueryError.self) { try Query<Quake>("magnitude > 5", 6) }
    #expect(extra?.code == "extra-argument")
    let tail = #expect(throws: QueryError.self) { try Query<Quake>("magnitude > 5 LIMIT(3)") }
    #expect(tail?.code == "unexpected-clause")
    let store = try Quake.store()
    let name = #expect(throws: QueryError.self) {
      try Query<Quake>.validate("felt > 3 AND magnitud > 5", against: store)
    }
    #expect(name?.code == "unknown-property")
    #expect(name?.range == SourceRange(13, 21))
    #expect(try Query<Quake>.validate("magnitude > 5", against: store) == Query("magnitude > 5"))
  }

  @Test func aJoinedQueryShowsItsErrorInItsText() throws {
    let query = try Query<Quake>("felt > 3") && Query("magnitud > 5")
    let error = #expect(throws: QueryError.self) { try codes(query) }
    #expect(error?.source == "felt > 3 AND magnitud > 5")
    #expect(error?.range == SourceRange(13, 21))
  }

  @Test func aWordIsAPropertyWhereThereIsOne() throws {
    #expect(try Query<Quake>("felt == nil").predicateFormat == "felt == nil")
    #expect(try Query<Quake>("felt == yes").predicateFormat == "felt == TRUE")
  }

  /// Queries joined at random are what their joined texts say, and stay the same when they are stored.
  @Test func randomQueriesAreTheirTexts() throws {
    let seed = testSeed()
    var random = RandomQueries(seed)
    let store = try Project.store()
    let tasks = store.objects(Task.self)
    for _ in 0..<200 {
      let parts = try (0..<4).map { _ in try Query<Task>(random.condition(of: RandomQueries.task, depth: 2)) }
      let joined = parts[0] && (parts[1] || !parts[2]) || !(parts[3] && parts[0])
      let text = try Query<Task>(joined.predicateFormat)
      #expect(text == joined, "SEED=\(seed) \(joined)")
      #expect(text.hashValue == joined.hashValue, "SEED=\(seed) \(joined)")
      let stored = try JSONDecoder().decode(Query<Task>.self, from: JSONEncoder().encode(joined))
      #expect(stored == joined, "SEED=\(seed) \(joined)")
      let found = try parts.map { Set(try tasks.filter($0).ids) }
      let all = Set(try tasks.ids)
      let expected = found[0].intersection(found[1].union(all.subtracting(found[2])))
        .union(all.subtracting(found[3].intersection(found[0])))
      #expect(try Set(tasks.filter(joined).ids) == expected, "SEED=\(seed) \(joined)")
    }
  }
}
