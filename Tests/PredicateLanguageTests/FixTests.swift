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
    ("(a == 1", "a == 1"), ("a == 1)", "a == 1"), ("SORT(a DESCENDNG)", "SORT(a DESC)"), ("a == {1, 2", "a == {1, 2}"),
    ("x IN (1, 2) AND y IS NULL", "x IN {1, 2} AND y == nil"), ("name == 'a\\q'", "name == \"a\\\\q\""),
    ("name == 'abc", "name == \"abc\""), ("a == 5;", "a == 5"), ("name ISNULL", "name == nil"),
    ("a == 1 XOR b == 2", "(a == 1 OR b == 2) AND NOT (a == 1 AND b == 2)"),
    ("(flag XOR NOT b == 2) AND c == 3", "(flag OR NOT b == 2) AND NOT (flag AND NOT b == 2) AND c == 3"),
    ("name == 'x' COLLATE NOCASE AND a == 1", "name ==[c] \"x\" AND a == 1"),
    ("name COLLATE NOCASE LIKE 'x*'", "name LIKE[c] \"x*\""),
    ("NOT name ==[c] 'x' COLLATE NOCASE", "NOT name ==[c] \"x\""),
    ("felt IN (1)", "felt IN {1}"), ("felt IN (-1) OR felt IN ((2))", "felt IN {-1} OR felt IN {2}"),
    ("abs(felt > 5", "abs(felt) > 5"), ("abs(felt > 5 AND b == 1", "abs(felt) > 5 AND b == 1"),
  ])
  func applying(_ text: String, _ expected: String) throws {
    let error = #expect(throws: DiagnosticError.self) { try PredicateParser.filter(text) }
    let fixed = try #require(error?.fixedSource)
    #expect(try PredicateParser.filter(fixed).predicateFormat == expected)
  }

  /// Every fix of every golden script mends what it is offered for.
  @Test(arguments: ["mistakes", "lexical-errors", "syntax-errors", "statements", "bare-predicates"])
  func everyFixOfTheScripts(_ script: String) throws {
    let inputs = try GoldenScript.inputs(script)
    #expect(inputs.count > 5)
    for text in inputs {
      FixCheck.check(text) { text throws(DiagnosticError) in
        switch script {
        case "statements": _ = try StatementParser.statement(text)
        case "bare-predicates": _ = try StatementParser.statement(text, defaultEntity: "Quake")
        default: _ = try PredicateParser.filter(text)
        }
      }
    }
  }
}

/// Applies fixes and compiles again.
enum FixCheck {
  /// The best fixes together must take their diagnostics away, and so must each alternative by itself.
  static func check(_ text: String, _ compile: (String) throws(DiagnosticError) -> Void) {
    guard let error = failure(text, compile) else { return }
    if let fixed = error.fixedSource {
      // What a mistake hid may show now; the mistake itself must be gone, unless another of its kind had no fix.
      let mended = Set(error.diagnostics.map(\.code)).subtracting(error.diagnostics.filter(\.fixes.isEmpty).map(\.code))
      let left = failure(fixed, compile)?.diagnostics ?? []
      #expect(
        mended.isDisjoint(with: left.map(\.code)) || error.diagnostics.count == DiagnosticError.most,
        "\(text) became \(fixed): \(left.map(\.message))")
    }
    for diagnostic in error.diagnostics {
      for fix in diagnostic.fixes.dropFirst() {
        let fixed = fix.applied(to: text)
        let left = failure(fixed, compile)?.diagnostics ?? []
        #expect(
          left.count < error.diagnostics.count || error.diagnostics.count == DiagnosticError.most,
          "\(text) became \(fixed): \(left.map(\.message))")
      }
    }
  }

  private static func failure(_ text: String, _ compile: (String) throws(DiagnosticError) -> Void) -> DiagnosticError? {
    do throws(DiagnosticError) {
      try compile(text)
      return nil
    } catch {
      return error
    }
  }
}
