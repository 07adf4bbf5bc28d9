import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing

@testable import QueryEngine

/// The walker of bound trees: what it reaches is what it replaces, of every kind of node.
@Suite struct TraversalTests {
  /// A short name of a node, so that two walks can be compared.
  private static func name(_ node: BoundNode) -> String {
    switch node {
    case .predicate(let predicate): "predicate \(predicate.hashValue)"
    case .expression(let expression): "expression \(expression.hashValue)"
    case .collection(let collection): "collection \(collection.hashValue)"
    }
  }

  /// A kind of node, for what was met.
  private static func kind(_ node: BoundNode) -> String {
    let text =
      switch node {
      case .predicate(let predicate): "\(predicate)"
      case .expression(let expression): "\(expression)"
      case .collection(let collection): "\(collection)"
      }
    return String(text.prefix { $0.isLetter || $0 == "." })
  }

  private final class Nodes {
    var visited: [String] = []
  }

  private static func replaced(_ predicate: BoundPredicate, _ nodes: Nodes) -> BoundPredicate {
    nodes.visited.append(name(.predicate(predicate)))
    return predicate.mapChildren({ replaced($0, nodes) }, { replaced($0, nodes) }, { replaced($0, nodes) })
  }

  private static func replaced(_ expression: BoundExpression, _ nodes: Nodes) -> BoundExpression {
    nodes.visited.append(name(.expression(expression)))
    return expression.mapChildren({ replaced($0, nodes) }, { replaced($0, nodes) }, { replaced($0, nodes) })
  }

  private static func replaced(_ collection: BoundCollection, _ nodes: Nodes) -> BoundCollection {
    nodes.visited.append(name(.collection(collection)))
    return collection.mapChildren({ replaced($0, nodes) }, { replaced($0, nodes) }, { replaced($0, nodes) })
  }

  private static func visited(_ predicate: BoundPredicate) -> [String] {
    var visited: [String] = []
    predicate.forEachNode { visited.append(name($0)) }
    return visited
  }

  private static func check(_ query: CompiledQuery, _ kinds: inout Set<String>) {
    for case .filter(let bound) in query.stages {
      // With what is remembered, too.
      for predicate in [bound, bound.prepared] {
        let nodes = Nodes()
        let replaced = replaced(predicate, nodes)
        let visited = visited(predicate)
        #expect(visited == nodes.visited)
        #expect(
          predicate.contains { if case .predicate(.remembered) = $0 { true } else { false } }
            || visited == Self.visited(replaced))
        predicate.forEachNode { kinds.insert(kind($0)) }
      }
    }
  }

  @Test func everyNodeIsReachedAndReplaced() throws {
    var random = OracleRandom(seed: testSeed())
    var kinds: Set<String> = []
    // Everything that the binder makes. `computed` is of groups; `among`, `gathered` and `test` come later.
    let wanted: Set = [
      "and", "arithmetic", "assembled", "call", "chosen", "column", "comparison", "complement", "constant", "distinct",
      "each", "element", "entry", "flattened", "item", "joined", "keys", "list", "lists", "negate", "not", "now",
      "object", "or", "own", "positions", "property", "propertyKeys", "quantified", "reduced", "remembered", "sources",
      "ternary",
    ]
    // The rarest are not in every thirty graphs.
    for round in 0..<300 {
      if round >= 30, wanted.isSubset(of: kinds) { break }
      let graph = try WrittenGraph(RandomGraph.make(objects: 5, &random))
      try graph.file.read { snapshot in
        let asked = GraphCase(world: graph.world, snapshot: snapshot)
        for _ in 0..<60 {
          var maker = GraphQueryMaker(world: graph.world, random: OracleRandom(seed: random.next()))
          let query = maker.make()
          guard let compiled = try? asked.compile(query.filter, "", maker.entity, query.arguments) else { continue }
          Self.check(compiled, &kinds)
        }
      }
      let store = RandomStore.make(objects: 5, &random)
      try WrittenStore(store).file.read { snapshot in
        for _ in 0..<60 {
          var maker = QueryMaker(store: store, random: OracleRandom(seed: random.next()))
          let query = maker.make()
          var description = QueryDescription(entity: store.entity.name)
          try description.append(
            query.filter,
            SourceContext(
              source: "", arguments: query.arguments, definitions: query.definitions, refusesExtraArguments: false))
          guard let compiled = try? CompiledQuery(description, schema: snapshot.schema) else { continue }
          Self.check(compiled, &kinds)
        }
      }
    }
    #expect(wanted.subtracting(kinds) == [])
  }
}
