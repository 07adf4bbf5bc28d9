import Foundation
import PredicateLanguage
import QueryEngine
import Schema
import Storage
import TestSeeds
import Testing
import Values

/// What must hold between the answers to queries on a graph, whatever they mean: no oracle is asked.
///
/// `SEED=…` repeats a run, `QUERIES=…` sets its length.
struct GraphMetamorphicTests {
  /// Predicates that find the same objects, and how they come from each other.
  enum Relation: CaseIterable {
    /// What is not found is found by the opposite.
    case opposite
    /// Each object asked by itself.
    case eachByItself
    /// What is printed and read again finds the same.
    case readAgain
    /// ANY is that not ALL are not, NONE that ALL are not.
    case anyIsNotAllNot, noneIsAllNot
    /// ANY, ALL and NONE by counting what a SUBQUERY chooses.
    case anyByCounting, allByCounting, noneByCounting
    /// What is chosen and what is not are all there are.
    case countIsTheSum
    /// The count is that of a SUBQUERY that chooses everything.
    case countOfEverything
    /// A links to B as B is linked to by A.
    case forwardAndBack
  }

  /// Two predicates about the objects of an entity that must find the same.
  fileprivate struct Pair {
    var entity: Entity
    var first: PredicateSyntax
    var second: PredicateSyntax
  }

  @Test(arguments: Relation.allCases)
  func relationHolds(relation: Relation) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = testSeed()
    let wanted = environment["QUERIES"].flatMap(Int.init) ?? 400
    let (asked, failure) = try Self.run(relation, queries: wanted, seed: seed) { _, rows in rows }
    print("GraphMetamorphicTests: \(relation) SEED=\(seed), \(asked) asked")
    if let failure { Issue.record("\(relation) SEED=\(seed)\n\(failure)") }
  }

  /// An engine that loses an object from each first answer is noticed.
  @Test(arguments: Relation.allCases)
  func aPlantedFaultIsNoticed(relation: Relation) throws {
    let (_, failure) = try Self.run(relation, queries: 200, seed: 1) { isFirst, rows in
      isFirst ? Array(rows.dropLast()) : rows
    }
    #expect(failure != nil, "nothing was noticed")
  }

  /// Asks until something is wrong; `fault` changes what the engine says.
  private static func run(
    _ relation: Relation, queries: Int, seed: UInt64, fault: @escaping (Bool, [UInt64]) -> [UInt64]
  ) throws -> (asked: Int, failure: String?) {
    var random = OracleRandom(seed: seed)
    var asked = 0
    var tried = 0
    while asked < queries, tried < queries * 20 {
      let graph = RandomGraph.make(objects: random.pick([3, 8, 12, 40]), &random)
      let written = try WrittenGraph(graph)
      let failure: String? = try written.file.read { snapshot in
        for _ in 0..<40 {
          tried += 1
          var maker = GraphQueryMaker(world: written.world, random: OracleRandom(seed: random.next()))
          guard let pair = maker.pair(relation), let one = try rows(pair.first, pair.entity, snapshot),
            let other = try rows(pair.second, pair.entity, snapshot)
          else { continue }
          asked += 1
          let first = fault(true, one)
          let all = written.world.all(pair.entity.name).map(\.number)
          let wanted = relation == .opposite ? all.filter { !other.contains($0) } : other
          if first != wanted {
            let query = RandomQuery(filter: FilterSyntax(predicate: pair.first))
            return """
              \(GraphCase.reproduction(graph, query, pair.entity))
              finds \(first), but \(wanted) are right by
              \(pair.second.predicateFormat)
              """
          }
        }
        return nil
      }
      if let failure { return (asked, failure) }
    }
    return (asked, nil)
  }

  /// What it finds; nil when it is an error.
  private static func rows(_ predicate: PredicateSyntax, _ entity: Entity, _ snapshot: Snapshot) throws -> [UInt64]? {
    let filter = FilterSyntax(predicate: predicate)
    var description = QueryDescription(entity: entity.name)
    guard (try? description.append(filter, SourceContext(source: filter.predicateFormat))) != nil,
      let query = try? CompiledQuery(description, schema: snapshot.schema)
    else { return nil }
    return try query.plan(in: snapshot).objects(in: snapshot).map(\.rawValue)
  }
}

extension GraphQueryMaker {
  fileprivate typealias Relation = GraphMetamorphicTests.Relation

  /// Two predicates in a relation; nil where the graph has nothing to ask so.
  fileprivate mutating func pair(_ relation: Relation) -> GraphMetamorphicTests.Pair? {
    guard let (first, second) = predicates(relation) else { return nil }
    return GraphMetamorphicTests.Pair(entity: entity, first: first, second: second)
  }

