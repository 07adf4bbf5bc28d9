import Diagnostics
import PredicateLanguage
import Testing

/// Applying the first fix of every diagnostic gives a text that means what was meant.
@Suite struct FixTests {
  @Test(arguments: [
    ("name IS NULL", "name == nil"), ("name IS NOT NULL AND a === 5", "name != nil AND a == 5"),
    ("x NOT IN {1, 2}", "NOT x IN {1, 2}"), ("name NOT LIKE 'x*' AND b == 1", "NOT name LIKE \"x*\" AND b == 1"),
    ("x BETWEEN 1 AND 5", "x BETWEEN {1, 5}"), ("x BETWEEN %@ AND %@", "x BETWEEN {%@, %@}"),
    ("x BETWEEN (1, 5) OR x IN [1, 2]", "x BETWEEN {1, 5} OR x IN {1, 2}"), ("1 < x < 5", "1 < x AND x < 5"),
    ("1 < x < 5 <= y != 7", "1 < x AND x < 5 AND 5 <= y AND y != 7"),
    ("COUNT(*) > 5", "@count > 5"), ("name == “fat” AND age ≥ 5", "name == \"fat\" AND age >= 5"),
    ("name == 'O'Brien' AND x == 1", "name == \"O'Brien\" AND x == 1"), ("name CONTIANS 'x'", "name CONTAINS \"x\""),
    ("name STARTSWITH 'x' AND name ILIKE 'y*'", "name BEGINSWITH \"x\" AND name LIKE[c] \"y*\""),
    ("name == fat cat", "name == \"fat cat\""), ("code == 12ab", "code == \"12ab\""),
    ("a % 2 == 0", "modulus:by:(a, 2) == 0"), ("a %b == 0", "modulus:by:(a, b) == 0"), ("a := 5", "a == 5"),
    ("name ==[l] 'x'", "name ==[cd] \"x\""), ("a = = 5", "a == 5"), ("a > 5, b < 3", "a > 5 AND b < 3"),
    ("tasks.@cuont > 1", "tasks.@count > 1"), ("x − 1 > 2", "x - 1 > 2"),
    ("upper(name) == 'X'", "uppercase(name) == \"X\""),
    ("(a == 1", "a == 1"), ("a == 1)", "a == 1"), ("SORT(a DESCENDING)", "SORT(a DESC)"), ("a == {1, 2", "a == {1, 2}"),
    ("x IN (1, 2) AND y IS NULL", "x IN {1, 2} AND y == nil"), ("name == 'a\\q'", "name == \"a\\\\q\""),
    ("name == 'abc", "name == \"abc\""), ("a == 5;", "a == 5"), ("name ISNULL", "name == nil"),
  ])
  func applying(_ text: String, _ expected: String) throws {
    let error = #expect(throws: DiagnosticError.self) { try PredicateParser.filter(text) }
    var bytes = Array(text.utf8)
    for fix in (error?.diagnostics ?? []).compactMap(\.fixes.first).sorted(by: {
      $0.range.lowerBound > $1.range.lowerBound
    }) {
      bytes.replaceSubrange(fix.range.lowerBound..<fix.range.upperBound, with: Array(fix.replacement.utf8))
    }
    #expect(try PredicateParser.filter(String(decoding: bytes, as: UTF8.self)).predicateFormat == expected)
  }
}
