import TestSeeds
import Testing

@testable import ObjectStoreCore
@testable import PredicateLanguage

/// A property may have the name of any keyword: every clause reads it as it reads any other name.
///
/// Each question is asked of a store whose property `◇` has the keyword's name, and of one where it has a plain name.
@Suite struct KeywordNameTests {
  /// Every keyword as properties are declared, and as the word is usually written.
  static let names = Keyword.allCases.flatMap { keyword in
    keyword.rawValue.lowercased() == keyword.rawValue
      ? [keyword.rawValue] : [keyword.rawValue.lowercased(), keyword.rawValue]
  }

  @Test(arguments: names) func aKeywordIsAName(_ name: String) throws {
    // SELF is the object, so that `SELF.size` means the same everywhere.
    let isObject = Keyword(spelling: name) == .this
    let isPrefix = ["NOT", "ANY", "SOME", "ALL", "NONE"].contains(name.uppercased())
    let store = try Self.store(name)
    let expected = try (isObject ? Self.plainEscaped : Self.plainAnswers).get()
    let questions =
      (isObject ? [] : Self.questions + (isPrefix ? [] : Self.subtractions)) + Self.escaped + Self.changes
    for question in questions {
      let text = question.replacing("◇", with: name)
      let found = Result { try Self.answer(text, in: store) }
      switch found {
      case .success(let answer): #expect(answer == expected[question], "\(text)")
      case .failure(let error): Issue.record("\(text): \(error)")
      }
    }
  }

  /// What every question finds where the property is named `plain`.
  private static let plainAnswers = Result { try plain(questions + subtractions + escaped + changes) }
  private static let plainEscaped = Result { try plain(escaped + changes) }

  private static func plain(_ questions: [String]) throws -> [String: String] {
    let store = try store("plain")
    return try Dictionary(
      questions.map { ($0, try answer($0.replacing("◇", with: "plain"), in: store)) }, uniquingKeysWith: { $1 })
  }

  private static let day = Int(testSeed() % 3)

  /// Each name with a third of the conditions, other ones each day.
  @Test(arguments: names.enumerated().map { ($0, $1) })
  func whatIsPrintedMeansTheSame(_ number: Int, _ name: String) throws {
    guard Keyword(spelling: name) != .this else { return }
    let store = try Self.store(name)
    for (position, question) in Self.questions.enumerated() where (position + number + Self.day) % 3 == 0 {
      let words = question.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[1] == "WHERE" else { continue }
      // What stands before the first clause is what `filter` takes.
      let condition = String(String(words[2]).split(separator: " SELECT ")[0]).replacing("◇", with: name)
      guard let filtered = try? store.objects(String(words[0])).filter(condition) else { continue }
      let read = try store.objects(String(words[0])).filter(filtered.predicateFormat)
      #expect(try read.ids == filtered.ids, "\(condition) prints as \(filtered.predicateFormat)")
      #expect(read.predicateFormat == filtered.predicateFormat)
    }
    for (entity, text, argument) in Self.constants {
      let filtered = try store.objects(entity).filter(text.replacing("◇", with: "`\(name)`"), argument)
      let read = try store.objects(entity).filter(filtered.predicateFormat)
      #expect(try read.ids == filtered.ids, "\(text) prints as \(filtered.predicateFormat)")
    }
    let none = try store.objects("Flag").filter("FALSEPREDICATE OR n > 1")
    #expect(try none.ids == store.objects("Flag").filter(none.predicateFormat).ids)
  }

  @Test func aWordIsItsValueWhereNoPropertyHasItsName() throws {
    let store = try Self.store("no")
    #expect(try store.objects("Flag").filter("no == YES").count == 2)
    #expect(try store.objects("Flag").filter("no == NO").count == 1)
    #expect(try store.objects("Flag").filter("NO").count == 0)
    #expect(try store.objects("Flag").filter("no").count == 2)
    #expect(try Self.answer("Flag WHERE no == no SELECT n", in: store) == Self.answer("Flag SELECT n", in: store))
  }

  @Test func namesByArgument() throws {
    for name in Self.names {
      let store = try Self.store(name)
      #expect(try store.objects("Number").filter("%K == 3", name).count == 1, "\(name)")
    }
  }

  /// What a `%@` may stand for that is written as a word.
  private static var constants: [(String, String, (any QueryArgument)?)] {
    [
      ("Number", "◇ != %@", nil), ("Number", "x == %@", Double.infinity), ("Number", "x > %@", -Double.infinity),
      ("Number", "x != %@", Double.nan), ("Flag", "◇ == %@", true), ("Flag", "◇ == %@", false),
    ]
  }

  // MARK: Stores

