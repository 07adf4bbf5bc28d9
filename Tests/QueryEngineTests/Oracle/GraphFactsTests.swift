import Diagnostics
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import Testing

/// What the language says about links: the oracle and every plan of the engine find what was worked out by hand.
struct GraphFactsTests {
  /// Without indexes and with them.
  private func stores() throws -> [WrittenGraph] {
    var indexed = GraphFacts.graph
    for (place, paths) in [["age", "home.no"], ["priority", "title", "cost", "done"], ["name"]].enumerated() {
      indexed.schema.entities[place].indexes += paths.map { Index(paths: [$0]) }
    }
    return [try WrittenGraph(GraphFacts.graph), try WrittenGraph(indexed)]
  }

  @Test(arguments: GraphFacts.found.indices)
  func findsWhatTheLanguageSays(number: Int) throws {
    let fact = GraphFacts.found[number]
    let filter = try PredicateParser.filter(fact.query)
    for written in try stores() {
      let entity = try #require(written.graph.schema.entity(named: fact.entity))
      let oracle = NaiveEvaluator(schema: written.graph.schema, entity: entity, world: written.world)
      #expect(try oracle.rows(filter, of: written.world.all(fact.entity)) == fact.numbers, "the oracle: \(fact.query)")
      try written.file.read { snapshot in
        let asked = GraphCase(world: written.world, snapshot: snapshot)
        let compiled = try asked.compile(filter, fact.query, entity)
        let each = (0..<(try compiled.planCount(in: snapshot))).flatMap { GraphPlans.options(.enumerated($0)) }
        for options in each + LinkAccess.allCases.flatMap({ PlannerOptions.everyWay(links: $0) }) {
          let plan = try compiled.plan(in: snapshot, options: options)
          let numbers = try plan.objects(in: snapshot).map(\.rawValue)
          #expect(numbers == fact.numbers, "\(fact.entity): \(fact.query) \(options.way)\n\(plan.explanation.text)")
        }
      }
    }
  }

  @Test(arguments: GraphFacts.refused.indices)
  func refusesWhatIsAnError(number: Int) throws {
    let (name, query) = GraphFacts.refused[number]
    guard let filter = try? PredicateParser.filter(query) else { return }
    let written = try #require(try stores().first)
    let entity = try #require(written.graph.schema.entity(named: name))
    let oracle = NaiveEvaluator(schema: written.graph.schema, entity: entity, world: written.world)
    #expect(throws: OracleError.self, "the oracle: \(query)") { try oracle.check(filter) }
    try written.file.read { snapshot in
      do {
        _ = try GraphCase(world: written.world, snapshot: snapshot).compile(filter, query, entity)
        Issue.record("\(query) is taken")
      } catch let error as DiagnosticError {
        #expect(!error.diagnostics.contains { $0.code == .unsupported }, "\(query) is only not supported")
      }
    }
  }
}
