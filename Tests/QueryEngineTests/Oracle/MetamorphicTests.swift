import Diagnostics
import Foundation
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import TestSeeds
import Testing
import Values

/// What must hold between the answers to queries, whatever they mean: no oracle is asked.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length.
struct MetamorphicTests {
  /// What relates the answers to one predicate, or to two.
  enum Relation: CaseIterable {
    /// A predicate and its opposite share the objects between them.
    case opposite
    /// Counting finds as many as asking each object by itself, with no index and no shortcut.
    case eachByItself
    /// What is printed and read again finds the same.
    case readAgain
    /// AND finds what both find, OR what either finds.
    case both, either
  }

  @Test(arguments: Relation.allCases)
  func relationHolds(relation: Relation) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = testSeed()
    let wanted = environment["QUERIES"].flatMap(Int.init) ?? 1000
    let (asked, failure) = try Self.run(relation, queries: wanted, seed: seed) { $1 }
    print("MetamorphicTests: \(relation) SEED=\(seed), \(asked) asked")
    if let failure { Issue.record("\(relation) SEED=\(seed)\n\(failure)") }
  }

  /// An engine that loses an object where an operator is used is noticed.
  @Test(arguments: Relation.allCases)
  func aPlantedFaultIsNoticed(relation: Relation) throws {
    let (_, failure) = try Self.run(relation, queries: 2000, seed: 1) { predicate, rows in
      switch (relation, predicate.kind) {
      case (.opposite, .not), (.both, .and), (.either, .or): Array(rows.dropLast())
      case (.eachByItself, .comparison(let comparison)):
        if case .ternary = comparison.left.kind { Array(rows.dropLast()) } else { rows }
      // What is printed has ranges when it is read again.
      case (.readAgain, _): predicate.range.upperBound == 0 ? rows : Array(rows.dropLast())
      default: rows
      }
    }
    #expect(failure != nil, "nothing was noticed")
  }

  /// Asks until something is wrong; `fault` changes what the engine says.
  private static func run(
    _ relation: Relation, queries: Int, seed: UInt64, fault: @escaping (PredicateSyntax, [UInt64]) -> [UInt64]
  ) throws -> (asked: Int, failure: String?) {
    var random = OracleRandom(seed: seed)
    var asked = 0
    var tried = 0
    while asked < queries, tried < queries * 4 {
      let store = RandomStore.make(objects: random.pick([3, 12, 40, 40, 300]), &random)
      let written = try WrittenStore(store)
      let failure: String? = try written.file.read { snapshot in
        let engine = Engine(store: store, snapshot: snapshot, fault: fault)
        for _ in 0..<100 {
          tried += 1
          var maker = QueryMaker(store: store, random: OracleRandom(seed: random.next()))
          maker.style = .literals
          let p = maker.predicate(depth: 2)
          let q = maker.predicate(depth: 2)
          guard maker.definitions.isEmpty, let first = try engine.rows(p), let second = try engine.rows(q) else {
            continue
          }
          asked += 1
          if let problem = try engine.problem(relation, p, first, q, second, written.objects.map(\.number)) {
            return "\(SchemaText.print(store.schema))\n\(p)\n\(q)\n\(problem)"
          }
        }
        return nil
      }
      if let failure { return (asked, failure) }
    }
    return (asked, nil)
  }

  /// The engine on one store, with or without a fault.
  private struct Engine {
    let store: RandomStore
    let snapshot: Snapshot
    let fault: (PredicateSyntax, [UInt64]) -> [UInt64]

    func compile(_ predicate: PredicateSyntax) -> CompiledQuery? {
      var description = QueryDescription(entity: store.entity.name)
      let text = predicate.predicateFormat
      guard (try? description.append(FilterSyntax(predicate: predicate), SourceContext(source: text))) != nil else {
        return nil
      }
      return try? CompiledQuery(description, schema: snapshot.schema)
    }

    /// What it finds; nil when it is an error.
    func rows(_ predicate: PredicateSyntax) throws -> [UInt64]? {
      guard let query = compile(predicate) else { return nil }
      return fault(predicate, try query.plan(in: snapshot).objects(in: snapshot).map(\.rawValue))
    }

    func problem(
      _ relation: Relation, _ p: PredicateSyntax, _ first: [UInt64], _ q: PredicateSyntax, _ second: [UInt64],
      _ all: [UInt64]
    ) throws -> String? {
      switch relation {
      case .opposite:
        guard let others = try rows(PredicateSyntax(.not(p))) else { return "its opposite is an error" }
        return (first + others).sorted() == all ? nil : "it finds \(first), its opposite \(others)"
      case .eachByItself:
        let (one, zero) = (ExpressionSyntax(.literal(.int(1))), ExpressionSyntax(.literal(.int(0))))
        let ternary = ExpressionSyntax(.ternary(p, one, zero))
        let each = PredicateSyntax(.comparison(ComparisonSyntax(left: ternary, comparator: .equal, right: one)))
        let count = try compile(p)?.plan(in: snapshot).count(in: snapshot)
        guard let slow = try rows(each) else { return "\(each) is an error" }
        if count != first.count { return "it counts \(count ?? -1) and finds \(first)" }
        return slow == first ? nil : "it finds \(first), object by object \(slow)"
      case .readAgain:
        let read = try PredicateParser.predicate(p.predicateFormat)
        let again = try rows(read)
        return again == first ? nil : "it finds \(first), read again \(again ?? [])"
      case .both:
        let both = PredicateSyntax(.and(Self.parts(p, q) { if case .and(let parts) = $0.kind { parts } else { nil } }))
        let found = try rows(both)
        let wanted = first.filter(Set(second).contains)
        return found == wanted ? nil : "both find \(found ?? []), not \(wanted)"
      case .either:
        let either = PredicateSyntax(.or(Self.parts(p, q) { if case .or(let parts) = $0.kind { parts } else { nil } }))
        let found = try rows(either)
        let wanted = Set(first).union(second).sorted()
        return found == wanted ? nil : "either finds \(found ?? []), not \(wanted)"
      }
    }

    /// Chains are flat.
    private static func parts(
      _ p: PredicateSyntax, _ q: PredicateSyntax, _ inner: (PredicateSyntax) -> [PredicateSyntax]?
    ) -> [PredicateSyntax] { (inner(p) ?? [p]) + (inner(q) ?? [q]) }
  }
}
