import PredicateLanguage
import Schema
import Storage
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
    "concat('a', nil) == nil", "trim(' \u{3000}a b\n') == 'a b'", "trim:('   ') == ''", "trim(nil) == nil",
    "substring('Zürich', 1, 3) == 'üri'", "substring('Zürich', 2) == 'rich'", "substring('abc', -1, 2) == 'a'",
    "substring('abc', 3) == ''", "substring('abc', 1, -1) == ''", "substring('abc', 1, 9223372036854775807) == 'bc'",
    "substring('abc', -9223372036854775808, -1) == ''", "substring(nil, 1) == nil", "substring('abc', nil) == nil",
    "substring('e\u{301}x', 1, 1) == '\u{301}'", "replace('a-b-c', '-', ' + ') == 'a + b + c'",
    "replace('aaa', 'aa', 'b') == 'ba'", "replace('abc', '', 'x') == 'abc'", "replace('ÄÖ', 'Ö', '') == 'Ä'",
    "replace('abc', 'b', nil) == nil", "coalesce(nil, 'a') == 'a'", "coalesce(1, 2.5) == 1",
    "coalesce(nil, nil) == nil",
    "coalesce(7, 2.0) / 2 == 3.5", "coalesce(nil, nil, 3) / 2 == 1", "coalesce(name, 'none') != nil",
    "coalesce(nil, decimal('0.10')) == 0.1", "coalesce(1, decimal('0.1')) / 4 == decimal('0.25')",
    "round(2.675, 2) == 2.68", "round(-1.005, 2) == -1.01", "round(1234.5, -2) == 1200", "round(150, -2) == 200",
    "round(-149, -2) == -100", "round(9223372036854775807, -1) == nil", "round(5, -30) == 0", "round(1.5, 400) == 1.5",
    "round(1e300, 2) == 1e300", "round(1e-300, 2) == 0", "round(9.995, 2) == 10", "round(inf, 2) == inf",
    "round(0.1 + 0.2, 1) == 0.3", "round(decimal('2.345'), 2) == decimal('2.35')",
    "round(decimal('-2.345'), 2) == decimal('-2.35')",
    "round(decimal('12345678901234567890.55'), 1) == decimal('12345678901234567890.6')",
    "round(decimal('1250'), -2) == decimal('1300')", "round(decimal('0.4'), -3) == 0", "round(nil, 2) == nil",
    "round(1.5, nil) == nil", "weekday(date('2018-02-07')) == 3", "weekday:(date('1969-12-29')) == 1",
    "weekday(date('2018-02-11T23:59:59Z')) == 7", "minute(date('2020-03-04T05:06:07Z')) == 6",
    "second:(date('2020-03-04T05:06:07.9Z')) == 7", "second(date('1969-12-31T23:59:58.5Z')) == 58",
    "bucket(date('2018-02-07T01:02:03.5Z'), 'second') == date('2018-02-07T01:02:03Z')",
    "bucket(date('2018-02-07T01:02:03Z'), 'minute') == date('2018-02-07T01:02:00Z')",
    "bucket(date('2018-02-07T01:02:03Z'), 'Hour') == date('2018-02-07T01:00:00Z')",
    "bucket(date('2018-02-07T01:02:03Z'), 'DAY') == date('2018-02-07')",
    "bucket(date('2018-02-07T01:02:03Z'), 'week') == date('2018-02-05')",
    "bucket(date('2018-02-04T23:59:59Z'), 'week') == date('2018-01-29')",
    "bucket(date('1969-12-31'), 'week') == date('1969-12-29')",
    "bucket(date('2020-02-29'), 'month') == date('2020-02-01')",
    "bucket(date('2018-12-31'), 'quarter') == date('2018-10-01')",
    "bucket(date('1900-03-01'), 'year') == date('1900-01-01')",
    "bucket(nil, 'day') == nil",
    "bucket(date('2018-02-07') + 1e300, 'day') == nil", "length(concat('e', '\u{301}')) == 2",
    "year(CAST(0, \"NSDate\")) == 2001",
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
    "trim(5) == 'x'", "substring(5, 1) == 'x'", "substring('x', 1.5) == 'x'", "substring('x', 1, 'y') == 'x'",
    "replace('x', 1, 'y') == 'x'", "coalesce(1, 'x') == 1", "coalesce(now(), 1) == 1", "round(1, 1.5) == 1",
    "round('x', 1) == 1", "minute(5) == 5", "weekday('x') == 5", "bucket(5, 'day') == now()",
    "bucket(now(), 'fortnight') == now()",
    "bucket(now(), name) == now()", "bucket(now(), nil) == now()", "bucket(now(), 5) == now()",
    "1 & 1.5 == 1", "~1.5 == 1",
    "-'x' == 1", "'a' + 'b' == 'ab'", "date('2020-01-01') + date('2020-01-01') > now()", "5 - date('2020-01-01') > 5",
    "date('2020-01-01') * 2 > now()", "TERNARY(TRUEPREDICATE, 1, 'x') == 1", "1 == '1'", "TRUE == 2", "TRUE > 'x'",
    "now() > 5",
    "5 LIKE '5'", "5 BEGINSWITH '5'", "1 IN {1, 'x'}", "2 BETWEEN {1, 'x'}", "5 ==[c] 5", "name MATCHES name",
  ])
  func typesAreChecked(_ text: String) {
    #expect(Shops.message(text).contains("error[type-mismatch]"), "\(text): \(Shops.message(text))")
  }

  @Test func aWrongPeriodIsMended() {
    let message = Shops.message("bucket(now(), 'Days') == now()")
    #expect(message.contains("fix: write 'day'"), "\(message)")
    #expect(message.contains("'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'"), "\(message)")
  }

  /// Repeated replacements cannot take all memory.
  @Test func textsDoNotGrowWithoutLimit() throws {
    let many = String(repeating: "a", count: 1_000)
    for text in ["'\(many)'", "concat(coalesce(name, 'a'), '\(many)')"] {
      let once = "replace(\(text), 'a', '\(many)')"
      #expect(try Shops.matching("length(\(once)) >= 1000000") == [0, 1, 2, 3, 4])
      var nested = once
      for _ in 0..<40 { nested = "replace(\(nested), 'a', 'aaaaa')" }
      let error = #expect(throws: StoreError.self) { try Shops.matching("\(nested) == nil") }
      #expect(error.map { "\($0)".contains("replace() makes a string of over 4 MiB") } == true)
    }
    #expect(try Shops.matching("length(replace(concat(name, 'a'), 'a', 'bbb')) > 2") == Shops.matching("name != nil"))
  }

  /// 2.675 as a Float is another Double than 2.675, with other digits.
  @Test func floatsAreRoundedByTheirOwnDigits() throws {
    let floats: [Float] = [
      2.675, 0.15, 1.005, -2.675, -0.125, 0.1, 1234.565, 16_777_216, 1e-20, 3.4e38, 8.5, 0, 4_194_303.5, .nan,
      -.infinity,
    ]
    let store = try TestStore(.float, floats.map(Value.float))
    for (row, float) in floats.enumerated() where float.isFinite {
      for places in [-2, 0, 1, 2, 5, 20] as [Int64] {
        let rounded = OracleText.rounded(.float(float), .int(places))
        for plan in try store.everyPlan("round(x, \(places)) == %@", Arguments([rounded])) {
          #expect(plan.rows.contains(row), "round(\(float), \(places)) is \(rounded)")
        }
      }
    }
    for plan in try store.everyPlan("round(x, 2) == 2.68") { #expect(plan.rows == [0]) }
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
