import Schema
import Values

/// What the tables of the language say, case by case, about five objects.
enum LanguageFacts {
  struct Fact {
    var query: String
    var rows: [UInt64]
    var arguments: [Value] = []
  }

  static let schema = Schema(
    entities: [
      Entity(
        name: "T",
        properties: [
          Property(name: "i", type: .scalar(.int), isOptional: true), Property(name: "d", type: .scalar(.double)),
          Property(name: "f", type: .scalar(.float)), Property(name: "s", type: .scalar(.string), isOptional: true),
          Property(name: "b", type: .scalar(.bool)), Property(name: "t", type: .scalar(.date)),
          Property(name: "p", type: .embedded("P"), isOptional: true),
          Property(name: "a", type: .array(.int)), Property(name: "n", type: .array(.double), isOptional: true),
          Property(name: "w", type: .array(.string)), Property(name: "g", type: .set(.int)),
          Property(name: "m", type: .dictionary(.int)),
          Property(name: "spot", type: .embedded("Place"), isOptional: true),
          Property(name: "x", type: .scalar(.data), isOptional: true), Property(name: "y", type: .array(.data)),
        ])
    ],
    embedded: [
      Entity(name: "P", properties: [Property(name: "x", type: .scalar(.int))]),
      Entity(
        name: "Place",
        properties: [
          Property(name: "longitude", type: .scalar(.double)), Property(name: "latitude", type: .scalar(.double)),
        ]),
    ])

  /// | | x | y |
  /// | - | - | - |
  /// | 1 | fork | ab |
  /// | 2 | nil | |
  /// | 3 | é* | a, b |
  /// | 4 | nothing | |
  /// | 5 | nil | nothing |
  private static let bytes: [(x: String?, y: [String])] = [
    ("fork", ["ab"]), (nil, []), ("é*", ["a", "b"]), ("", []), (nil, [""]),
  ]

  static let objects = zip(others, bytes).map { object, bytes in
    var object = object
    object.values["x"] = bytes.x.map { .data(Array($0.utf8)) } ?? .null
    object.values["y"] = .list(bytes.y.map { .data(Array($0.utf8)) })
    return object
  }

  private static let others = [
    OracleObject(
      number: 1,
      values: values(.int(5), 5, 0.1, .string("Alaska"), true, 0, 7).merging(
        many([3, 1, 2], [1.5, .nan, -2], ["x", "Xy"], [1, 2], [("k", 1), ("z", 9)], (0, 0))
      ) { $1 }),
    OracleObject(
      number: 2,
      values: values(.null, .nan, 16_777_216, .null, false, -86_400, nil).merging(
        many([], nil, [], [], [], nil)
      ) { $1 }),
    OracleObject(
      number: 3,
      values: values(.int((1 << 53) + 1), 0x1p53, -0.0, .string("straße"), true, 592_299_475, 8).merging(
        many([5, 5], [], ["straße", "resume"], [3], [("k", 5)], (179.5, 10))
      ) { $1 }),
    OracleObject(
      number: 4,
      values: values(.int(.max), -0.0, 2, .string(""), false, 978_307_200, nil).merging(
        many([.max, 1], [.nan], ["", "résumé"], [-1, 0, 1], [("", 0)], (-179.5, -89))
      ) { $1 }),
    OracleObject(
      number: 5,
      values: values(.int(-7), .infinity, .nan, .string("résumé"), true, -978_307_200, 9).merging(
        many([1, 2], [-0.0, 0.0], ["Alaska"], [1, 2], [("k", -7), ("q", 1)], (10, 90))
      ) { $1 }),
  ]

  private static func values(
    _ i: Value, _ d: Double, _ f: Float, _ s: Value, _ b: Bool, _ t: Double, _ x: Int64?
  ) -> [String: Value] {
    [
      "i": i, "d": .double(d), "f": .float(f), "s": s, "b": .bool(b), "t": .date(Instant(seconds: t)),
      "p": x == nil ? .null : .bool(true), "p.x": x.map(Value.int) ?? .null,
    ]
  }

  private static func many(
    _ a: [Int64], _ n: [Double]?, _ w: [String], _ g: [Int64], _ m: [(String, Int64)], _ spot: (Double, Double)?
  ) -> [String: Value] {
    [
      "a": .list(a.map(Value.int)), "n": n.map { .list($0.map(Value.double)) } ?? .null,
      "w": .list(w.map(Value.string)), "g": .list(g.map(Value.int)),
      "m": .embedded(m.map { EmbeddedField(name: $0.0, value: .int($0.1)) }),
      "spot": spot == nil ? .null : .bool(true), "spot.longitude": spot.map { .double($0.0) } ?? .null,
      "spot.latitude": spot.map { .double($0.1) } ?? .null,
    ]
  }

