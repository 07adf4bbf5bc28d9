import Foundation
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Most predicates are plain and are bound and rewritten in a short way, which must come to what the long way comes to.
@Suite struct ShortWayTests {
  private static let seed = testSeed()

  /// Random queries, each with the schema of its store.
  private static func forEachQuery(_ body: (RandomQuery, TestStore, StoredEntity, StoredSchema) throws -> Void) throws {
    var random = OracleRandom(seed: seed)
    for _ in 0..<30 {
      let random = OracleRandom(seed: random.next())
      var making = random
      let made = RandomStore.make(objects: 12, &making)
      let store = try TestStore(made.schema, rows: [])
      let schema = try store.file.beginSnapshot().schema
      guard let entity = schema.entity(named: made.entity.name) else { continue }
      for _ in 0..<60 {
        var maker = QueryMaker(store: made, random: OracleRandom(seed: making.next()))
        try body(maker.make(), store, entity, schema)
      }
    }
  }

  @Test func plainComparisonsAreBoundAsAtLength() throws {
    var plain = 0
    try Self.forEachQuery { query, _, entity, schema in
      query.filter.predicate?.walk { node in
        guard case .predicate(let predicate) = node, case .comparison(let comparison) = predicate.kind else {
          return true
        }
        var short = Binder(entity: entity, schema: schema, source: "")
        var long = short
        if let bound = short.plain(comparison, in: predicate) {
          plain += 1
          // NaN is not equal to itself.
          if predicate.predicateFormat.contains("nan") { return true }
          #expect(
            bound == long.comparisonAtLength(comparison, in: predicate), "\(predicate.predicateFormat) \(Self.seed)")
          #expect(long.diagnostics.isEmpty && short.diagnostics.isEmpty, "\(predicate.predicateFormat) \(Self.seed)")
        }
        return true
      }
    }
    #expect(plain > 200, "\(plain)")
  }

  /// A name with a dot in it is no way to a leaf of a struct, and a wrong kind of constant stays an error.
  @Test func whatIsNotPlainIsNot() throws {
    let schema = Schema(
      entities: [
        Entity(
          name: "Item",
          properties: [
            Property(name: "home", type: .embedded("Home")), Property(name: "n", type: .scalar(.int)),
            Property(name: "f", type: .scalar(.float)), Property(name: "t", type: .scalar(.string)),
          ])
      ], embedded: [Entity(name: "Home", properties: [Property(name: "city", type: .scalar(.string))])])
    let store = try TestStore(schema, rows: [])
    for text in ["`home.city` == 'x'", "n == 'x'", "n ==[c] 5", "t > 5", "ANY n == 1", "n == %@", "home == 1"] {
      #expect(throws: (any Error).self, "\(text)") { try store.compile(text) }
    }
    for text in ["home.city == 'x'", "n == 5", "n < 5.5", "t ==[c] 'x'", "f == 0.1", "n == nil", "t CONTAINS 'x'"] {
      #expect(throws: Never.self, "\(text)") { try store.compile(text) }
    }
  }

  private static func dumped(_ predicate: BoundPredicate) -> String {
    var text = ""
    dump(predicate, to: &text)
    return text
  }

  @Test func rulesLeaveWhatDoesNotConcernThem() throws {
    var left = 0
    try Self.forEachQuery { query, _, entity, schema in
      var description = QueryDescription(entity: entity.name)
      try? description.append(
        query.filter, SourceContext(source: "", arguments: query.arguments, definitions: query.definitions))
      guard let compiled = try? CompiledQuery(description, schema: schema),
        case .filter(let bound)? = compiled.stages.first
      else { return }
      let context = RuleContext(entity: entity, now: Instant(seconds: 0))
      var predicate = bound
      for rule in PlannerRule.all {
        let next = rule.apply(predicate, context)
        if !rule.concerns(predicate) {
          left += 1
          // NaN, as log(-1) is, is not equal to itself, but looks the same.
          let isLeft = next == predicate || Self.dumped(next) == Self.dumped(predicate)
          #expect(isLeft, "\(rule.name): \(predicate.syntax.predicateFormat) \(Self.seed)")
        }
        predicate = next
      }
    }
    #expect(left > 1_000, "\(left)")
  }

  /// In a simple predicate there is nothing to be filled in, nothing named and nothing too large.
  @Test func simplePredicatesNeedNoFilling() throws {
    var simple = 0
    try Self.forEachQuery { query, _, _, _ in
      guard let predicate = query.filter.predicate, predicate.isSimple else { return }
      simple += 1
      #expect(predicate.placeholders().isEmpty)
      #expect(SyntaxLimits.violation(of: predicate) == nil)
      var filling = ArgumentSubstitution(context: SourceContext(source: "")) { _ in false }
      // NaN is not equal to itself.
      let isLeft = filling.predicate(predicate) == predicate || predicate.predicateFormat.contains("nan")
      #expect(isLeft, "\(predicate.predicateFormat)")
      filling.finish()
      #expect(filling.diagnostics.isEmpty)
    }
    #expect(simple > 50, "\(simple)")
  }

  @Test func largePredicatesAreNotSimple() throws {
    func parsed(_ text: String) throws -> PredicateSyntax { try #require(try PredicateParser.filter(text).predicate) }
    #expect(try parsed("a == 1 AND (b < 2 OR NOT c CONTAINS 'x')").isSimple)
    #expect(try !parsed(Array(repeating: "a == 1", count: 65).joined(separator: " AND ")).isSimple)
    #expect(try !parsed("NOT (NOT (NOT (NOT (NOT a == 1))))").isSimple)
    let inner = try parsed("a == 1 AND b == 2")
    #expect(!PredicateSyntax(.and([inner, try parsed("c == 3")])).isSimple)
    #expect(PredicateSyntax(.or([inner, try parsed("c == 3")])).isSimple)
    #expect(!PredicateSyntax(.or([PredicateSyntax(.or([inner, inner])), inner])).isSimple)
    for text in [
      "a == %@", "$big", "a IN {1, 2}", "tasks.@count > 1", "a[0] == 1", "a + 1 == 2", "a == b", "%K == 1", "flag",
    ] {
      #expect(try !parsed(text).isSimple, "\(text)")
    }
  }
}
