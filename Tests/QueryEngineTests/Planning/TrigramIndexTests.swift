import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What trigram indexes answer, and that they answer as a scan does.
@Suite struct TrigramIndexTests {
  private static func store(_ texts: [Value], kinds: [IndexKind] = [.trigram]) throws -> TestStore {
    let entity = Entity(
      name: "Item",
      properties: [
        Property(name: "x", type: .scalar(.string), isOptional: true), Property(name: "n", type: .scalar(.int)),
      ],
      indexes: kinds.map { Index(kind: $0, paths: ["x"]) } + [Index(paths: ["n"])])
    return try TestStore(
      Schema(entities: [entity]), rows: texts.enumerated().map { [$0.element, .int(Int64($0.offset % 100))] })
  }

  private static let words = [
    "", "a", "ab", "abc", "ABC", "aabc", "abcc", "äbc", "a\u{308}bc", "abcabd", "abdabc", "xabc", "abcx", "aaaa", "aaa",
    "Alaska", "ALASKA", "aläska", "Straße", "STRASSE", "Strass", "ßß", "sss", "ſſſ", "Résumé", "resume", "ᾳβγ", "αιβγ",
    "ΑΙΒΓ", "αβγ", "βγᾳ", "βγαι", "βγα", "α\u{345}βγ", "ιιι", "ΐΐΐ", "İstanbul", "i\u{307}stanbul", "istanbul", "ǰǰǰ",
    "\u{301}\u{301}abc", "a\u{0}b\u{0}", "\u{0}\u{0}\u{0}", "KKK", "\u{212A}\u{212A}\u{212A}", "가나다", "각나다", "日本語",
    "東日本語x", "ﬃ", "ffi",
  ]
  /// Longer than positions reach.
  private static let long = [
    String(repeating: "ab", count: 200), String(repeating: "x", count: 256) + "abc",
    "abc" + String(repeating: "é", count: 300), String(repeating: "y", count: 254) + "abx" + "abc",
  ]

  private static let patterns = ["*abc*", "a*abd", "*bc", "?bc*", "abc*abd*", "*ala*ska", "*ß*", "st*ss*"]
  private static let expressions = [".*abc.*", "abc.*", "x?abc", "(?i)ALASKA", "ala.*ska", ".*αιβγ.*", "Stra(ß|ss)e"]

