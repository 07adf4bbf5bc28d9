import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What queries say of decimal numbers, by every plan, with an index and without.
@Suite struct DecimalTests {
  private static let texts: [String?] = [
    "0.1", "0.10", "1", "1.00", "-2.5", nil, "nan", "9007199254740993", "12345678901234567890.5", "0",
  ]
  private static var values: [Value] {
    get throws { try texts.map { text in try text.map { .decimal(try #require(DecimalValue($0))) } ?? .null } }
  }

  @Test(
    arguments: [
      ("x == 0.1", [0, 1]), ("x == decimal('0.10')", [0, 1]), ("x == 1", [2, 3]), ("x == 1.0", [2, 3]),
      ("x != 1", [0, 1, 4, 5, 6, 7, 8, 9]), ("x < 0", [4]), ("x <= 0.1", [0, 1, 4, 9]), ("x > 0.1", [2, 3, 7, 8]),
      ("x == 9007199254740993", [7]), ("x == 9007199254740992.0", []), ("x > 9007199254740992", [7, 8]),
      ("x == decimal('12345678901234567890.5')", [8]), ("x BETWEEN {0, 1}", [0, 1, 2, 3, 9]),
      ("x BETWEEN {0.05, decimal('0.1')}", [0, 1]), ("x IN {0.1, 1, nil}", [0, 1, 2, 3, 5]),
      ("x == nil", [5]), ("x == nan", []), ("x != nan", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
      ("x < inf", [0, 1, 2, 3, 4, 7, 8, 9]), ("x > -inf AND x < 1e300", [0, 1, 2, 3, 4, 7, 8, 9]), ("x > 1e300", []),
      ("x > 1e-300", [0, 1, 2, 3, 7, 8]), ("x >= -1e-300", [0, 1, 2, 3, 7, 8, 9]), ("x < -1e-300", [4]),
      ("x * 3 == decimal('0.3')", [0, 1]), ("x * 3 == 0.3", [0, 1]), ("x + 0.2 == 0.3", [0, 1]),
      ("x * 1.1 == 1.1", [2, 3]), ("0.3 - x == 0.2", [0, 1]), ("2 * 0.1 * x == 0.2", [2, 3]),
      ("x ** 0.5 == 1", [2, 3]),
      (
        "median(n, decimal('340282366920938463463374607431768211453'), decimal('340282366920938463463374607431768211455')) == decimal('340282366920938463463374607431768211453')",
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
      ),
      ("sum(x, n) == decimal('9007199254740993') + n", [7]), ("median(x, 3) == decimal('2')", [2, 3]),
      ("x + decimal('0.2') == 0.3", [0, 1]), ("x / 3 == decimal('0.33333333333333333333333333333333333333')", [2, 3]),
      ("x ** 2 == 6.25", [4]), ("abs(x) == 2.5", [4]), ("ceiling(x) == 1", [0, 1, 2, 3]), ("round(x) == -3", [4]),
      ("modulus:by:(x, 2) == -0.5", [4]), ("-x == 2.5", [4]), ("n / x == decimal('2')", [2]),
      ("x / 0 == nil", [0, 1, 2, 3, 4, 5, 7, 8, 9]), ("TERNARY(x > 1, x, 0) > 1", [7, 8]),
      ("x SORT(x) LIMIT(20)", []), ("TRUEPREDICATE SORT(x, n DESC)", [5, 6, 4, 9, 1, 0, 3, 2, 7, 8]),
      ("TRUEPREDICATE SORT(x DESC) LIMIT(3)", [8, 7, 2]), ("TRUEPREDICATE DISTINCT(x)", [0, 2, 4, 5, 6, 7, 8, 9]),
    ] as [(String, [Int])])
  func predicatesFind(_ text: String, _ expected: [Int]) throws {
    if text == "x SORT(x) LIMIT(20)" {
      #expect(throws: DiagnosticError.self) { try TestStore(.decimal, try Self.values).compile(text) }
      return
    }
    for indexed in [false, true] {
      let store = try TestStore(.decimal, indexed: indexed, try Self.values)
      for plan in try store.everyPlan(text) { #expect(plan.rows == expected, "\(text), plan \(plan.name)") }
    }
  }

  /// A Double would lose digits, and find another number.
  @Test(
    arguments: [
      ("x == 12345678901234567890.5", "decimal('12345678901234567890.5')"),
      ("x IN {1, -0.123456789012345678}", "decimal('-0.123456789012345678')"),
      ("x BETWEEN {0, 9_007_199_254_740_993.0}", "decimal('9007199254740993.0')"),
      ("0.1234567890123456789 < x", "decimal('0.1234567890123456789')"),
      ("x > 1.23456789012345678901234567890123456789012345", nil),
    ] as [(String, String?)])
  func digitsAreNotLost(_ text: String, _ replacement: String?) throws {
    let store = try TestStore(.decimal, try Self.values)
    let error = try #require(throws: DiagnosticError.self) { try store.compile(text) }
    #expect(error.diagnostics.map(\.code) == [.typeMismatch], "\(error)")
    #expect(error.diagnostics.first?.fixes.first?.replacement == replacement, "\(error)")
    // A Double column takes what a Double has of them.
    _ = try TestStore(.double, [.double(1)]).compile(text)
  }

  @Test func aggregatesAreExact() throws {
    for indexed in [false, true] {
      let store = try TestStore(.decimal, indexed: indexed, try Self.values)
      let snapshot = try store.file.beginSnapshot()
      func value(_ aggregate: AggregateFunction, _ text: String) throws -> String {
        switch try store.compile(text).plan(in: snapshot).aggregate(aggregate, column: 1, in: snapshot) {
        case .decimal(let number): "\(number)"
        case .null: "nil"
        case let other: "\(other)"
        }
      }
      #expect(try value(.sum, "TRUEPREDICATE") == "12354686100489308883.2")
      #expect(try value(.sum, "x < 0.2") == "-2.3")
      #expect(try value(.average, "x IN {0, 1}") == "0.66666666666666666666666666666666666667")
      #expect(try value(.minimum, "TRUEPREDICATE") == "-2.5")
      #expect(try value(.maximum, "TRUEPREDICATE") == "12345678901234567890.5")
      #expect(try value(.sum, "x > 1e30") == "0")
      #expect(try value(.average, "x > 1e30") == "nil")
    }
  }

  @Test func aSumOfTooManyDigitsIsNil() throws {
    let store = try TestStore(
      .decimal, try ["1e60", "1e-60"].map { .decimal(try #require(DecimalValue($0))) })
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile("TRUEPREDICATE").plan(in: snapshot)
    #expect(try plan.aggregate(.sum, column: 1, in: snapshot) == .null)
  }
}