  private static let all: [UInt64] = [1, 2, 3, 4, 5]

  static let found: [Fact] =
    (lexical + operators + values + collections + subqueries + functions + places + tails).map {
      Fact(query: $0.0, rows: $0.1)
    } + withArguments

  // MARK: §1

  private static let lexical: [(String, [UInt64])] = [
    ("i = 0x5", [1]), ("i == 0b101", [1]), ("i == 0o5", [1]), ("d == 5.", [1]), ("d > .5 and d < 1_000", [1]),
    ("i == -9223372036854775807 - 1", []), ("i > -9223372036854775808", [1, 3, 4, 5]), ("d == -inf", []),
    ("d == +Infinity", [5]), ("d < -infinity", []), ("i == +5", [1]), ("i +28 == 33", [1]),
    ("#i == 5", [1]), ("`i` == 5", [1]), ("SELF.i == 5", [1]), ("SELF.p.x == 7", [1]), ("i -5 == 0", [1]),
    ("s == '\\u{41}laska'", [1]), ("s == \"Alask\\x61\"", [1]), ("s == 'Alask\\141'", [1]),
    ("b == YES && NOT i == 5", [3, 5]), ("!b || i = 5", [1, 2, 4]), ("i == NULL or i =< -7", [2, 5]),
    ("t == 2001-01-01@00:00:00", [1]), ("t == T978307200:0", [1]), ("t > T-1:-500000000", all),
    ("t < T0:500000000", [5]),
    ("x == binary('fork')", [1]), ("x == B64'Zm9yaw=='", [1]), ("t == CAST(0.0, \"NSDate\")", [1]),
    ("t == date('2001-01-01')", [1]), ("t == '2001-01-01T02:00:00+02:00'", [1]), ("@type == 'T'", all),
    ("@type == 'U'", []), ("i <> 5", [2, 3, 4, 5]),
  ]

  // MARK: §2

