import PredicateLanguage
import Testing
import Values

@testable import QueryEngine

/// The functions of language.md §3, each in both spellings, and the operators on numbers.
@Suite struct FunctionTests {
  /// What the parser reads as a function is what the binder can work out, and the other way round.
  @Test func theTableIsWhatThereIs() {
    let known =
      ScalarFunction.allCases.map(\.rawValue).filter { !$0.hasPrefix("[") } + AggregateFunction.functions.map(\.name)
      + [
        "now"
      ]
    #expect(PredicateFunction.all.map { $0.name.lowercased() }.sorted() == known.sorted())
    for function in PredicateFunction.all {
      #expect(!Shops.message("\(function.call) == nil").contains("unknown-function"), "\(function.call)")
    }
  }

  /// Constant comparisons that must hold.
  @Test(arguments: [
    "abs(-3) == 3", "abs:(-3.5) == 3.5", "abs(-9223372036854775808) == nil", "ceiling(1.2) == 2",
    "ceiling:(-1.2) == -1",
    "floor(1.8) == 1", "floor:(-1.2) == -2", "round(2.5) == 3", "round:(-2.5) == -3", "round(2.4) == 2",
    "trunc(-1.9) == -1",
    "trunc:(1.9) == 1", "sqrt(9) == 3", "sqrt:(2.25) == 1.5", "sqrt(-1) != sqrt(-1)", "exp(0) == 1", "exp:(0) == 1",
    "ln(1) == 0",
    "ln:(1) == 0", "log(1000) == 3", "log:(100) == 2", "raise:toPower:(2, 10) == 1024", "RAISE:TOPOWER:(2, -1) == nil",
    "raise:toPower:(2.0, -1) == 0.5", "modulus:by:(-7, 3) == -1", "modulus:by:(7, -3) == 1", "modulus:by:(7, 0) == nil",
    "modulus:by:(7.5, 2) == 1.5", "bitwiseAnd:with:(12, 10) == 8", "bitwiseOr:with:(12, 10) == 14",
    "bitwiseXor:with:(12, 10) == 6", "leftshift:by:(1, 62) == 4611686018427387904", "leftshift:by:(1, 64) == nil",
    "rightshift:by:(-8, 1) == -4", "rightshift:by:(8, -1) == nil", "onesComplement(5) == -6",
    "onesComplement:(0) == -1",
    "uppercase('straße') == 'STRASSE'", "uppercase:('a') == 'A'", "lowercase('ÄB') == 'äb'", "lowercase:('A') == 'a'",
    "length('e\u{301}x') == 3", "length:('') == 0", "LENGTH('日本') == 2", "firstLetter('Émile') == 'É'",
    "firstLetter:('') == ''", "concat('a', 'b') == 'ab'", "CONCAT('é', '', ' ', '日本') == 'é 日本'",
    "concat('a', nil) == nil", "length(concat('e', '\u{301}')) == 2", "year(CAST(0, \"NSDate\")) == 2001",
    "month:(date('2020-03-04T05:06:07Z')) == 3",
    "day(date('2020-03-04T05:06:07Z')) == 4", "hour:(date('2020-03-04T05:06:07Z')) == 5",
    "hour(date('2020-03-04T00:30:00+01:00')) == 23", "abs(nil) == nil", "length(nil) == nil",
    "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "2 ** 3 ** 2 == 64", "-2 ** 2 == 4", "7 / 2 == 3", "-7 / 2 == -3",
    "7 / 2.0 == 3.5", "1 / 0 == nil",
    "1 / 0.0 == inf", "0 / 0.0 != 0 / 0.0", "9223372036854775807 + 1 == nil", "9223372036854775807 + 1.0 > 1",
    "2 ** -1 == nil", "2 ** 63 == nil", "2.0 ** -1 == 0.5", "1 << 3 == 8", "1 << 64 == nil", "1 >> -1 == nil",
    "-8 >> 1 == -4",
    "6 & 3 == 2", "6 | 3 == 7", "6 ^ 3 == 5", "1 | 2 ^ 2 & 3 == 1", "~5 == -6", "nil + 1 == nil",
    "TERNARY(1 < 2, 'a', 'b') == 'a'", "TERNARY(1 > 2, 1, 2.5) == 2.5", "TERNARY(TRUEPREDICATE, nil, 1) == nil",
    "date('2020-01-02') - date('2020-01-01') == 86400", "date('2020-01-01') + 86400 == date('2020-01-02')",
    "86400 + date('2020-01-01') == date('2020-01-02')", "date('2020-01-02') - 86400 == date('2020-01-01')",
    "now() == now()",
    "9007199254740993 > 9007199254740992.0", "9007199254740993 != 9007199254740992.0", "TRUE > FALSE", "TRUE == 1",
    "0 == FALSE",
    "nil <= nil", "NOT nil < nil", "nan != nan", "NOT nan == nan", "-0.0 == 0", "'a' < 'b'", "'Z' < 'a'",
    "'PREIS' ==[c] 'preis'",
    "'ПРИВЕТ' ==[c] 'привет'", "'STRASSE' ==[c] 'straße'", "'resume' ==[d] 'résumé'", "'résumé' LIKE[cd] 'R*E'",
    "'a' !=[c] 'b'",
    "'abc' CONTAINS ''", "'abc' BEGINSWITH ''", "NOT nil CONTAINS ''", "'abc' LIKE 'a?c'", "'a*c' LIKE 'a\\*c'",
    "'x' IN 'xyz'", "2 BETWEEN {1, 3}", "NOT 2 BETWEEN {3, 1}", "NOT nil BETWEEN {nil, nil}", "@type == 'Shop'",
  ])
  func holds(_ text: String) throws {
    #expect(try Shops.matching(text) == [0, 1, 2, 3, 4], "\(text): \(Shops.message(text))")
  }

