import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// `IN[c]` and `IN[cd]` with several texts, which are folded once and looked up: the same as a comparison for each.
@Suite struct FoldedMembershipTests {
  private static let texts = [
    "Alaska", "ALASKA", "Ísland", "island", "Straße", "STRASSE", "", "\u{130}stanbul", "e\u{301}tude", "\u{FB03}",
  ]

  @Test(arguments: ["c", "d", "cd"]) func severalTextsAreComparedAsOneByOne(_ options: String) throws {
    // A few values are a dictionary, many are texts.
    for count in [30, 700] {
      let towns = (0..<count).map { "town \($0)" }
      let store = try TestStore(.string, (Self.texts + towns).map { .string($0) } + [.null])
      for chosen in [
        Self.texts, ["alaska", "ISLAND", "strasse"], ["x", "y", "z"], Self.texts + ["TOWN 7", "Town 9"],
      ] {
        let several = try store.rows("x IN[\(options)] %@", [.list(chosen.map { .string($0) })])
        let single = try Set(chosen.flatMap { try store.rows("x ==[\(options)] %@", [.string($0)]) }).sorted()
        #expect(several == single, "\(options) \(chosen)")
        let others = try store.rows("NOT x IN[\(options)] %@", [.list(chosen.map { .string($0) })])
        #expect(others == Array(Set(0...Self.texts.count + count).subtracting(single)).sorted())
      }
    }
  }

  /// A condition for each would be asked of each text.
  @Test func itIsOneCondition() throws {
    let store = try TestStore(.string, Self.texts.map { .string($0) })
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile("x IN[c] {'a', 'b', 'c', 'd'}").plan(in: snapshot)
    guard case .filter(let conjuncts) = plan.root.kind else {
      Issue.record("\(plan.explanation.text)")
      return
    }
    #expect(conjuncts.count == 1 && conjuncts[0].filter is StringFilter)
  }
}