  private static let operators: [(String, [UInt64])] = [
    // Precedence.
    ("i == 5 OR b AND i == -7", [1, 5]), ("(i == 5 OR b) AND i == -7", [5]), ("2 + 3 * 4 == 14", all),
    ("2 ** 3 ** 2 == 64", all), ("-2 ** 2 == 4", all), ("1 | 6 & 4 ^ 5 == 1", all), ("1 + 1 << 2 == 8", all),
    ("12 / 2 * 3 == 18", all), ("10 - 4 - 3 == 3", all),
    // Comparison, BETWEEN, IN.
    ("i BETWEEN {0, 5.5}", [1]), ("i BETWEEN {9, 1}", []), ("i BETWEEN {nil, 5}", []), ("i BETWEEN {p.x - 2, 5}", [1]),
    ("i BETWEEN {i, i}", [1, 3, 4, 5]), ("NOT i BETWEEN {i, i}", [2]), ("abs(i) IN {5, 7.0, nan}", [1, 5]),
    ("NOT i BETWEEN {0, 10}", [2, 3, 4, 5]), ("i IN {5, nil}", [1, 2]), ("i IN {}", []), ("d IN {nan}", []),
    ("i IN {p.x - 2, -7}", [1, 2, 5]), ("s IN 'in Alaska'", [1, 4]), ("s IN[c] {'ALASKA'}", [1]), ("5 IN {i, d}", [1]),
    ("i IN ANY {5, -7}", [1, 5]), ("i IN ALL {5, 5}", [1]), ("i IN NONE {5}", [2, 3, 4, 5]), ("i IN ALL {}", all),
    // Each literal of a list is fitted to the other side by itself.
    ("ANY {TRUE, 0} == b", all), ("ALL {'2001-01-01', date('2001-01-01')} == t", [1]),
    // Texts.
    ("s == 'alaska'", []), ("s ==[c] 'alaska'", [1]), ("s ==[c] 'STRASSE'", [3]), ("s ==[d] 'resume'", [5]),
    ("s ==[cd] 'RESUME'", [5]), ("s ==[dC] 'RESUME'", [5]), ("s ==[n] 'Alaska'", [1]), ("s CONTAINS ''", [1, 3, 4, 5]),
    ("NOT s CONTAINS 'a'", [2, 4, 5]), ("s BEGINSWITH 'A'", [1]), ("s BEGINSWITH ''", [1, 3, 4, 5]),
    ("s ENDSWITH[d] 'e'", [3, 5]), ("s LIKE '*a'", [1]), ("s LIKE '??????'", [1, 3, 5]), ("s LIKE ''", [4]),
    ("s LIKE[c] 'a*A'", [1]), ("s LIKE[c] 'strasse'", [3]), ("s LIKE 'Alaska\\*'", []), ("s LIKE 'Al?ska'", [1]),
    ("s MATCHES 'A(l|a|s|k)*'", [1]), ("s MATCHES[c] 'aLASK.'", [1]), ("s MATCHES '.'", []), ("s MATCHES ''", [4]),
    ("s < 'B'", [1, 4]), ("s < 'x'", [1, 3, 4, 5]), ("s < nil", []), ("'я' ==[c] 'Я'", all), ("s == nil", [2]),
    // Data, by its bytes.
    ("x CONTAINS binary('or')", [1]), ("x CONTAINS B64'/w=='", []), ("x CONTAINS B64'/2Y='", []),
    ("x CONTAINS binary('')", [1, 3, 4]), ("x BEGINSWITH B64'w6k='", [3]),
    ("x ENDSWITH binary('*')", [3]), ("x LIKE binary('?*')", [1, 3]), ("x LIKE binary('???')", [3]),
    ("x LIKE binary('*\\\\*')", [3]),
    ("x LIKE binary('f?rk')", [1]), ("x LIKE binary('fork')", [1]), ("x LIKE binary('')", [4]),
    ("NOT x CONTAINS binary('o')", [2, 3, 4, 5]),
    ("x CONTAINS x", [1, 3, 4]), ("x CONTAINS nil", []), ("y CONTAINS binary('b')", [3]),
    ("ANY y CONTAINS binary('b')", [1, 3]),
    ("y BEGINSWITH {binary('a'), binary('b')}", [3]), ("ANY y LIKE binary('?b')", [1]),
    // Bare booleans.
    ("b", [1, 3, 5]), ("NOT b", [2, 4]), ("b AND TRUEPREDICATE", [1, 3, 5]), ("b == 1", [1, 3, 5]),
    ("b < TRUE", [2, 4]), ("b IN {0, nil}", [2, 4]), ("TRUEPREDICATE", all), ("FALSEPREDICATE", []),
  ]

  // MARK: §4

  private static let values: [(String, [UInt64])] = [
    // Logic and nil.
    ("i > 5", [3, 4]), ("NOT i > 5", [1, 2, 5]), ("i != 5", [2, 3, 4, 5]), ("i == nil", [2]),
    ("i != nil", [1, 3, 4, 5]),
    ("i <= nil", [2]), ("i >= nil", [2]), ("i < nil", []), ("nil == nil", all), ("nil != nil", []),
    ("p == nil", [2, 4]), ("p != nil", [1, 3, 5]), ("p.x > 7", [3, 5]), ("p.x == nil", [2, 4]),
    ("NOT p.x > 7", [1, 2, 4]),
    // Numbers.
    ("i == 9007199254740993", [3]), ("i == 9007199254740992.0", []), ("d == 9007199254740992", [3]), ("i > d", [3, 4]),
    ("d == nan", []), ("d != nan", all), ("d < 1", [4]), ("d == 0", [4]), ("d >= -0.0", [1, 3, 4, 5]),
    ("f == 0.1", [1]), ("f == 16777217", [2]), ("f < 0.1", [3]), ("f IN {0.1, 7}", [1]),
    ("f BETWEEN {0.1, 3}", [1, 4]),
    // Integer arithmetic.
    ("i + 1 == nil", [2, 4]), ("i / 2 == 2", [1]), ("i / 2 == -3", [5]), ("i / 2.0 == 2.5", [1]), ("i / 0 == nil", all),
    ("i ** 2 == 25", [1]), ("i ** -1 == nil", all), ("i << 64 == nil", all), ("i << 1 == 10", [1]),
    ("i >> 1 == -4", [5]), ("modulus:by:(i, 4) == -3", [5]), ("modulus:by:(i, 4) == 1", [1, 3]), ("-i == 7", [5]),
    ("d / 0 == inf", [1, 3, 5]), ("0 / d == 0", [1, 3, 5]), ("~i == 6", [5]), ("i & 1 == 1", [1, 3, 4, 5]),
    ("i | 2 == 7", [1]), ("i ^ 1 == 4", [1]), ("i * 2 == nil", [2, 4]), ("i * 2.0 == nil", [2]),
    // Dates.
    ("t < '2001-01-01T00:00:00Z'", [2, 5]), ("t + 86400 == '2001-01-01'", [2]), ("t - t == 0", all),
    ("t - date('2001-01-01') == -86400", [2]), ("t IN {'2001-01-01', nil}", [1]),
  ]