  @Test(arguments: [
    "abs('x') == 1", "length(5) == 1", "year(5) == 1", "bitwiseAnd:with:(1.5, 1) == 1", "uppercase(5) == 'x'",
    "1 & 1.5 == 1", "~1.5 == 1",
    "-'x' == 1", "'a' + 'b' == 'ab'", "date('2020-01-01') + date('2020-01-01') > now()", "5 - date('2020-01-01') > 5",
    "date('2020-01-01') * 2 > now()", "TERNARY(TRUEPREDICATE, 1, 'x') == 1", "1 == '1'", "TRUE == 2", "TRUE > 'x'",
    "now() > 5",
    "5 LIKE '5'", "5 BEGINSWITH '5'", "1 IN {1, 'x'}", "2 BETWEEN {1, 'x'}", "5 ==[c] 5", "name MATCHES name",
  ])
  func typesAreChecked(_ text: String) {
    #expect(Shops.message(text).contains("error[type-mismatch]"), "\(text): \(Shops.message(text))")
  }

  @Test func rangesAreAskedForByTheirBounds() throws {
    let range = Arguments([.range(.int(1), .int(3))])
    #expect(try Shops.matching("size IN %@", range) == [0, 4])
    #expect(try Shops.matching("size BETWEEN %@", range) == [0, 4])
    #expect(try Shops.matching("NOT size IN %@", range) == [1, 2, 3])
    #expect(try Shops.matching("ALL ratings IN %@", range) == [1, 3])
    #expect(try Shops.matching("size IN %@", Arguments([.range(.null, .null)])) == [])
    #expect(try Shops.compiled("size IN %@", range).predicateFormat == "size BETWEEN {1, 3}")
    #expect(try Shops.matching("size IN %@", Arguments([.list([.int(1), .int(3)])])) == [0, 4])
    #expect(try Shops.matching("size BETWEEN %@", Arguments([.list([.int(1), .int(3)])])) == [0, 4])
    #expect(Shops.message("size == %@", range).contains("error[type-mismatch]"))
    #expect(Shops.message("name IN %@", range).contains("error[type-mismatch]"))
  }

  @Test func aPercentSignInLikeIsANote() {
    #expect(Shops.message("name LIKE '%x%'").contains("ok\nwarning[percent-in-like]"))
    #expect(Shops.message("name LIKE '*x*'") == "ok")
    #expect(Shops.message("name LIKE '100%*'") == "ok")
  }

  /// `\%` is a percent sign elsewhere, and two characters here.
  @Test(arguments: [(#"'100\%'"#, "'100%'"), (#"'\%\\%'"#, "'%%'"), (#"'1\\\%'"#, nil)])
  func anEscapedPercentSignNeedsNoBackslash(_ pattern: String, _ mended: String?) throws {
    let warning = try #require(try Shops.compiled("name LIKE \(pattern)").warnings.first)
    #expect(warning.code == .percentInLike)
    #expect(warning.fixes.map(\.replacement) == (mended.map { [$0] } ?? []))
    if let mended { #expect(!Shops.message("name LIKE \(mended)").contains("needs no backslash")) }
  }

  @Test func longListsAreLookedUp() throws {
    let many = (0..<40).map { "\($0 * 3)" }.joined(separator: ", ")
    #expect(try Shops.matching("size * 1 IN {\(many)}") == [0, 2])
    #expect(try Shops.matching("ANY ratings IN {\(many), 5.0}") == [0, 2])
    #expect(try Shops.matching("ANY scores IN {\(many), nan, 0.5}") == [4])
    let row = HandMadeRow(values: Shops.rows[0])
    guard case .filter(let predicate)? = try Shops.compiled("size * 1 IN {\(many), nil}").stages.first else { return }
    #expect(try predicate.prepared.holds(for: row))
    #expect(try predicate.prepared.holds(for: HandMadeRow(values: Shops.rows[1])) == false)
    #expect(predicate.prepared != predicate)
  }
}