  private mutating func predicates(_ relation: Relation) -> (PredicateSyntax, PredicateSyntax)? {
    let one = ExpressionSyntax(.literal(.int(1)))
    let zero = ExpressionSyntax(.literal(.int(0)))
    switch relation {
    case .opposite:
      let p = predicate(depth: 2)
      return (p, PredicateSyntax(.not(p)))
    case .eachByItself:
      let p = predicate(depth: 2)
      return (p, compare(ExpressionSyntax(.ternary(p, one, zero)), .equal, one))
    case .readAgain:
      let p = predicate(depth: 3)
      guard let again = try? PredicateParser.predicate(p.predicateFormat) else { return nil }
      return (p, again)
    case .anyIsNotAllNot, .noneIsAllNot:
      guard let many = manyValues(depth: 1) else { return nil }
      let (value, isEqual) = (ExpressionSyntax(.literal(near(many))), random.once(in: 2))
      let all = compare(many.expression, isEqual ? .notEqual : .equal, value, [], .all)
      let comparator = isEqual ? Comparator.equal : .notEqual
      return relation == .noneIsAllNot
        ? (compare(many.expression, comparator, value, [], Quantifier.none), all)
        : (compare(many.expression, comparator, value, [], .any), PredicateSyntax(.not(all)))
    case .anyByCounting, .allByCounting, .noneByCounting:
      guard let (many, path, condition) = elementCondition() else { return nil }
      switch relation {
      case .anyByCounting: return (quantified(path, condition, .any), compare(chosen(many, condition), .greater, zero))
      case .noneByCounting:
        return (quantified(path, condition, Quantifier.none), compare(chosen(many, condition), .equal, zero))
      default:
        let rest = chosen(many, PredicateSyntax(.not(condition)))
        return (quantified(path, condition, .all), compare(rest, .equal, zero))
      }
    case .countIsTheSum:
      guard let many = manyObjects(depth: 0), case .path(let path) = many.expression.kind else { return nil }
      variables = [("e", element(of: many))]
      let condition = predicate(depth: 1)
      variables = []
      let halves = [condition, PredicateSyntax(.not(condition))].map { half in
        ExpressionSyntax(
          .subquery(path, variable: "e", half, tail: PathSyntax(steps: [PathSyntax.Step(.operation("count"))])))
      }
      let sum = ExpressionSyntax.binary(.add, halves[0], halves[1])
      return (compare(sum, .equal, count(of: many)), PredicateSyntax(.constant(true)))
    case .countOfEverything:
      guard let many = manyObjects(depth: 0) else { return nil }
      let number = ExpressionSyntax(.literal(.int(Int64(random.below(5)))))
      let comparator = random.pick(Comparator.relations)
      let everything = chosen(many, PredicateSyntax(.constant(true)))
      return (compare(count(of: many), comparator, number), compare(everything, comparator, number))
    case .forwardAndBack: return forwardAndBack()
    }
  }

  /// Objects that link here, asked from here by name and from there one by one.
  private mutating func forwardAndBack() -> (PredicateSyntax, PredicateSyntax)? {
    let links = world.links(to: entity.name)
    guard let link = links.randomElement(using: &random),
      let source = world.all(link.entity).randomElement(using: &random)
    else { return nil }
    let names = link.path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) }
    let back = [PathSyntax.Step(.operation("links")), PathSyntax.Step(.name(link.entity))] + names
    let there = ExpressionSyntax(.literal(OracleWorld.object(link.entity, source.number)))
    let targets: [Value]
    switch source.values[link.path] {
    case .list(let elements)?: targets = elements
    case let value?: targets = [value]
    case nil: targets = []
    }
    let list = ExpressionSyntax(.list(targets.filter { !$0.isNull }.map { ExpressionSyntax(.literal($0)) }))
    return (
      compare(ExpressionSyntax(.path(PathSyntax(steps: back))), .equal, there, [], .any),
      compare(ExpressionSyntax(.path(PathSyntax(steps: []))), .isIn, list)
    )
  }

  private func element(of many: Operand) -> Operand {
    Operand(expression: ExpressionSyntax(.path(PathSyntax(variable: "e", steps: []))), content: many.content)
  }

  /// Many objects, a value of each as a path from here, and a condition on it as one of the element `$e`.
  private mutating func elementCondition() -> (Operand, Operand, PredicateSyntax)? {
    guard let many = manyObjects(depth: 0), case .path = many.expression.kind,
      let single = last(of: element(of: many)), !single.isMany, case .path(let path) = single.expression.kind,
      path.steps.allSatisfy({ if case .name = $0.kind { true } else { false } })
    else { return nil }
    var from = followed(many, path.steps.map(\.kind))
    (from.content, from.isThrough) = (single.content, true)
    let value = random.once(in: 8) ? Value.null : near(single)
    let comparator = value.isNull ? random.pick([Comparator.equal, .notEqual]) : random.pick(Comparator.relations)
    return (many, from, compare(single.expression, comparator, ExpressionSyntax(.literal(value))))
  }

  /// The condition on the element as one on the path from here.
  private func quantified(_ path: Operand, _ condition: PredicateSyntax, _ quantifier: Quantifier) -> PredicateSyntax {
    guard case .comparison(let comparison) = condition.kind else { return condition }
    return compare(path.expression, comparison.comparator, comparison.right, [], quantifier)
  }

  /// How many a SUBQUERY chooses.
  private func chosen(_ many: Operand, _ condition: PredicateSyntax) -> ExpressionSyntax {
    guard case .path(let path) = many.expression.kind else { return many.expression }
    return ExpressionSyntax(
      .subquery(path, variable: "e", condition, tail: PathSyntax(steps: [PathSyntax.Step(.operation("count"))])))
  }
}
