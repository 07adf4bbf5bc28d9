import Diagnostics
import PredicateLanguage
import Schema
import Storage
import Values

@testable import QueryEngine

/// What the engine and the oracle say about queries on a graph in a store.
struct GraphCase {
  let world: OracleWorld
  let snapshot: Snapshot
  /// How scans run.
  var scans = PlannerOptions.Scan.forced

  /// What is planted in the oracle, to show that it would be noticed.
  struct Planted {
    var mistake: NaiveEvaluator.Mistake?
    var links: NaiveEvaluator.LinkMistake?

    /// Whether an oracle with it gives another answer than one without.
    func shows(in query: RandomQuery, of entity: Entity, _ world: OracleWorld) -> Bool {
      func rows(_ mistake: NaiveEvaluator.Mistake?, _ links: NaiveEvaluator.LinkMistake?) -> [UInt64]? {
        var oracle = NaiveEvaluator(
          schema: world.schema, entity: entity, arguments: query.arguments, mistake: mistake, world: world)
        oracle.linkMistake = links
        return try? oracle.rows(query.filter, of: world.all(entity.name))
      }
      return rows(mistake, links) != rows(nil, nil)
    }
  }

  /// How the engine and the oracle disagree about a query; nil when they do not.
  func disagreement(
    on query: RandomQuery, entity: Entity, _ coverage: inout PlanCoverage, planted: Planted = Planted()
  ) throws -> String? {
    let text = query.filter.predicateFormat
    let read: FilterSyntax
    do throws(DiagnosticError) {
      read = try PredicateParser.filter(text)
    } catch {
      return "the printed text is refused: \(error)"
    }
    // NaN is not equal to itself, so a tree with one is compared by its text alone.
    if read.predicateFormat != text || (read != query.filter && !text.contains("nan")) {
      return "the printed text reads back as \(read.predicateFormat)\n\(read)\nnot\n\(query.filter)"
    }
    var oracle = NaiveEvaluator(
      schema: world.schema, entity: entity, arguments: query.arguments, mistake: planted.mistake, world: world)
    oracle.linkMistake = planted.links
    var expected: [UInt64]?
    var refusal = ""
    do throws(OracleError) {
      expected = try oracle.rows(read, of: world.all(entity.name))
    } catch { refusal = error.description }
    let compiled: CompiledQuery
    do throws(DiagnosticError) {
      compiled = try compile(read, text, entity, query.arguments)
    } catch {
      if expected == nil { coverage.refused += 1 }
      return expected == nil ? nil : "the engine refuses it: \(error)"
    }
    guard let expected else { return "the engine takes it, but it is an error: \(refusal)" }
    let problem = try disagreement(
      of: compiled, expected, &coverage, isPlanted: planted.mistake != nil || planted.links != nil)
    if problem != nil,
      oracle.doubt.isThere
        || OracleDeviation.isInDoubt(text, isSame: { try oracle.rows(read, of: world.all(entity.name)) == expected })
    {
      coverage.doubted += 1
      return nil
    }
    coverage.answered += 1
    return problem
  }

  /// How some plan of a query does not find what it should; nil when all do.
  ///
  /// - Parameter isPlanted: Whether the oracle makes a mistake, which shows in any plan: one is enough.
  private func disagreement(
    of compiled: CompiledQuery, _ expected: [UInt64], _ coverage: inout PlanCoverage, isPlanted: Bool
  ) throws -> String? {
    let count = try compiled.planCount(in: snapshot)
    if count == 0 { return "there is no plan" }
    for number in -1..<(isPlanted ? 0 : count) {
      // The cheapest in every way to go about links, the others in one way each.
      let all = GraphPlans.options(number < 0 ? .cheapest : .enumerated(number))
      for var options in number < 0 && !isPlanted ? all : [all[(number + 1 + coverage.answered) % all.count]] {
        // On one thread, or on several, where every row is asked by those first that can follow no link.
        options.threads = [.one, .always(2), .always(3)][(number + 1 + coverage.asked) % 3]
        let plan = try compiled.plan(in: snapshot, options: options)
        let text = plan.explanation.text
        coverage.add(text)
        if let problem = try disagreement(of: plan, expected) { return "plan \(number) \(problem)\n\(text)" }
      }
    }
    if isPlanted { return nil }
    let links = LinkAccess.allCases[coverage.answered % LinkAccess.allCases.count]
    for options in PlannerOptions.everyWay(links: links, scans: scans) {
      let plan = try compiled.plan(in: snapshot, options: options)
      if try plan.isShared(in: snapshot) {
        if options.threads == .automatic { coverage.shared += 1 } else { coverage.forced += 1 }
      }
      if let problem = try disagreement(of: plan, expected) {
        return "\(options.way) \(problem)\n\(plan.explanation.text)"
      }
    }
    return nil
  }

