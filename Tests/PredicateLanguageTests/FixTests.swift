import Diagnostics
import PredicateLanguage
import TestFixes
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

/// Words that are nearly right: a fix is the nearest, or there is none.
@Suite struct SlipTests {
  /// Every word with a letter lost, doubled, changed, or swapped with its neighbour.
  private static func slips(of word: String) -> Set<String> {
    let letters = Array(word)
    var slips: Set<String> = []
    for place in letters.indices {
      var slip = letters
      slip.remove(at: place)
      slips.insert(String(slip))
      for letter in "acdegilmnosvxy" {
        slip = letters
        slip[place] = letter
        slips.insert(String(slip))
        slip = letters
        slip.insert(letter, at: place)
        slips.insert(String(slip))
      }
      guard place + 1 < letters.count else { continue }
      slip = letters
      slip.swapAt(place, place + 1)
      slips.insert(String(slip))
    }
    return slips.subtracting([word])
  }

  private static let places: [(words: [String], text: @Sendable (String) -> String)] = [
    (MeaningWords.directions, { "SORT(a \($0))" }),
    (MeaningWords.aggregates.map { String($0.dropFirst()) }, { "tasks.@\($0).priority > 1" }),
    (MeaningWords.comparators, { "place \($0) 'x'" }),
    (MeaningWords.junctions.filter { $0 > "a" && $0 < "z" }, { "a == 1 \($0) b == 2" }),
    (MeaningWords.prefixes.filter { $0 > "a" }, { "\($0) tasks.priority == 1" }),
    (MeaningWords.functions.filter { !$0.contains(":") }, { "\($0)(a) == 1" }),
  ]

  @Test func aSlipIsNeverMendedIntoSomethingElse() {
    for (words, text) in Self.places {
      var offered = 0
      for word in words {
        for slip in Self.slips(of: word) {
          guard let error = failure(text(slip)) else { continue }
          if !error.diagnostics.flatMap(\.fixes).isEmpty { offered += 1 }
          let faults = FixMeaning.faults(of: error)
          #expect(faults.isEmpty, "\(faults.joined(separator: "; "))")
        }
      }
      #expect(offered > 20, "\(words)")
    }
  }

  /// The check itself: it refuses fixes that change a direction, an operator or an aggregate, and no others.
  @Test(arguments: [
    ("DSC", "DESC", true), ("DSC", "ASC", false), ("DESC", "ASC", false), ("descendng", "DESC", true),
    ("@median", "@avg", false), ("@mx", "@max", true), ("@mx", "@min", false), ("@mean", "@avg", true),
    ("===", "==", true), ("===", "!=", false), ("=>>", "<=", false), (">", ">=", false), ("x > 1", "x < 1", false),
    ("CONTIANS", "CONTAINS", true), ("BEGINS", "ENDSWITH", false), ("ADN", "AND", true), ("ADN", "OR", false),
    ("a AND b", "a OR b", false), ("ANY a", "ALL a", false), ("upper", "lowercase", false),
    ("upper", "uppercase", true), ("ceil", "floor", false), ("IS NOT NULL", "== nil", false),
    ("NOT a == 1", "a == 1", false),
  ])
  func aMeaningThatChangesIsRefused(_ written: String, _ replacement: String, _ isKept: Bool) {
    let range = SourceRange(0, written.utf8.count)
    let fix = Fix(message: "write '\(replacement)'", range: range, replacement: replacement)
    let error = DiagnosticError(
      source: written, Diagnostic(code: .unknownOperator, message: "", range: range, fixes: [fix]))
    #expect(FixMeaning.faults(of: error).isEmpty == isKept, "\(FixMeaning.faults(of: error))")
  }

  private func failure(_ text: String) -> DiagnosticError? {
    do {
      _ = try PredicateParser.filter(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("SORT(a DSC)", "SORT(a DESC)"), ("SORT(a DEC)", "SORT(a DESC)"), ("SORT(a ACS)", "SORT(a ASC)"),
    ("SORT(a asend)", "SORT(a ASC)"), ("SORT(a descnding)", "SORT(a DESC)"),
    ("tasks.@averge.a > 1", "tasks.@avg.a > 1"), ("tasks.@mxa.a > 1", "tasks.@max.a > 1"),
    ("medin(a) > 1", "median(a) > 1"),
  ])
  func theNearestIsOffered(_ text: String, _ expected: String) throws {
    let fixed = try #require(failure(text)?.fixedSource)
    #expect(try PredicateParser.filter(fixed).predicateFormat == expected)
  }

  /// Where two are as near, or none is near, the choices are listed and nothing is offered.
  @Test(arguments: [
    ("SORT(a UP)", "ASC and DESC"), ("SORT(a DASC)", "ASC and DESC"), ("tasks.@variance.a > 1", "@avg"),
    ("tasks.@mix.a > 1", "@min"), ("tasks.@variance.a > 1", "@stddev"), ("place REGEXP 'a.*'", "MATCHES"),
    ("place =~ 'a.*'", "MATCHES"), ("place ~= 'a*'", "LIKE"), ("sub(a, 1) > 2", "a - b"), ("mox(a) > 1", "min"),
    ("medan(a) > 1", "median"),
  ])
  func nothingIsGuessed(_ text: String, _ listed: String) throws {
    let error = try #require(failure(text))
    #expect(error.diagnostics.flatMap(\.fixes).isEmpty, "\(error)")
    #expect(error.diagnostics.contains { ([$0.message] + $0.notes).joined().contains(listed) }, "\(error)")
  }
}

/// Applies fixes and compiles again.
enum FixCheck {
  /// The best fixes together must take their diagnostics away, and so must each alternative by itself.
  static func check(_ text: String, _ compile: (String) throws(DiagnosticError) -> Void) {
    guard let error = failure(text, compile) else { return }
    let faults = FixMeaning.faults(of: error)
    #expect(faults.isEmpty, "\(faults.joined(separator: "; "))")
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
