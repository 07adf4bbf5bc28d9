import Schema
import Testing
import Values

@testable import QueryEngine

/// The table of language.md §4 on nil and NaN, one row a case. The objects: nil, NaN, 1, 5.
@Suite struct NilRuleTests {
  @Test(arguments: [
    ("x == nil", [0]), ("x != nil", [1, 2, 3]), ("x < nil", []), ("x > nil", []), ("x <= nil", [0]), ("x >= nil", [0]),
    ("nil == x", [0]), ("x == 5", [3]), ("x != 5", [0, 1, 2]), ("NOT x == 5", [0, 1, 2]), ("x > 1", [3]),
    ("NOT x > 1", [0, 1, 2]), ("x <= 1", [2]), ("NOT x <= 1", [0, 1, 3]), ("NOT (x > 1 OR x == nil)", [1, 2]),
    ("x BETWEEN {1, 5}", [2, 3]), ("x BETWEEN {5, 1}", []), ("x BETWEEN {nil, 5}", []),
    ("NOT x BETWEEN {nil, 5}", [0, 1, 2, 3]),
    ("x IN {1, nil}", [0, 2]), ("x IN {}", []), ("NOT x IN {1, 5}", [0, 1]), ("x == x", [0, 2, 3]), ("x != x", [1]),
    ("x <= x", [0, 2, 3]), ("x + 1 == nil", [0]), ("x + 1 > 2", [3]), ("x / 0 == nil", [0]),
    ("nil == nil", [0, 1, 2, 3]),
    ("nil != nil", []), ("1 == 1", [0, 1, 2, 3]), ("x == nan", []), ("x != nan", [0, 1, 2, 3]),
    ("TERNARY(x == nil, 7, x) > 4", [0, 3]),
  ])
  func rules(_ text: String, _ expected: [Int]) throws {
    let store = try TestStore(.double, [.null, .double(.nan), .double(1), .double(5)])
    #expect(try store.rows(text) == expected)
    for plan in try store.everyPlan(text) { #expect(plan.rows == expected, "plan \(plan.name)") }
    let indexed = try TestStore(.double, indexed: true, [.null, .double(.nan), .double(1), .double(5)])
    for plan in try indexed.everyPlan(text) { #expect(plan.rows == expected, "plan \(plan.name) with an index") }
  }

  /// No rounding: the neighbours of 2⁵³ and the ends of Int64.
  @Test(arguments: [
    ("x == 9007199254740992.0", [0]), ("x > 9007199254740992.0", [1, 2, 3]), ("x == 9007199254740993", [1]),
    ("x < 9007199254740994.0", [0, 1, 4]), ("x >= 9223372036854775808.0", []),
    ("x < 9223372036854775808.0", [0, 1, 2, 3, 4]),
    ("x <= -9223372036854775808.0", [4]), ("x == 1e19", []), ("x != 1e19", [0, 1, 2, 3, 4]),
    ("x > -inf", [0, 1, 2, 3, 4]),
    ("x BETWEEN {9007199254740993, 9007199254740994.0}", [1, 2]),
  ])
  func exactNumbers(_ text: String, _ expected: [Int]) throws {
    let values: [Int64] = [1 << 53, (1 << 53) + 1, (1 << 53) + 2, .max, .min]
    for indexed in [false, true] {
      let store = try TestStore(.int, indexed: indexed, values.map(Value.int))
      for plan in try store.everyPlan(text) { #expect(plan.rows == expected, "plan \(plan.name)") }
    }
  }

  @Test func doublesAgainstBigIntegers() throws {
    let store = try TestStore(.double, [.double(0x1p53), .double(0x1p53 + 2), .double(0x1p63)])
    #expect(try store.rows("x == 9007199254740993") == [])
    #expect(try store.rows("x < 9007199254740993") == [0])
    #expect(try store.rows("x > 9007199254740993") == [1, 2])
    #expect(try store.rows("x > 9223372036854775807") == [2])
    #expect(try store.rows("x == 9223372036854775807") == [])
  }

  @Test func literalsAreRoundedToFloat() throws {
    let store = try TestStore(.float, [.float(0.1), .float(0.2), .null])
    #expect(try store.rows("x == 0.1") == [0])
    #expect(try store.rows("x > 0.1") == [1])
    #expect(try store.rows("x IN {0.1, 0.2}") == [0, 1])
    #expect(try store.rows("x + 0 == 0.1") == [])
  }
}