  // MARK: §3

  private static let collections: [(String, [UInt64])] = [
    // Quantifiers.
    ("ANY a > 4", [3, 4]), ("SOME a > 4", [3, 4]), ("a > 4", [3, 4]), ("4 < a", [3, 4]), ("ALL a > 1", [2, 3]),
    ("NONE a > 4", [1, 2, 5]), ("NOT ANY a > 4", [1, 2, 5]), ("NOT a > 4", [1, 2, 5]), ("NOT ALL a > 1", [1, 4, 5]),
    ("ANY n > 1", [1]), ("ALL n > 1", [2, 3]), ("NONE n > 1", [2, 3, 4, 5]), ("ANY n != 0", [1, 4]),
    ("ANY a BETWEEN {4, 6}", [3]), ("a BETWEEN {2, 2}", [1, 5]), ("ALL a BETWEEN {1, 3}", [1, 2, 5]),
    ("ANY a IN {5, 9}", [3]), ("a IN {5, 9}", [3]), ("ALL a IN {1, 2, 3}", [1, 2, 5]), ("ANY a == i", [4]),
    ("ANY w LIKE '*y'", [1]), ("ALL w LIKE '*'", all), ("w BEGINSWITH 'r'", [3, 4]),
    ("NONE w ==[c] 'X'", [2, 3, 4, 5]),
    ("ANY w MATCHES 'X.'", [1]), ("ANY g < 0", [4]), ("ALL g > 0", [1, 2, 3, 5]), ("ANY m > 4", [1, 3]),
    // Membership and substrings.
    ("w CONTAINS 'x'", [1]), ("w CONTAINS 'y'", []), ("ANY w CONTAINS 'y'", [1]), ("ANY w CONTAINS 'sum'", [3, 4]),
    ("w CONTAINS[c] 'XY'", [1]), ("w CONTAINS[cd] 'RESUME'", [3, 4]), ("a CONTAINS 5", [3]),
    ("ALL w CONTAINS 'a'", [2, 5]),
    ("w CONTAINS ''", [4]), ("ANY w CONTAINS ''", [1, 3, 4, 5]), ("i IN a", [4]), ("1 IN a", [1, 4, 5]),
    ("2 IN g", [1, 5]), ("s IN w", [3, 4]), ("9 IN m", [1]), ("'X' IN[c] w", [1]), ("nil IN a", []), ("1.0 IN n", []),
    ("1 IN ALL g", [2]), ("1 IN NONE g", [2, 3]), ("1 == ANY g", [1, 4, 5]), ("1 == ALL g", [2]),
    ("5 > ALL a", [1, 2, 5]),
    // Lists.
    ("{3, 1, 2} == a", [1]), ("{1, 2} == a", [5]), ("a == {1, 2}", [5]), ("a != {1, 2}", [1, 2, 3, 4]),
    ("{1, 2} == g", [1, 5]), ("{2, 1} == g", []), ("g == {-1, 0, 1}", [4]), ("{} == a", [2]), ("{1, 2} == {1, 2}", all),
    ("{1.0, 2} == a", [5]), ("a == g", [2, 5]), ("a != g", [1, 3, 4]), ("w ==[c] {'X', 'XY'}", [1]), ("n == nil", [2]),
    ("n != nil", [1, 3, 4, 5]), ("n == {0, 0}", [5]), ("n == {nan}", []), ("n != {nan}", all),
    // A collection of the object itself is there or nil; what is computed has elements or none.
    ("n == nil", [2]), ("m != nil", all), ("m.@values != nil", [1, 3, 4, 5]), ("m.@keys != nil", [1, 3, 4, 5]),
    ("m.@values == nil", []), ("SUBQUERY(a, $t, $t > 2) != nil", [1, 3, 4]), ("n.@distinctUnionOfObjects == nil", []),
    // Lists of texts in order: each has its part.
    ("w CONTAINS[c] {'X', 'Y'}", [1]), ("w CONTAINS {'x', 'y'}", [1]), ("w CONTAINS {'x'}", []),
    ("w BEGINSWITH {'s', 'r'}", [3]),
    ("w ENDSWITH[d] {'', 'sume'}", [3, 4]), ("w LIKE {'*', '?y'}", [1]), ("w MATCHES {'x', '.y'}", [1]),
    ("w MATCHES {}", [2]),
    ("{'in Alaska'} CONTAINS w", [5]), ("w CONTAINS w", all), ("w LIKE {}", [2]),
    ("NOT w CONTAINS {'x', 'y'}", [2, 3, 4, 5]),
    ("ANY w CONTAINS {'q', 'y'}", [1]), ("ANY {'x', 'resume'} IN w", [1, 3]),
    // Lists in order by every relation: as many, and each pair has it.
    ("a < {5, 6}", [5]), ("a <= {5, 5}", [3, 5]), ("{0, 1} < a", [3, 5]), ("{5, 5} >= a", [3, 5]), ("a > {0}", []),
    ("n <= n", [2, 3, 5]), ("n < n", [3]), ("ANY a < {5, 6}", [1, 3, 4, 5]),
    ("ANY {1, 2} == a", [1, 4, 5]), ("ALL {1, 2} == a", [1, 5]), ("{5, 5} == ALL a", [2, 3]),
    // Aggregates.
    ("a.@count == 2", [3, 4, 5]), ("a.@size == 0", [2]), ("a[SIZE] == 3", [1]), ("a.@sum == nil", [4]),
    ("a.@sum == 0", [2]),
    ("a.@sum == 10", [3]), ("a.@avg == nil", [2]), ("a.@avg == 1.5", [5]), ("a.@min == 1", [1, 4, 5]),
    ("a.@max == nil", [2]), ("n.@count == 0", [2, 3]), ("n.@count == 3", [1]), ("n.@sum == -0.5", [1]),
    ("n.@sum == 0", [2, 3, 4, 5]), ("n.@avg == nil", [2, 3, 4]), ("n.@avg == -0.25", [1]), ("n.@min == -2", [1]),
    ("g.@sum == 3", [1, 3, 5]), ("m.@count == 2", [1, 5]), ("m.@values.@max == 9", [1]),
    ("a.@count > w.@count", [1, 5]),
    ("a.@max - a.@min == 2", [1]),
    // Places in a list, keys of a dictionary.
    ("a[0] == 3", [1]), ("a[1] == 5", [3]), ("a[FIRST] == 5", [3]), ("a[LAST] == 2", [1, 5]), ("a[7] == nil", all),
    ("a[FIRST] == nil", [2]), ("a[i - 4] == 1", [1]), ("a[-1] == nil", all), ("n[0] == nil", [2, 3]),
    ("m['k'] == 1", [1]), ("m[\"k\"] == nil", [2, 4]), ("m['none'] == nil", all), ("m[''] == 0", [4]),
    ("ANY m.@keys == 'k'", [1, 3, 5]), ("m.@keys == 'z'", [1]), ("'q' IN m.@keys", [5]), ("m.@keys CONTAINS 'q'", [5]),
    ("ANY m.@values < 0", [5]), ("ALL m.@keys ==[c] 'K'", [2, 3]), ("m.@keys.@count == 1", [3, 4]),
    // Distinct values.
    ("a.@distinctUnionOfObjects.@count == 1", [3]), ("5 IN a.@distinctUnionOfObjects", [3]),
    ("n.@distinctUnionOfObjects.@count == 1", [4, 5]),
  ]

