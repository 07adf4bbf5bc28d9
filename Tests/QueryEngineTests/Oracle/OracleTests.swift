import PredicateLanguage
import Schema
import Testing
import Values

/// The oracle against cases written by hand from the tables of the language: one line a case, the rows it finds.
struct OracleTests {
  private static let schema = Schema(
    entities: [
      Entity(
        name: "T",
        properties: [
          Property(name: "i", type: .scalar(.int), isOptional: true), Property(name: "d", type: .scalar(.double)),
          Property(name: "f", type: .scalar(.float)), Property(name: "s", type: .scalar(.string), isOptional: true),
          Property(name: "b", type: .scalar(.bool)), Property(name: "t", type: .scalar(.date)),
          Property(name: "p", type: .embedded("P"), isOptional: true),
        ])
    ], embedded: [Entity(name: "P", properties: [Property(name: "x", type: .scalar(.int))])])

  private static let objects = [
    object(1, .int(5), 5, 0.1, .string("Alaska"), true, 0, 7),
    object(2, .null, .nan, 16_777_216, .null, false, -86_400, nil),
    object(3, .int((1 << 53) + 1), 0x1p53, -0.0, .string("straße"), true, 592_299_475, 8),
    object(4, .int(.max), -0.0, 2, .string(""), false, 978_307_200, nil),
    object(5, .int(-7), .infinity, .nan, .string("résumé"), true, -978_307_200, 9),
  ]

  private static func object(
    _ number: UInt64, _ i: Value, _ d: Double, _ f: Float, _ s: Value, _ b: Bool, _ t: Double, _ x: Int64?
  ) -> OracleObject {
    OracleObject(
      number: number,
      values: [
        "i": i, "d": .double(d), "f": .float(f), "s": s, "b": .bool(b), "t": .date(Instant(seconds: t)),
        "p": x == nil ? .null : .bool(true), "p.x": x.map(Value.int) ?? .null,
      ])
  }

