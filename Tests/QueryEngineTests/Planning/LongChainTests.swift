import Schema
import Testing
import Values

@testable import QueryEngine

/// Chains as long as the language allows are planned in a time that grows with their length, not with its square.
@Suite struct LongChainTests {
  private static let length = 20_000

  @Test(arguments: [false, true]) func equalitiesJoined(indexed: Bool) throws {
    let store = try TestStore(.int, indexed: indexed, (0..<10).map { .int($0) })
    let text = (0..<Self.length).map { "x == \($0 + 5)" }.joined(separator: " OR ")
    #expect(try store.rows(text) == [5, 6, 7, 8, 9])
  }

  @Test func rangesMerged() throws {
    let store = try TestStore(.int, (0..<10).map { .int($0) })
    let text = (0..<Self.length).map { "x > \($0 - Self.length + 6)" }.joined(separator: " AND ")
    #expect(try store.rows(text) == [6, 7, 8, 9])
  }

  @Test func conditionsThatDoNotJoin() throws {
    let store = try TestStore(.string, (0..<10).map { .string("\($0)") })
    let text = (0..<2_000).map { "x CONTAINS '\($0 + 5)'" }.joined(separator: " OR ")
    #expect(try store.rows(text) == [5, 6, 7, 8, 9])
  }
}