  private static let subqueries: [(String, [UInt64])] = [
    ("SUBQUERY(a, $t, $t > 2).@count > 0", [1, 3, 4]), ("SUBQUERY(a, $t, $t > 1).@avg == 2.5", [1]),
    ("SUBQUERY(a, $t, $t > 90).@sum == 0", [1, 2, 3, 5]), ("SUBQUERY(a, $t, $t > 2).@count == 2", [3]),
    ("SUBQUERY(a, $t, $t == p.x - 3).@count == 2", [3]),
    ("SUBQUERY(a, $t, SUBQUERY(g, $u, $u == $t).@count > 0).@count == 2", [1, 5]),
    ("SUBQUERY(a, $t, SUBQUERY(g, $t, $t == 3).@count > 0).@count == 2", [3]),
    ("SUBQUERY(a, $t, SUBQUERY(g, $u, $u == i + 8).@count > 0).@count == 2", [5]),
    ("ANY SUBQUERY(a, $t, $t > 2) == 3", [1]), ("3 IN SUBQUERY(a, $t, $t > 2)", [1]),
    ("SUBQUERY(m.@keys, $k, m[$k] > 4).@count == 1", [1, 3]),
    ("SUBQUERY(w, $t, $t ==[cd] 'resume' OR $t LIKE 'A*').@count == 1", [3, 4, 5]),
    ("SUBQUERY(a, $t, NOT $t IN g).@count + 1 == 2", [1, 4]), ("SUBQUERY(n, $t, $t != 0).@count == 1", [4]),
    ("SUBQUERY(a, $t, TRUEPREDICATE).@max == a.@max", all),
  ]