  static let cases: [(String, [UInt64])] = [
    // Two-valued logic and nil.
    ("i > 5", [3, 4]), ("NOT i > 5", [1, 2, 5]), ("i != 5", [2, 3, 4, 5]), ("i == nil", [2]),
    ("i != nil", [1, 3, 4, 5]),
    ("i <= nil", [2]), ("i >= nil", [2]), ("i < nil", []), ("nil == nil", [1, 2, 3, 4, 5]), ("i BETWEEN {nil, 5}", []),
    ("p == nil", [2, 4]), ("p != nil", [1, 3, 5]), ("p.x > 7", [3, 5]), ("p.x == nil", [2, 4]),
    ("NOT p.x > 7", [1, 2, 4]),
    // Numbers.
    ("i == 9007199254740993", [3]), ("i == 9007199254740992.0", []), ("d == 9007199254740992", [3]), ("i > d", [3, 4]),
    ("d == nan", []), ("d != nan", [1, 2, 3, 4, 5]), ("d < 1", [4]), ("d == 0", [4]), ("d >= -0.0", [1, 3, 4, 5]),
    ("f == 0.1", [1]), ("f == 16777217", [2]), ("f < 0.1", [3]), ("i BETWEEN {0, 5.5}", [1]), ("i BETWEEN {9, 1}", []),
    ("i IN {5, nil}", [1, 2]), ("i IN {}", []), ("d IN {nan}", []),
    // Integer arithmetic.
    ("i + 1 == nil", [2, 4]), ("i / 2 == 2", [1]), ("i / 2 == -3", [5]), ("i / 2.0 == 2.5", [1]),
    ("i / 0 == nil", [1, 2, 3, 4, 5]),
    ("i ** 2 == 25", [1]), ("i ** -1 == nil", [1, 2, 3, 4, 5]), ("i << 64 == nil", [1, 2, 3, 4, 5]),
    ("modulus:by:(i, 4) == -3", [5]), ("modulus:by:(i, 4) == 1", [1, 3]), ("-i == 7", [5]),
    ("d / 0 == inf", [1, 3, 5]),
    ("abs(i) == 7", [5]), ("~i == 6", [5]), ("i & 1 == 1", [1, 3, 4, 5]), ("round(-2.5) == -3", [1, 2, 3, 4, 5]),
    // Booleans.
    ("b", [1, 3, 5]), ("NOT b", [2, 4]), ("b == 1", [1, 3, 5]), ("b < TRUE", [2, 4]),
    // Texts.
    ("s == 'alaska'", []), ("s ==[c] 'alaska'", [1]), ("s ==[c] 'STRASSE'", [3]), ("s ==[d] 'resume'", [5]),
    ("s ==[cd] 'RESUME'", [5]), ("s CONTAINS ''", [1, 3, 4, 5]), ("NOT s CONTAINS 'a'", [2, 4, 5]),
    ("s BEGINSWITH 'A'", [1]), ("s ENDSWITH[d] 'e'", [3, 5]), ("s LIKE '*a'", [1]), ("s LIKE '??????'", [1, 3, 5]),
    ("s LIKE ''", [4]), ("s LIKE[c] 'a*A'", [1]), ("s LIKE[c] 'strasse'", [3]), ("s MATCHES 'A(l|a|s|k)*'", [1]),
    ("s MATCHES[c] 'aLASK.'", [1]), ("s < 'B'", [1, 4]), ("s IN 'in Alaska'", [1, 4]), ("length(s) == 6", [1, 3, 5]),
    ("uppercase(s) == 'STRASSE'", [3]), ("s IN[c] {'ALASKA'}", [1]),
    // Dates.
    ("t == '2001-01-01'", [1]), ("t < '2001-01-01T00:00:00Z'", [2, 5]), ("year(t) == 1970", [5]), ("day(t) == 31", [2]),
    ("t + 86400 == '2001-01-01'", [2]), ("t - t == 0", [1, 2, 3, 4, 5]), ("month(t) == 10 OR hour(t) == 1", [3]),
    // Logic and precedence.
    ("TRUEPREDICATE", [1, 2, 3, 4, 5]), ("FALSEPREDICATE", []), ("i == 5 OR b AND i == -7", [1, 5]),
    ("TERNARY(b, 1, 2) == 2", [2, 4]),
    // Tails.
    ("TRUEPREDICATE SORT(d ASC)", [2, 4, 1, 3, 5]), ("TRUEPREDICATE SORT(d DESC)", [5, 3, 1, 4, 2]),
    ("TRUEPREDICATE SORT(i ASC)", [2, 5, 1, 3, 4]), ("TRUEPREDICATE SORT(b DESC)", [1, 3, 5, 2, 4]),
    ("TRUEPREDICATE DISTINCT(b)", [1, 2]), ("TRUEPREDICATE DISTINCT(p.x)", [1, 2, 3, 5]),
    ("TRUEPREDICATE LIMIT(2) OFFSET(1)", [2, 3]), ("TRUEPREDICATE SORT(d DESC) LIMIT(2) SORT(i ASC)", [5, 3]),
  ]

  @Test(arguments: cases.indices)
  func findsWhatTheTableSays(number: Int) throws {
    let (text, rows) = Self.cases[number]
    let filter = try PredicateParser.filter(text)
    let oracle = NaiveEvaluator(schema: Self.schema, entity: Self.schema.entities[0])
    #expect(try oracle.rows(filter, of: Self.objects) == rows, "\(text)")
  }

  @Test(arguments: [
    "i == '5'", "s == 5", "t == 5", "s > 1 + 1", "b == 2", "b == s", "i CONTAINS '5'", "i IN {1, 'a'}", "p > 5",
    "p.x == s", "s + 1 == 2", "t == 'yesterday'", "i ==[c] 5", "length(i) == 1", "unknown == 1", "~d == 1",
    "i << 1.5 == 1", "i", "TRUEPREDICATE SORT(p)",
  ])
  func knowsWhatIsAnError(text: String) throws {
    let filter = try PredicateParser.filter(text)
    let oracle = NaiveEvaluator(schema: Self.schema, entity: Self.schema.entities[0])
    #expect(throws: OracleError.self, "\(text)") { try oracle.check(filter) }
  }
}
