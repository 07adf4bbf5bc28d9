import PredicateLanguage
import Schema
import Testing
import Values

@testable import QueryEngine

/// What indexes of folded texts answer, and that they answer as a scan does.
@Suite struct FoldedIndexTests {
  private static func store(_ texts: [Value]) throws -> TestStore {
    let entity = Entity(
      name: "Item", properties: [Property(name: "x", type: .scalar(.string), isOptional: true)],
      indexes: [Index(kind: .folded, paths: ["x"])])
    return try TestStore(Schema(entities: [entity]), rows: texts.map { [$0] })
  }

  private static let words = [
    "", "a", "Alaska", "ALASKA", "aläska", "Straße", "STRASSE", "strasse", "Strass", "Ş", "ß", "ss", "S", "ſ", "resume",
    "Résumé", "ΑΙ", "αι", "ᾳ", "ᾼ", "α", "ά", "ι", "\u{345}", "α\u{345}β", "αιβ", "ᾳβ", "κᾳὶ", "και", "ΚΑΙ", "κα",
    "\u{390}",
    "ΐ", "İ", "i\u{307}", "i", "ı", "I", "ǰ", "J\u{30C}", "j", "\u{301}", "\u{0}", "K", "k", "\u{212A}", "가", "각", "日本",
  ]

  /// Every plan, with every operator and option, over words that fold in odd ways.
  @Test func everyPlanFindsTheSame() throws {
    let store = try Self.store(Self.words.map { .string($0) } + [.null])
    let plain = try TestStore(.string, Self.words.map { .string($0) } + [.null])
    var viaIndex = 0
    for word in Self.words {
      for comparison in ["==", "BEGINSWITH", "LIKE", "!=", "CONTAINS", "<=", "MATCHES"] {
        for options in ["", "[c]", "[d]", "[cd]"] {
          if comparison == "MATCHES" && options.contains("d") { continue }
          let right = Value.string(word).written
          let text = "x \(comparison)\(options) \(right)"
          let expected = try plain.rows(text)
          let plans = try store.everyPlan(text)
          for plan in plans { #expect(plan.rows == expected, "\(text), plan \(plan.name)") }
          if plans.count > 1 { viaIndex += 1 }
        }
      }
    }
    for text in ["x IN[cd] {'RESUME', 'ss', nil, 'ά'}", "x IN[c] {'αι', 'alaska'}", "x IN {'ss', 'K'}", "x == nil"] {
      let plans = try store.everyPlan(text)
      #expect(plans.count > 1, "\(text)")
      for plan in plans { #expect(plan.rows == (try plain.rows(text)), "\(text), plan \(plan.name)") }
    }
    #expect(viaIndex > 300)
  }

  @Test(arguments: [
    ("x ==[cd] 'TEXT 7é'", "IndexRange  Item.x folded = \"text 7e\"", false),
    ("x ==[c] 'TEXT 7É'", "IndexRange  Item.x folded = \"text 7e\"", true),
    ("x ==[d] 'Text 7e'", "IndexRange  Item.x folded = \"text 7e\"", true),
    ("x == 'Text 7é'", "IndexRange  Item.x folded = \"text 7e\"", true),
    ("x BEGINSWITH[cd] 'TEXT 77'", "IndexRange  Item.x folded in [\"text 77\"…]", false),
    ("x BEGINSWITH[c] 'TEXT 77ι7'", "IndexRange  Item.x folded in [\"text 77\"…]", true),
    ("x LIKE[c] 'Text 77*é'", "IndexRange  Item.x folded in [\"text 77\"…]", true),
    ("x IN {'Text 7é', 'text 8é'}", "IndexRange  Item.x folded in {\"text 7e\", \"text 8e\"}", true),
    ("x IN[cd] {'Text 7é', 'text 8é'}", "IndexRange  Item.x folded in {\"text 7e\", \"text 8e\"}", false),
    ("x == nil", "IndexRange  Item.x = nil", false),
  ])
  func isChosenAndExplained(_ text: String, _ line: String, _ asksAgain: Bool) throws {
    let store = try Self.store((0..<8_000).map { .string("Text \($0)é") })
    let plan = try store.explain(text)
    #expect(plan.contains(line), "\(plan)")
    #expect(plan.contains("Filter") == asksAgain, "\(plan)")
  }

  @Test func isNotUsedForOrder() throws {
    let store = try Self.store((0..<2_000).map { .string($0 % 2 == 0 ? "a\($0)" : "B\($0)") })
    #expect(try !store.explain("x != nil SORT(x ASC) LIMIT(3)").contains("IndexOrder"))
    #expect(try !store.explain("x >= 'a1' AND x < 'a2'").contains("IndexRange"))
  }
}

extension Value {
  fileprivate var written: String { ExpressionSyntax(.literal(self)).predicateFormat }
}