  private static let functions: [(String, [UInt64])] = [
    ("abs(i) == 7", [5]), ("abs:(i) == 7", [5]), ("ABS(i) == 7", [5]), ("ceiling(1.2) == 2", all),
    ("floor(-1.2) == -2", all),
    ("round(-2.5) == -3", all), ("round(2.5) == 3", all), ("trunc(-2.7) == -2", all), ("trunc:(2.7) == 2", all),
    ("sqrt(d) == sqrt:(5)", [1]), ("exp(0) == 1", all), ("ln(1) == 0", all), ("log(1000) == 3", all),
    ("log:(0) == -inf", all),
    ("raise:toPower:(i, 2) == 25", [1]), ("raise:toPower:(2, 0.5) == sqrt(2)", all),
    ("bitwiseAnd:with:(i, 4) == 4", [1, 4]), ("bitwiseOr:with:(i, 2) == 7", [1]), ("bitwiseXor:with:(i, 1) == 4", [1]),
    ("leftshift:by:(i, 1) == 10", [1]), ("rightshift:by:(i, 1) == -4", [5]), ("onesComplement:(i) == 6", [5]),
    ("onesComplement(i) == 6", [5]), ("uppercase(s) == 'STRASSE'", [3]), ("lowercase:(s) == 'alaska'", [1]),
    ("length(s) == 6", [1, 3, 5]), ("length('e\\u{301}') == 2", all), ("length(s) == nil", [2]),
    ("s.length == 6", [1, 3, 5]), ("s.length == nil", [2]), ("ANY w.length == 6", [3, 4, 5]),
    ("w.length > 5", [3, 4, 5]),
    ("ALL w.length < 7", all), ("w[0].length == 1", [1]), ("m.@keys.length == 0", [4]), ("w.length.@max == 2", [1]),
    ("SUBQUERY(w, $t, $t.length == 6).@count == 2", [3]), ("SUBQUERY(w, $t, $t > 's').length == 6", [3]),
    ("w.@max.length == 1", [1]), ("@type.length == 1", all), ("w.length == {1, 2}", [1]),
    ("SORT(s.length DESC)", [1, 3, 5, 4, 2]),
    ("(uppercase(s)).length == 7", [3]), ("(a)[0] == 3", [1]), ("((SELF.a))[LAST] == 2", [1, 5]),
    ("(SELF.m)['k'] == 1", [1]), ("(SUBQUERY(a, $t, $t > 2)).@count == 2", [3]), ("(p).x == 7", [1]),
    ("(a).@count == (w).@count", [2, 3, 4]), ("ANY (a) > 4", [3, 4]),
    ("concat(s, '!') == 'Alaska!'", [1]), ("length(concat(s, s)) == 12", [1, 3, 5]), ("concat(s, 'x') == nil", [2]),
    ("replace(s, 'a', 'o') == 'Alosko'", [1]), ("substring(s, 0, 2) == 'Al'", [1]),
    ("trim(concat(s, ' ')) == s", all),
    ("coalesce(s, 'none') == 'none'", [2]), ("weekday(t) == nil", []), ("a.@percentile(0.5) == 2", [1]),
    ("a.@percentile(1) == a.@max", [1, 2, 3, 5]), ("a.@percentile(0) == a.@min", all),
    ("a.@percentile(0.5) == a.@median", all),
    ("firstLetter(s) == 'A'", [1]), ("firstLetter(s) == nil", [2]), ("year(t) == 1970", [5]), ("day(t) == 31", [2]),
    ("month(t) == 12", [2]), ("hour(t) == 0", [1, 2, 4, 5]), ("year:(t) == 2032", [4]),
    ("now() > '2020-01-01'", all), ("now() == now()", all),
    ("sum(a) == 6", [1]), ("sum:(a) == 6", [1]), ("count(w) == 2", [1, 3, 4]), ("COUNT(w) == 0", [2]),
    ("min(a) == 1", [1, 4, 5]), ("max({1, i}) == 5", [1]), ("max(i, 0) == 0", [2, 5]), ("average(a) == 2", [1]),
    ("median(a) == 2", [1]), ("median(a) == 1.5", [5]), ("mode(a) == 1", [1, 4, 5]), ("mode(a) == 5", [3]),
    ("stddev(a) == 0.5", [5]), ("stddev(a) == 0", [3]), ("stddev(a) == nil", [2]),
    ("stddev(1000000000000000.125, 1000000000000001.25) == 0.5625", all), ("stddev(0.1, 0.1, 0.1) == 0", all),
    ("stddev(1e200, 3e200) == 1e200", all), ("stddev(1e-200, 3e-200) == 1e-200", all),
    ("stddev(-1e308, 1e308) == 1e308", all),
    ("stddev(1, inf) == nan", []), ("stddev(1, inf) >= 0", []), ("stddev({inf}) >= 0", []), ("sum(1, 2.5) == 3.5", all),
    ("sum({}) == 0", all), ("average({}) == nil", all), ("count(i, 3) == 2", all), ("median(n) == -0.25", [1]),
    ("TERNARY(b, 1, 2) == 2", [2, 4]), ("TERNARY(b, i, 2.5) == 2.5", [2, 4]),
    ("TERNARY(i > 5, s, nil) == 'straße'", [3]),
    ("TERNARY(ANY a > 4, 'x', 'y') == 'x'", [3, 4]),
  ]