  private static func store(_ name: String) throws -> Store {
    func entity(_ entity: String, _ properties: [Property]) -> Entity { Entity(name: entity, properties: properties) }
    func scalar(_ name: String, _ type: ScalarType) -> Property { Property(name: name, type: .scalar(type)) }
    let n = scalar("n", .int)
    let schema = Schema(
      entities: [
        entity("Number", [scalar(name, .int), n, Property(name: "x", type: .scalar(.double), isOptional: true)]),
        entity("Words", [scalar(name, .string), n]), entity("Flag", [scalar(name, .bool), n]),
        entity("Many", [Property(name: name, type: .array(.int)), n]),
        entity("Keyed", [Property(name: name, type: .dictionary(.int)), n]),
        entity(
          "Part", [Property(name: name, type: .embedded("Site")), Property(name: "site", type: .embedded("Site"))]),
        entity(
          "Linked",
          [
            Property(name: name, type: .list("Number")), n,
            Property(name: "peer", type: .link("Words"), isOptional: true),
          ]),
      ], embedded: [entity("Site", [scalar(name, .string), n])])
    let store = try Store.inMemory(schema: schema)
    let objects = [
      "Number {'◇': 1, 'n': 7, 'x': 1.5}", "Number {`◇`: 3, n: 7, x: inf}", "Number {\"◇\": 5, n: 8, x: nil}",
      "Number {\"◇\": 5, n: 2, x: -inf}", "Words {'◇': 'fox', n: 1}", "Words {'◇': 'Cat', n: 2}",
      "Words {'◇': 'gecko', n: 3}", "Flag {'◇': true, n: 1}", "Flag {'◇': false, n: 2}", "Flag {'◇': true, n: 3}",
      "Many {'◇': [1, 2], n: 1}", "Many {'◇': [4, 3, 6], n: 2}", "Many {'◇': [], n: 3}", "Keyed {'◇': {'a': 1}, n: 1}",
      "Keyed {'◇': {'a': 2, 'b': 9}, n: 2}", "Part {'◇': {'◇': 'a', n: 2}, 'site': {'◇': 'c', n: 1}}",
      "Part {'◇': {'◇': 'b', n: 1}, 'site': {'◇': 'd', n: 1}}",
      "Linked {'◇': [{'◇': 1, n: 0}, {'◇': 4, n: 0}], n: 1, 'peer': {'◇': 'fox', n: 9}}", "Linked {'◇': [], n: 2}",
    ]
    for object in objects { _ = try store.run("INSERT " + object.replacing("◇", with: name)) }
    return store
  }

  private static func answer(_ text: String, in store: Store) throws -> String {
    let session = StatementSession(store)
    var answers: [String] = []
    for statement in text.split(separator: ";") {
      switch try session.run(String(statement)) {
      case .objects(let objects): answers.append("\(try objects.ids)")
      case .rows(let rows): answers.append("\(try rows.rows())")
      case .sections(let sections): answers.append("\(try sections.sections().map { ($0.key, $0.rows) })")
      case .count(let count): answers.append("\(count)")
      case .changed(let changes): answers.append("\(changes.count)")
      case .explanation, .schemaChanged, .none: break
      }
    }
    return answers.joined(separator: "; ")
  }

  // MARK: Questions

  /// Right after NOT or a quantifier a `-` is a sign.
  private static let subtractions = ["Number WHERE ◇ - 1 > 2 SELECT n", "Number SELECT ◇ - 1, n"]

  /// What is a name whatever its word means.
  private static let escaped = [
    "Number WHERE #◇ == 3 SELECT n", "Number WHERE `◇` == 3 SELECT n", "Number WHERE SELF.◇ == 3 SELECT n",
    "Number SORT BY #◇ DESC SELECT `◇`", "Many WHERE SUBQUERY(#◇, $t, $t > 2).@count > 0",
    "Linked WHERE peer.◇ == 'fox'", "Linked WHERE #◇.@max.◇ > 2", "Linked WHERE SUBQUERY(#◇, $t, $t.◇ > 2).@count > 0",
    "Part WHERE site.◇ == 'c' SORT BY site.◇ SELECT site.◇", "Number SELECT n AS ◇", "LET #◇ = n > 7; Number WHERE $◇",
    "Number GROUP BY n SELECT n, @max.◇ AS m",
  ]

  private static let changes = [
    "UPDATE Number SET #◇ = 13 WHERE #◇ == 3; Number SELECT #◇, n",
    "DELETE Number WHERE #◇ == 13; Number SELECT #◇, n",
  ]

  private static let questions =
    numbers.map { "Number WHERE \($0) SELECT n" } + words.map { "Words WHERE \($0) SELECT n" }
    + flags.map { "Flag WHERE \($0) SELECT n" } + collections.map { "Many WHERE \($0) SELECT n" } + clauses