  /// Whether a plan finds, counts and streams what it should.
  private func disagreement(of plan: Plan, _ expected: [UInt64]) throws -> String? {
    let found = try plan.objects(in: snapshot).map(\.rawValue)
    if found != expected { return "finds \(Self.shown(found)), expected \(Self.shown(expected))" }
    let counted = try plan.count(in: snapshot)
    if counted != expected.count { return "counts \(counted), expected \(expected.count)" }
    var first: [UInt64] = []
    try plan.forEach(in: snapshot) {
      first.append($0.rawValue)
      return first.count < 3
    }
    return first == Array(expected.prefix(3)) ? nil : "streams \(first), expected \(Self.shown(expected))"
  }

  func compile(
    _ filter: FilterSyntax, _ text: String, _ entity: Entity, _ arguments: Arguments = Arguments()
  ) throws(DiagnosticError) -> CompiledQuery {
    var description = QueryDescription(entity: entity.name)
    try description.append(
      filter, SourceContext(source: text, arguments: arguments, refusesExtraArguments: false))
    return try CompiledQuery(description, schema: snapshot.schema)
  }

  private static func shown(_ numbers: [UInt64]) -> String {
    numbers.count > 30 ? "\(numbers.prefix(30))… (\(numbers.count))" : "\(numbers)"
  }

  /// The case as text that can be typed in again.
  static func reproduction(_ graph: RandomGraph, _ query: RandomQuery, _ entity: Entity) -> String {
    var lines = [SchemaText.print(graph.schema)]
    if graph.gap > 0 { lines.append("gaps of \(graph.gap) before every \(graph.together)") }
    for entity in graph.schema.entities {
      lines.append("\(entity.name): \(graph.schema.columns(of: entity).map(\.path))")
      for (place, row) in (graph.rows[entity.name] ?? []).prefix(20).enumerated() {
        lines.append(String("  \(place + 1): \(row)".prefix(400)))
      }
    }
    lines += graph.changes.prefix(20).map { String("  \($0)".prefix(300)) }
    lines.append("\(entity.name): \(query.filter.predicateFormat)")
    if !query.arguments.positional.isEmpty { lines.append("arguments \(query.arguments.positional)") }
    return lines.joined(separator: "\n")
  }
}

extension Plan {
  /// Whether the filter over its scan runs on several threads, and has enough clusters for them.
  fileprivate func isShared(in snapshot: Snapshot) throws -> Bool {
    guard let scan = try tables.table(of: entity, in: snapshot, for: .visits(0)),
      scan.count >= ScanThreads.fewestClusters
    else { return false }
    let executor = Executor(self, snapshot)
    func isShared(_ node: PlanNode) -> Bool {
      if case .filter = node.kind, case .scan = node.children[0].kind { return executor.scanThreads(node, scan) > 1 }
      return node.children.contains(where: isShared)
    }
    return isShared(root)
  }
}

/// The ways a plan may be told to go about its links.
enum GraphPlans {
  static func options(_ access: AccessChoice) -> [PlannerOptions] {
    LinkAccess.allCases.map { PlannerOptions(access: access, links: $0) }
  }
}