  /// Every plan, with every operator and option, over words that share trigrams and fold in odd ways.
  @Test func everyPlanFindsTheSame() throws {
    let texts = (Self.words + Self.long).map { Value.string($0) } + [.null]
    let store = try Self.store(texts)
    let plain = try Self.store(texts, kinds: [])
    var viaIndex = 0
    var questions: [String] = []
    for options in ["", "[c]", "[d]", "[cd]"] {
      for comparison in ["==", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"] {
        questions += Self.words.map { "x \(comparison)\(options) \(Value.string($0).written)" }
        questions += Self.long.map { "x \(comparison)\(options) \(Value.string($0).written)" }
      }
      questions += Self.patterns.map { "x LIKE\(options) \(Value.string($0).written)" }
      if options == "" || options == "[c]" {
        questions += Self.expressions.map { "x MATCHES\(options) \(Value.string($0).written)" }
      }
    }
    questions += [
      "x CONTAINS[c] 'abc' AND x CONTAINS 'abd'", "x CONTAINS[c] 'abc' OR x ENDSWITH[cd] 'ka'",
      "NOT x CONTAINS[cd] 'abc'", "x CONTAINS[c] 'abc' AND n < 5", "x CONTAINS 'lask' OR n == 3",
      "x CONTAINS[cd] 'abc' SORT(x DESC) LIMIT(3)", "x CONTAINS 'abc' AND x == nil",
      "x CONTAINS[cd] 'aBc' AND NOT x BEGINSWITH 'x'", "(x CONTAINS[c] 'abc' AND n > 2) OR x LIKE '*bc'",
    ]
    for question in questions {
      let expected = try plain.rows(question)
      let plans = try store.everyPlan(question)
      for plan in plans { #expect(plan.rows == expected, "\(question), plan \(plan.name)") }
      if try store.explain(question, PlannerOptions(access: .forceIndex(["x"]))).contains("Trigram") { viaIndex += 1 }
    }
    #expect(viaIndex > 500)
  }

  /// A set of linked objects that a search finds is not looked up in their clusters.
  @Test func aSetOfWhatASearchFindsReadsNoClusters() throws {
    let store = try Self.store((0..<4_000).map { .string($0 % 100 == 7 ? "a needle" : "hay \($0)") })
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile("x CONTAINS[c] 'needle'").plan(
      in: snapshot, options: PlannerOptions(access: .forceIndex(["x"])))
    guard case .indexSearch = plan.root.kind else {
      Issue.record("\(plan.explanation.text)")
      return
    }
    let executor = Executor(plan, snapshot)
    let found = try executor.bits(try ObjectOrdinals(plan.entity, in: snapshot, executor.cancellation))
    #expect(found.numbers == (try plan.objects(in: snapshot)) && found.count == 40)
    // The table of clusters is asked for where clusters are visited.
    #expect(executor.visited == nil)
  }

  /// Texts about as long as positions reach, of two letters: whatever is sought is nearly there nearly everywhere.
  @Test(arguments: [UInt64(5), 6]) func textsAboutAsLongAsPositionsReach(seed: UInt64) throws {
    var random = OracleRandom(seed: seed)
    func text(_ count: Int) -> String {
      (0..<count).map { _ in random.once(in: 9) ? random.pick(["A", "á", "c"]) : random.pick(["a", "b"]) }.joined()
    }
    let texts = (0..<300).map { _ in
      Value.string(text(random.pick([3, 30, 200, 216, 217, 218, 250, 256, 257, 258, 300])))
    }
    let store = try Self.store(texts)
    let plain = try Self.store(texts, kinds: [])
    for _ in 0..<150 {
      let comparison = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"])
      let question = "x \(comparison)\(random.pick(["[c]", "[cd]", "[d]", ""])) '\(text(3 + random.below(12)))'"
      let expected = try plain.rows(question)
      for plan in try store.everyPlan(question) {
        #expect(plan.rows == expected, "seed \(seed): \(question), plan \(plan.name)")
      }
    }
  }

  @Test(arguments: [
    ("x CONTAINS[c] 'TEXT 77'", "Trigram  Item.x [\"tex\", \"t 7\", \" 77\"]", false),
    ("x CONTAINS[cd] 'xt 77é'", "Trigram  Item.x [\"xt \", \"77e\"]", false),
    ("x CONTAINS 'xt 77'", "Trigram  Item.x [\"xt \", \" 77\"]", true),
    ("x BEGINSWITH[cd] 'TEXT 77'", "Trigram  Item.x [^\"tex\", \"t 7\", \" 77\"]", false),
    ("x ENDSWITH[cd] '77e'", "Trigram  Item.x [\"77e\", \"7e\"$]", false),
    ("x ENDSWITH[cd] '7e'", "Trigram  Item.x [\"7e\"$]", false),
    ("x ==[cd] 'TEXT 7e'", "Trigram  Item.x", false),
    ("x LIKE 'Te*777?'", "Trigram  Item.x [\"777\"]", true),
    ("x MATCHES '.*777.+'", "Trigram  Item.x [\"777\"]", true),
    ("x CONTAINS[cd] '777' AND n == 7", "IndexIntersection", false),
    ("x CONTAINS[cd] '777' OR x CONTAINS[cd] '888'", "IndexUnion", false),
    ("x CONTAINS[cd] '777' AND x ENDSWITH[cd] '778e'", "Trigram  Item.x [", false),
  ])
  func isExplained(_ text: String, _ line: String, _ asksAgain: Bool) throws {
    let store = try Self.store((0..<8_000).map { .string("Text \($0)é") })
    let snapshot = try store.file.beginSnapshot()
    let query = try store.compile(text)
    let plans = try (0..<(try query.planCount(in: snapshot))).map {
      try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated($0))).explanation.text
    }
    let plan = try #require(
      plans.last { $0.contains(line) && $0.contains("Trigram") }, "\(plans.joined(separator: "\n"))")
    #expect(plan.contains("Filter") == asksAgain, "\(plan)")
  }

  @Test func rareTextsGoByTheIndexAndCommonOnesDoNot() throws {
    let store = try Self.store((0..<20_000).map { .string("place \($0)") })
    #expect(try store.explain("x CONTAINS[c] '12345'").hasPrefix("Trigram"))
    #expect(try store.explain("x CONTAINS[c] 'PLACE'").hasPrefix("Trigram"))
    // Every text has all of it, and has to be asked again.
    #expect(try store.explain("x CONTAINS 'place'").contains("Scan"))
    #expect(try store.explain("x CONTAINS '12'").contains("Scan"))
    let options = PlannerOptions(access: .scanOnly)
    #expect(try store.explain("x CONTAINS[c] '12345'", options).contains("Scan"))
  }

  /// A text that has none of the trigrams is found to be nowhere without a look at the objects.
  @Test func whatIsNowhereCostsNothing() throws {
    let store = try Self.store((0..<3_000).map { .string("place \($0)") })
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile("x CONTAINS[c] 'qqqq'").plan(in: snapshot)
    #expect(plan.explanation.text.contains("est 0"))
    #expect(try plan.count(in: snapshot) == 0)
  }
}

extension Value {
  fileprivate var written: String { ExpressionSyntax(.literal(self)).predicateFormat }
}