  private static let numbers = [
    "◇ == 3", "◇ = 3", "◇ != 3", "◇ <> 3", "◇ < 3", "◇ <= 3", "◇ > 3", "◇ >= 3", "◇ BETWEEN {1, 3}", "◇ IN {1, 3}",
    "3 == ◇", "n == ◇", "n > ◇ AND ◇ > 1", "n > ◇ OR n == 2", "◇ + 1 > 3", "◇ * 2 > 4", "◇ / 2 == 2", "◇ ** 2 == 9",
    "◇ & 1 == 1", "1 + ◇ > 3", "n - ◇ > 3", "-◇ < -2", "(◇) == 3", "(◇ + 1) * 2 == 8", "2 * (◇) == 6", "abs(◇) == 3",
    "max(◇, 2) == 3", "max(2, ◇) == 3", "sum({◇, n}) == 10", "{◇, n} == {3, 7}", "3 IN {◇, n}", "3 IN {n, ◇}",
    "n IN {◇, 7}", "NOT ◇ == 3", "NOT (◇ == 3)", "NOT ◇ IN {1, 3}", "! ◇ == 3", "n > 0 AND ◇ > 2", "n > 100 OR ◇ > 2",
    "◇ > 2 AND n > 0", "(n > 0 AND ◇ > 2)", "TERNARY(◇ > 2, ◇, n) > 4", "TERNARY(n > 7, n, ◇) > 4", "◇ == nIl",
    "◇ != nIl", "n > 0 && ◇ > 2", "n > 100 || ◇ > 2", "modulus:by:(◇, 2) == 1", "◇ > 2 SORT(◇)", "◇ > 2 SORT(◇ DESC)",
    "◇ > 2 SORT(n, ◇ DESC) LIMIT(2)", "n > 0 DISTINCT(◇)", "n > 0 DISTINCT(n, ◇)", "n > 0 LIMIT(3) FILTER(◇ > 2)",
    "n > 0 SORT(◇ ASCENDING, n DESC) OFFSET(1)", "tRUEPREDICATE AND ◇ > 2", "◇ > 2 LIMIT(1)",
  ]

  private static let words = [
    "◇ == 'fox'", "◇ ==[c] 'FOX'", "◇ CONTAINS 'o'", "◇ CONTAINS[c] 'C'", "◇ BEGINSWITH 'f'", "◇ ENDSWITH 'o'",
    "◇ LIKE '*o?'", "◇ MATCHES '[a-z]+'", "◇ IN {'fox', 'cat'}", "'o' IN ◇", "◇ > 'd'", "length(◇) == 3",
    "◇.length == 3", "uppercase(◇) == 'FOX'", "firstLetter(◇) == 'f'", "NOT ◇ CONTAINS 'o'", "◇ CONTAINS ◇",
    "'a fox' CONTAINS ◇", "n == 1 AND ◇ CONTAINS 'o'", "NOT ◇ LIKE '*o*' AND n > 1",
  ]

  private static let flags = [
    "◇", "NOT ◇", "NOT ◇ AND n > 1", "◇ AND n > 1", "n > 1 AND ◇", "◇ OR n == 2", "n == 2 OR ◇", "(◇)", "(◇) AND n > 1",
    "NOT (◇)", "◇ == tRuE", "◇ == fAlSe", "tRuE == ◇", "NOT ◇ == tRuE", "◇ && n > 1", "! ◇", "TERNARY(◇, 1, 2) == 1",
    "◇ SORT(n DESC) LIMIT(1)", "NOT ◇ SORT(n)", "n > 0 LIMIT(2) FILTER(◇)", "n > 0 LIMIT(2) FILTER(NOT ◇)",
  ]

  private static let collections = [
    "ANY ◇ > 3", "SOME ◇ > 3", "ALL ◇ > 1", "NONE ◇ > 5", "NOT ANY ◇ > 5", "ANY ◇ IN {1, 6}", "ANY ◇ BETWEEN {2, 3}",
    "ANY ◇ + 1 > 6", "◇ > 3", "◇.@count > 1", "◇.@max > 3", "◇.@avg > 2", "◇ CONTAINS 3", "3 IN ◇", "3 == ANY ◇",
    "◇[0] == 1", "◇[FIRST] == 4", "◇[LAST] == 6", "(◇)[0] == 1", "(◇).@count == 2", "◇ == {1, 2}",
    "SUBQUERY(◇, $t, $t > 2).@count > 0", "(SUBQUERY(◇, $t, $t > 2)).@count == 3", "◇.@count == 0",
  ]