  private static let places: [(String, [UInt64])] = [
    ("spot IN geoCircle([0, 0], 100km)", [1]), ("spot geoWithin geoCircle([0, 0], 0.1)", [1]),
    ("spot geoWithin geoCircle([0, 0], 0m)", [1]), ("spot geoWithin geoCircle([-90, -90], 70mi)", [4]),
    ("spot geoWithin geoBox([170, 0], [-170, 20])", [3]),
    ("spot geoWithin geoBox([-180, -90], [180, 90])", [1, 3, 4, 5]),
    ("NOT spot geoWithin geoBox([-180, -90], [180, 90])", [2]), ("spot geoWithin geoBox([0, 0], [1, 1])", [1]),
    ("spot geoWithin geoBox([20, 80], [30, 90])", [5]), ("spot geoWithin geoBox([-1, -1], [1, 1])", [1]),
    ("spot geoWithin geoPolygon({[-1, -1], [1, -1], [1, 1], [-1, 1]})", [1]),
    (
      "spot IN geoPolygon({[-1, -1], [1, -1], [1, 1], [-1, 1]}, {[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]})",
      []
    ),
    ("spot geoWithin geoPolygon({[0, 80], [120, 80], [-120, 80]})", [5]),
    ("spot geoWithin geoPolygon({[170, 0], [-170, 0], [-170, 20], [170, 20]})", [3]),
    ("spot geoWithin geoPolygon({[0, 0], [5, 0], [0, 5]})", [1]),
    ("distance(spot, [0, 0]) < 1", [1]), ("distance(spot, [0, 0]) == nil", [2]),
    ("distance([0, 0], [0, 1]) BETWEEN {111195, 111196}", all),
    ("distance([179, 0], [-179, 0]) BETWEEN {222390, 222391}", all), ("distance(spot, [0, 90]) < 1", [5]),
  ]

  // MARK: Tails