  private static let clauses = [
    "Number SORT BY ◇ LIMIT 2 SELECT n", "Number SORT BY ◇ DESC SELECT n", "Number SORT BY ◇ DESC LIMIT 1 SELECT n",
    "Number SORT BY ◇ ASC, n DESC SELECT n", "Number SORT BY ◇, n", "Number SORT BY n, ◇", "Number SORT BY ◇",
    "Number SORT BY ◇ OFFSET 1", "Number SORT BY ◇ + 1 DESC", "Number SORT(◇)", "Number SORT(◇ DESC) LIMIT(2)",
    "Number SELECT ◇ LIMIT 1", "Number SELECT ◇", "Number SELECT n, ◇", "Number SELECT ◇, n", "Number SELECT ◇ AS x, n",
    "Number SELECT ◇ + 1 AS x", "Number SELECT ◇ WHERE n > 2", "Number SELECT ◇ SORT BY n",
    "Number GROUP BY ◇ SELECT ◇, @count", "Number GROUP BY ◇", "Number GROUP BY n, ◇ SELECT ◇",
    "Number GROUP BY ◇ HAVING ◇ > 2 SELECT @count", "Number GROUP BY ◇ SELECT ◇ AS k HAVING k > 2 SORT BY ◇ DESC",
    "Number GROUP BY n SELECT n AS ◇ HAVING ◇ > 6", "Number GROUP BY n SELECT n AS ◇ SORT BY ◇ DESC LIMIT 2",
    "Number SECTIONS BY ◇", "Number SECTIONS BY ◇ SELECT n", "Number SORT BY n SECTIONS BY ◇ LIMIT 3",
    "Number DISTINCT ◇", "Number DISTINCT ◇ LIMIT 2", "Number DISTINCT(◇)", "Number DISTINCT ◇, n SELECT n",
    "Number LIMIT 3 DISTINCT n, ◇", "COUNT Number WHERE ◇ > 2", "Number WHERE ◇ > 2 GROUP BY ◇ SELECT ◇",
    "Flag WHERE ◇ LIMIT 1", "Flag WHERE ◇ SORT BY n DESC", "Flag WHERE ◇ GROUP BY n SELECT n",
    "Flag WHERE ◇ SELECT ◇", "Flag WHERE ◇ OFFSET 1", "Flag WHERE ◇ SECTIONS BY n",
    "Flag WHERE ◇ HAVING n > 1 GROUP BY n",
    "Flag WHERE NOT ◇ LIMIT 2", "Flag WHERE NOT ◇ SORT BY n", "Flag WHERE NOT ◇ GROUP BY n SELECT n",
    "Flag WHERE ◇", "Flag WHERE NOT ◇", "Flag GROUP BY ◇ HAVING ◇ SELECT @count", "COUNT Flag WHERE NOT ◇",
    "Keyed WHERE ◇['a'] == 2", "Keyed WHERE ◇.@keys.@count > 1", "Keyed WHERE ANY ◇.@values > 8",
    "Part WHERE ◇.◇ == 'a' SELECT ◇.n", "Part SORT BY ◇.n SELECT ◇.◇", "Part WHERE ◇.n > 1", "Part WHERE NOT ◇.n > 1",
    "Part DISTINCT ◇.◇, ◇.n", "Part GROUP BY ◇.◇ SELECT ◇.◇, @count", "Part WHERE ◇.◇.length == 1",
    "Linked WHERE ANY ◇.◇ > 2", "Linked WHERE ◇.◇ > 2", "Linked WHERE ◇.@max.◇ > 2", "Linked WHERE ◇.@sum.◇ == 5",
    "Linked WHERE SUBQUERY(◇, $t, $t.◇ > 2 AND n == 1).@count > 0", "Linked WHERE ALL ◇.◇ > 0",
    "Linked WHERE peer.◇ == 'fox'",
    "LET big = ◇ > 2; Number WHERE $big", "LET on = ◇; Flag WHERE $on AND n > 1", "LET off = NOT ◇; Flag WHERE $off",
    "UPDATE Number SET n = ◇ WHERE ◇ > 3; Number SELECT n, ◇",
    "UPDATE Number SET ◇ = ◇ + 10, n = 1; Number SELECT ◇, n",
    "UPDATE Number SET ◇ = ◇ + -10 WHERE ◇ > 10; Number SELECT ◇, n",
    "UPDATE Many SET ◇ = {5, 6} WHERE n == 1; Many SELECT ◇",
    "UPDATE Flag SET ◇ = ◇ WHERE n == 1; Flag SELECT ◇, n", "DELETE Flag WHERE NOT ◇; Flag SELECT ◇, n",
  ]
}