  private static let tails: [(String, [UInt64])] = [
    ("TRUEPREDICATE SORT(d ASC)", [2, 4, 1, 3, 5]), ("TRUEPREDICATE SORT(d DESC)", [5, 3, 1, 4, 2]),
    ("TRUEPREDICATE SORT(i)", [2, 5, 1, 3, 4]), ("SORT(b DESC)", [1, 3, 5, 2, 4]),
    ("SORT(b DESC, i DESC)", [3, 1, 5, 4, 2]),
    ("DISTINCT(b)", [1, 2]), ("TRUEPREDICATE DISTINCT(p.x)", [1, 2, 3, 5]), ("LIMIT(2) OFFSET(1)", [2, 3]),
    ("OFFSET(1) LIMIT(2)", [2, 3]), ("SORT(d DESC) LIMIT(2) SORT(i ASC)", [5, 3]),
    ("LIMIT(3) SORT(d DESC) LIMIT(1)", [3]),
    ("SORT(a.@count DESC)", [1, 3, 4, 5, 2]), ("SORT(a.@max ASC)", [2, 5, 1, 3, 4]), ("DISTINCT(a.@count)", [1, 2, 3]),
    ("SORT(i + 0 DESC)", [4, 3, 1, 5, 2]), ("SORT(TERNARY(b, 1, 0)) LIMIT(2)", [2, 4]),
    ("SORT(a[0])", [2, 5, 1, 3, 4]),
    ("DISTINCT(d * 0)", [1, 2]), ("b SORT(d) OFFSET(1)", [3, 5]),
    ("SORT(SUBQUERY(a, $t, $t > 1).@count DESC, i ASC)", [1, 3, 5, 4, 2]),
    ("DISTINCT(firstLetter(s))", [1, 2, 3, 4, 5]),
    // Ties keep the order they had.
    ("SORT(d DESC) SORT(b)", [4, 2, 5, 3, 1]), ("SORT(d DESC) SORT(b) LIMIT(3)", [4, 2, 5]),
    ("SORT(d DESC) LIMIT(4) SORT(b DESC)", [5, 3, 1, 4]), ("SORT(d DESC) DISTINCT(i) SORT(b)", [4, 2, 5, 3, 1]),
    ("SORT(d) SORT(@type)", [2, 4, 1, 3, 5]), ("SORT(i) SORT(i DESC) SORT(b)", [4, 2, 3, 1, 5]),
  ]

  private static let withArguments: [Fact] = [
    Fact(query: "%K == %@", rows: [1], arguments: [.string("i"), .int(5)]),
    Fact(query: "%K > %d AND b == %@", rows: [3, 5], arguments: [.string("p.x"), .int(7), .bool(true)]),
    Fact(query: "$K0 == $1 OR i == $1", rows: [1], arguments: [.string("d"), .int(5)]),
    Fact(query: "i IN %@", rows: [1, 5], arguments: [.list([.int(5), .int(-7)])]),
    Fact(query: "i BETWEEN %@", rows: [1, 5], arguments: [.list([.int(-7), .int(5)])]),
    Fact(query: "f == %@", rows: [1], arguments: [.double(0.1)]),
    Fact(query: "a == %@", rows: [5], arguments: [.list([.int(1), .int(2)])]),
    Fact(query: "m[%@] == %@", rows: [1], arguments: [.string("k"), .int(1)]),
    Fact(query: "%@ IN w", rows: [1], arguments: [.string("x")]),
    Fact(query: "SUBQUERY(a, $t, $t > %@).@count > %d", rows: [3], arguments: [.int(2), .int(1)]),
    Fact(query: "s == %@", rows: [], arguments: [.string("' OR TRUEPREDICATE OR s == '")]),
    Fact(query: "LIMIT(%@) OFFSET(%@)", rows: [3], arguments: [.int(1), .int(2)]),
  ]
}

extension LanguageFacts {
  // MARK: §4 and §6: errors

  /// What is an error when it is compiled.
  static let refused = [
    "i == '5'", "s == 5", "t == 5",
    "s > 1 + 1", "b == 2", "b == s",
    "i CONTAINS '5'", "i IN {1, 'a'}", "p > 5",
    "p.x == s", "s + 1 == 2", "t == 'yesterday'",
    "i ==[c] 5", "length(i) == 1", "unknown == 1",
    "p.y == 1", "~d == 1", "i << 1.5 == 1",
    "i", "SORT(p)", "s MATCHES[d] 'x'",
    "s ==[l] 'x'", "s MATCHES '(a)\\1'", "i == 99999999999999999999",
    "1 < i < 5", "i BETWEEN {1, 2, 3}", "ANY i > 5",
    "w > 5", "a CONTAINS 'x'", "a == {'x'}",
    "i == {5}", "'x' IN a", "a ==[c] 5",
    "SUBQUERY(a, $t, $t == 'x').@count > 0", "w.@sum == 1",
    "TERNARY(b, 1, 'x') == 1", "nothing(i) == 1",
    "x CONTAINS 'or'", "x CONTAINS[c] binary('or')", "x MATCHES binary('f.*')", "s CONTAINS binary('a')",
    "x LIKE[n] binary('*')", "a CONTAINS {1, 2}", "w CONTAINS {1}", "t == T-1:1", "i.length == 1", "a.length == 1",
    "(i + 1).length == 1", "y CONTAINS {'a'}", "w MATCHES w", "x.length == 4",
    "spot == 5", "i IN geoCircle([0, 0], 1km)",
  ]
}
